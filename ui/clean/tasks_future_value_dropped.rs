//! Values of futures and of children that own memory: got by two tasks, of which the last frees it, or by
//! nobody.

use rosser::{finish, procedure};

fn main() {
    finish(|s| {
        let table = s.spawn_future(|_| vec![1_u64, 4, 9]).share();
        for i in 0..3 {
            let table = table.clone();
            s.spawn(move |_| assert!(table.get()[i] > 0));
        }
        drop(s.spawn_future(|_| vec![1_u64, 4, 9]));
    });
    procedure(|p| drop(p.spawn(|_| vec![1_u64, 4, 9])));
}
