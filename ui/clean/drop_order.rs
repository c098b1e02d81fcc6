//! Values are dropped in the tasks that own them, each with its own memory; the count of drops is
//! an atomic sum.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

static DROPPED: AtomicU32 = AtomicU32::new(0);

struct Owner {
    name: String,
    next: Option<Box<Owner>>,
}

impl Owner {
    fn chain(length: u32) -> Self {
        let next = (length > 1).then(|| Box::new(Self::chain(length - 1)));
        Self { name: format!("owner {length}"), next }
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.name.clear();
        DROPPED.fetch_add(1, Ordering::Relaxed);
    }
}

fn main() {
    let owners: Vec<Owner> = (1..=8).into_par_iter().map(Owner::chain).collect();
    let mut kept: Vec<Owner> = owners.into_par_iter().filter(|o| o.name.len() > 100).collect();
    assert!(kept.pop().is_none_or(|owner| owner.next.is_none()));
    let (first, second) = (Owner::chain(2), Owner::chain(3));
    rayon::join(move || drop(first), move || drop(second));
    assert_eq!(DROPPED.load(Ordering::Relaxed), 41);
}
