/work/main/examples/nqueens/target/rosser/quick/x86_64-unknown-linux-gnu/debug/deps/nqueens-191d856c121aba4c.d: src/main.rs

/work/main/examples/nqueens/target/rosser/quick/x86_64-unknown-linux-gnu/debug/deps/nqueens-191d856c121aba4c: src/main.rs

src/main.rs:
