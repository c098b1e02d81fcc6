//! The result: a table of ratios, their means, and who is slower or larger than it should be.

use std::fmt::Write as _;

use super::run::{Outcome, Usage};
use super::samples::Samples;
use super::variant::{PerVariant, Variant};
use crate::format::{Format, Table};

/// What is known of one program.
pub struct Row {
    /// Its name.
    pub name: String,
    /// How many tasks it has under Rosser.
    tasks: u64,
    /// What it computes, once it has run.
    check: Option<u64>,
    /// What its runs used.
    samples: PerVariant<Samples>,
}

impl Row {
    /// A program that has not run yet.
    pub fn new(name: String) -> Self {
        Self { name, tasks: 0, check: None, samples: PerVariant::default() }
    }

    /// Adds a run, which must have computed what all others have.
    pub fn add(&mut self, variant: Variant, outcome: Outcome) -> Result<(), String> {
        if *self.check.get_or_insert(outcome.check) != outcome.check {
            return Err(format!("{}: {} computes something else", self.name, variant.name()));
        }
        self.tasks = self.tasks.max(outcome.tasks);
        self.samples.of_mut(variant).add(outcome.usage);
        Ok(())
    }

    fn seconds(&self, variant: Variant) -> f64 {
        self.samples.of(variant).least(Usage::cpu)
    }

    fn ratio(&self, variant: Variant, to: Variant) -> f64 {
        self.seconds(variant) / self.seconds(to)
    }

    fn peak(&self, variant: Variant) -> f64 {
        self.samples.of(variant).peak_mb()
    }
}

/// All programs.
pub struct Summary {
    /// In the order in which they were run.
    pub rows: Vec<Row>,
}

/// Memory may be so many times the program's own ...
const MEMORY_FACTOR: f64 = 4.0;
/// ... plus so many megabytes.
const MEMORY_EXTRA: f64 = 64.0;

impl Summary {
    /// For reading.
    pub fn markdown(&self) -> String {
        let header = [
            "program",
            "tasks",
            "base s",
            "tsan",
            "fast",
            "quick",
            "fast/tsan",
            "base MB",
            "tsan MB",
            "fast MB",
            "quick MB",
        ];
        let mut table = Table::new(1, header);
        for row in &self.rows {
            let mut cells = vec![row.name.clone(), row.tasks.to_string()];
            cells.push(format!("{:.3}", row.seconds(Variant::Base)));
            cells.extend(CHECKERS.map(|variant| two(row.ratio(variant, Variant::Base))));
            cells.push(two(row.ratio(Variant::Fast, Variant::Sanitizer)));
            cells.extend(Variant::ALL.map(|variant| format!("{:.0}", row.peak(variant))));
            table.row(cells);
        }
        let mean = |variant, to| two(self.mean(|row| row.ratio(variant, to)));
        let mut cells = vec!["geometric mean".to_string(), String::new(), String::new()];
        cells.extend(CHECKERS.map(|variant| mean(variant, Variant::Base)));
        cells.push(mean(Variant::Fast, Variant::Sanitizer));
        cells.extend(
            Variant::ALL.map(|variant| format!("{:.0}", self.mean(|row| row.peak(variant)))),
        );
        table.row(cells);
        let mut text = table.render(Format::Markdown);
        text.push('\n');
        for variant in [Variant::Fast, Variant::Quick] {
            let slower = self.names(|row| row.ratio(variant, Variant::Sanitizer) >= 1.0);
            let _ = writeln!(text, "Slower than ThreadSanitizer, {}: {slower}", variant.name());
        }
        for variant in [Variant::Fast, Variant::Quick] {
            let larger = self.names(|row| {
                row.peak(variant) > MEMORY_FACTOR * row.peak(Variant::Base) + MEMORY_EXTRA
            });
            let limit = format!("{MEMORY_FACTOR:.0} times the memory plus {MEMORY_EXTRA:.0} MB");
            let _ = writeln!(text, "More than {limit}, {}: {larger}", variant.name());
        }
        text
    }

