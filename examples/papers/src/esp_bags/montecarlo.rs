//! Monte Carlo pricing: from the history of a price, drift and volatility are estimated; then many
//! paths that the price could take are drawn, each by a task, and their returns averaged.

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::check::{Outcome, digest, ensure_near};
use crate::random::Random;
use crate::shared::Shared;
use crate::size::Size;

/// Days of the history and of each path.
const DAYS: usize = 1000;

/// By how much the logarithm of a price grows per day, and how much it varies.
#[derive(Clone, Copy)]
struct Rates {
    drift: f64,
    volatility: f64,
}

/// Draws paths and compares their average return with the history's.
pub fn run(size: Size, racy: bool) -> Outcome {
    let runs = size.pick(20, 8000, 60_000);
    let history = rates(&path(Rates { drift: 0.0005, volatility: 0.01 }, 14));
    let mean = if racy {
        mean_of_shared(history, runs)
    } else {
        let results: Vec<Rates> =
            (0..runs).into_par_iter().map(|run| rates(&path(history, 1000 + run))).collect();
        let sum = results.iter().fold((0.0, 0.0), |sum, r| (sum.0 + r.drift, sum.1 + r.volatility));
        Rates { drift: sum.0 / runs as f64, volatility: sum.1 / runs as f64 }
    };
    let error = history.volatility / ((DAYS as u64 * runs) as f64).sqrt();
    ensure_near("the drift", mean.drift, history.drift, 5.0 * error)?;
    ensure_near("the volatility", mean.volatility, history.volatility, 5.0 * error)?;
    Ok(digest([mean.drift.to_bits(), mean.volatility.to_bits()]))
}

/// The bug: all tasks add to the same two sums.
fn mean_of_shared(history: Rates, runs: u64) -> Rates {
    let mut sums = [0.0; 2];
    let shared = Shared::slice(&mut sums);
    (0..runs).into_par_iter().for_each(|run| {
        let rates = rates(&path(history, 1000 + run));
        // SAFETY: there is none. Others add, too.
        unsafe { *shared.at(0) += rates.drift } // race: additions may get lost
        // SAFETY: likewise.
        unsafe { *shared.at(1) += rates.volatility } // race: likewise
    });
    Rates { drift: sums[0] / runs as f64, volatility: sums[1] / runs as f64 }
}

/// Prices, day by day.
fn path(rates: Rates, seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed);
    let mut price = 100.0;
    (0..=DAYS)
        .map(|_| {
            price *= (rates.drift + rates.volatility * random.normal()).exp();
            price
        })
        .collect()
}

fn rates(prices: &[f64]) -> Rates {
    let returns: Vec<f64> = prices.windows(2).map(|pair| (pair[1] / pair[0]).ln()).collect();
    let n = returns.len() as f64;
    let drift = returns.iter().sum::<f64>() / n;
    let squares: f64 = returns.iter().map(|x| (x - drift) * (x - drift)).sum();
    Rates { drift, volatility: (squares / (n - 1.0)).sqrt() }
}
