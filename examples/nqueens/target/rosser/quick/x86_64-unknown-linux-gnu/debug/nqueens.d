/work/main/examples/nqueens/target/rosser/quick/x86_64-unknown-linux-gnu/debug/nqueens: /work/main/examples/nqueens/src/main.rs
