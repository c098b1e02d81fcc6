//! Orders as tuples: some are paid, then all that is paid is added up.

use rayon::prelude::*;

use crate::random::Random;
use crate::size::Size;

/// Customer, amount, and whether it is paid.
type Order = (u32, f32, bool);

/// Customers pay one after the other, until all have.
pub fn run(size: Size) -> u64 {
    let (count, customers) = size.pick((5_000, 4), (400_000, 60));
    let mut random = Random::new(26);
    let mut orders: Vec<Order> = (0..count)
        .map(|_| (random.below(customers) as u32, random.below(100) as f32, false))
        .collect();
    let mut last = -1.0;
    for customer in 0..customers as u32 {
        orders.par_iter_mut().filter(|order| order.0 == customer).for_each(|order| order.2 = true);
        let paid = orders.par_iter().filter(|order| order.2).map(|order| f64::from(order.1));
        let paid: f64 = paid.sum();
        assert!(paid > last);
        last = paid;
    }
    assert!(orders.par_iter().all(|order| order.2));
    last as u64
}
