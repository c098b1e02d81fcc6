//! A task panics. The finish waits for the others and goes on with the panic, and the program ends
//! with the code of one.
//@ exit: 101

use rosser::finish;

fn main() {
    let mut sum = 0_u64;
    finish(|s| {
        s.spawn(|_| panic!("this is expected"));
        s.spawn(|_| sum = (0..10).sum());
    });
    unreachable!("{sum}");
}