    /// For further use: all figures, one line for each program and variant.
    pub fn csv(&self) -> String {
        let header = [
            "program",
            "variant",
            "tasks",
            "cpu_min_s",
            "cpu_median_s",
            "user_min_s",
            "user_median_s",
            "peak_mb",
        ];
        let mut table = Table::new(2, header);
        for row in &self.rows {
            for variant in Variant::ALL {
                let samples = row.samples.of(variant);
                let mut cells = vec![row.name.clone(), variant.name().to_string()];
                cells.push(row.tasks.to_string());
                let user = |usage: Usage| usage.user;
                cells.extend([
                    format!("{:.4}", samples.least(Usage::cpu)),
                    format!("{:.4}", samples.median(Usage::cpu)),
                    format!("{:.4}", samples.least(user)),
                    format!("{:.4}", samples.median(user)),
                    format!("{:.1}", samples.peak_mb()),
                ]);
                table.row(cells);
            }
        }
        table.render(Format::Csv)
    }

    fn mean(&self, figure: impl Fn(&Row) -> f64) -> f64 {
        geometric_mean(self.rows.iter().map(figure))
    }

    /// The names of some programs, or that there are none.
    fn names(&self, is_one: impl Fn(&Row) -> bool) -> String {
        let names: Vec<&str> =
            self.rows.iter().filter(|row| is_one(row)).map(|row| row.name.as_str()).collect();
        if names.is_empty() { "none".to_string() } else { names.join(", ") }
    }
}

/// Those that are compared with the program as it is.
const CHECKERS: [Variant; 3] = [Variant::Sanitizer, Variant::Fast, Variant::Quick];

fn two(ratio: f64) -> String {
    format!("{ratio:.2}")
}

fn geometric_mean(figures: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = figures.fold((0.0, 0), |(sum, count), x| (sum + x.ln(), count + 1));
    (sum / f64::from(count)).exp()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Row, Summary, geometric_mean};
    use crate::overhead::run::{Outcome, Usage};
    use crate::overhead::variant::Variant;

    fn outcome(check: u64, seconds: u64, megabytes: u64) -> Outcome {
        let usage = Usage {
            user: Duration::from_secs(seconds),
            system: Duration::ZERO,
            peak_kib: megabytes * 1_000_000 / 1024,
        };
        Outcome { check, usage, tasks: 9 }
    }

    /// A program whose variants take so many seconds and megabytes.
    fn row(name: &str, figures: [(u64, u64); 4]) -> Row {
        let mut row = Row::new(name.to_string());
        for (variant, (seconds, megabytes)) in Variant::ALL.into_iter().zip(figures) {
            row.add(variant, outcome(42, seconds, megabytes)).expect("the value is the same");
        }
        row
    }

    #[test]
    fn all_variants_must_compute_the_same() {
        let mut row = Row::new("sum".to_string());
        assert_eq!(row.add(Variant::Base, outcome(42, 1, 1)), Ok(()));
        let expected = Err("sum: fast computes something else".to_string());
        assert_eq!(row.add(Variant::Fast, outcome(43, 1, 1)), expected);
    }

    fn sample() -> Summary {
        let rows = vec![
            row("quick", [(1, 10), (8, 40), (2, 30), (4, 30)]),
            row("slow", [(1, 10), (2, 40), (8, 105), (16, 90)]),
        ];
        Summary { rows }
    }

    #[test]
    fn the_mean_is_geometric() {
        assert!((geometric_mean([2.0, 8.0].into_iter()) - 4.0).abs() < 1e-9);
    }

    #[test]
    fn ratios_means_and_those_that_fall_behind() {
        let expected = "\
| program        | tasks | base s | tsan | fast | quick | fast/tsan | base MB | tsan MB | fast MB | quick MB |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| quick          |     9 |  1.000 | 8.00 | 2.00 |  4.00 |      0.25 |      10 |      40 |      30 |       30 |
| slow           |     9 |  1.000 | 2.00 | 8.00 | 16.00 |      4.00 |      10 |      40 |     105 |       90 |
| geometric mean |       |        | 4.00 | 4.00 |  8.00 |      1.00 |      10 |      40 |      56 |       52 |

Slower than ThreadSanitizer, fast: slow
Slower than ThreadSanitizer, quick: slow
More than 4 times the memory plus 64 MB, fast: slow
More than 4 times the memory plus 64 MB, quick: none
";
        assert_eq!(sample().markdown(), expected);
    }

    #[test]
    fn csv_has_a_line_for_each_program_and_variant() {
        let csv = sample().csv();
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines.len(), 9);
        assert_eq!(lines[7], "slow,fast,9,8.0000,8.0000,8.0000,8.0000,105.0");
    }
}
