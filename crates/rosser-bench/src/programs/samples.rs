//! What several rounds of the same run have used.

use std::time::Duration;

use super::run::Usage;

/// One usage for each round.
#[derive(Clone, Debug, Default)]
pub struct Samples(Vec<Usage>);

impl Samples {
    /// Adds what one round used.
    pub fn add(&mut self, usage: Usage) {
        self.0.push(usage);
    }

    /// Whether there was no round yet.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The least time, in seconds: a shared machine only ever adds to it.
    pub fn least(&self, time: impl Fn(Usage) -> Duration) -> f64 {
        self.sorted(time).first().copied().unwrap_or_default()
    }

    /// The time in the middle, in seconds; of an even number, the greater of the two.
    pub fn median(&self, time: impl Fn(Usage) -> Duration) -> f64 {
        self.sorted(time).get(self.0.len() / 2).copied().unwrap_or_default()
    }

    /// The greatest peak of memory, in megabytes.
    pub fn peak_mb(&self) -> f64 {
        let kib = self.0.iter().map(|usage| usage.peak_kib).max().unwrap_or_default();
        kib as f64 * 1024.0 / 1e6
    }

    fn sorted(&self, time: impl Fn(Usage) -> Duration) -> Vec<f64> {
        let mut times: Vec<f64> = self.0.iter().map(|usage| time(*usage).as_secs_f64()).collect();
        times.sort_by(f64::total_cmp);
        times
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Samples;
    use crate::programs::run::Usage;

    #[test]
    fn least_median_and_peak() {
        let mut samples = Samples::default();
        for (user, peak_kib) in [(3, 1000), (1, 3000), (8, 2000)] {
            let (user, system) = (Duration::from_secs(user), Duration::from_secs(1));
            samples.add(Usage { user, system, wall: user, peak_kib });
        }
        let same = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} is not {b}");
        same(samples.least(Usage::cpu), 2.0);
        same(samples.median(|usage| usage.user), 3.0);
        same(samples.peak_mb(), 3.072);
    }
}
