//! Every call of a `broadcast` returns its own value; the pool collects them in order.

use rayon::ThreadPoolBuilder;

fn main() {
    let pool = ThreadPoolBuilder::new().num_threads(3).build().expect("a pool of three");
    let common = [10, 20, 30];
    let values = pool.broadcast(|context| common[context.index()] + context.num_threads());
    assert_eq!(values, [13, 23, 33]);
}
