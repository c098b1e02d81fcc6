//! Random task graphs over promises, futures and nested finishes, beside a serial evaluation.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon_core::ThreadPoolBuilder;
use rosser::{Finish, Promise, finish};

/// Deadlocks concern all tasks of the process, so the tests take turns.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A small generator of our own, so that a seed means the same for ever.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

/// Node `i` is the sum of the nodes it needs, plus one.
struct Graph {
    needs: Vec<Vec<usize>>,
    /// The order in which the tasks are started.
    order: Vec<usize>,
}

impl Graph {
    fn random(seed: u64, nodes: usize, cyclic: bool) -> Self {
        let mut random = Random(seed);
        let needs = (0..nodes)
            .map(|i| {
                let limit = if cyclic && random.below(20) == 0 { nodes } else { i };
                let count = if limit == 0 { 0 } else { random.below(4) };
                (0..count).map(|_| random.below(limit)).collect()
            })
            .collect();
        let mut order: Vec<usize> = (0..nodes).collect();
        if random.below(2) == 0 {
            for i in (1..nodes).rev() {
                order.swap(i, random.below(i + 1));
            }
        }
        Self { needs, order }
    }

    /// The value of each node, as far as it has one.
    fn evaluate(&self) -> Vec<Option<u64>> {
        let mut values = vec![None; self.needs.len()];
        loop {
            let mut changed = false;
            for (i, needs) in self.needs.iter().enumerate() {
                let sum: Option<u64> =
                    needs.iter().try_fold(1_u64, |sum, &j| Some(sum.wrapping_add(values[j]?)));
                if values[i].is_none() && sum.is_some() {
                    (values[i], changed) = (sum, true);
                }
            }
            if !changed {
                return values;
            }
        }
    }

    fn run(&self, cells: &[Promise<u64>]) {
        finish(|s| {
            for &i in &self.order {
                self.start(s, i, cells);
            }
        });
    }

    /// Starts the task of a node, in one of several ways.
    fn start<'scope>(&'scope self, s: &Finish<'scope>, i: usize, cells: &'scope [Promise<u64>]) {
        let sum =
            move || self.needs[i].iter().fold(1_u64, |sum, &j| sum.wrapping_add(*cells[j].get()));
        match i % 4 {
            0 => s.spawn(move |s| s.spawn(move |_| cells[i].set(sum()))),
            1 => {
                let future = s.spawn_future(move |_| sum());
                s.spawn(move |_| cells[i].set(future.get()));
            }
            2 => s.spawn(move |_| {
                let mut value = 0;
                finish(|s| s.spawn(|_| value = sum()));
                cells[i].set(value);
            }),
            _ => s.spawn(move |_| cells[i].set(sum())),
        }
    }
}

#[test]
fn graphs_without_cycles() {
    let _alone = alone();
    for workers in [1, 2, 3, 8] {
        let pool = ThreadPoolBuilder::new().num_threads(workers).build().unwrap();
        for seed in 0..100 {
            let graph = Graph::random(seed, 300, false);
            let cells: Vec<Promise<u64>> = (0..300).map(|_| Promise::new()).collect();
            if seed % 2 == 0 {
                pool.install(|| graph.run(&cells));
            } else {
                graph.run(&cells);
            }
            let values: Vec<Option<u64>> = cells.into_iter().map(Promise::into_inner).collect();
            assert_eq!(values, graph.evaluate(), "seed {seed}");
        }
    }
}

#[test]
fn graphs_with_cycles_end_in_a_report() {
    let _alone = alone();
    let pool = ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let mut stuck = 0;
    for seed in 0..200 {
        let graph = Graph::random(seed, 60, true);
        let cells: Vec<Promise<u64>> = (0..60).map(|_| Promise::new()).collect();
        let run = catch_unwind(AssertUnwindSafe(|| pool.install(|| graph.run(&cells))));
        let expected = graph.evaluate();
        let values: Vec<Option<u64>> = cells.into_iter().map(Promise::into_inner).collect();
        assert_eq!(values, expected, "seed {seed}");
        assert_eq!(run.is_err(), expected.contains(&None), "seed {seed}");
        stuck += usize::from(run.is_err());
    }
    assert!((20..180).contains(&stuck), "{stuck} of 200 are stuck");
}

#[test]
fn many_roots_at_once() {
    let _alone = alone();
    std::thread::scope(|threads| {
        for thread in 0..4 {
            threads.spawn(move || {
                for seed in 0..50 {
                    let graph = Graph::random(seed * 4 + thread, 100, false);
                    let cells: Vec<Promise<u64>> = (0..100).map(|_| Promise::new()).collect();
                    graph.run(&cells);
                    let values: Vec<Option<u64>> =
                        cells.into_iter().map(Promise::into_inner).collect();
                    assert_eq!(values, graph.evaluate());
                }
            });
        }
    });
}
