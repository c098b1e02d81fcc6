//! The result: a table of ratios, their means, and who is slower or larger than it should be.

use std::fmt::Write as _;

use super::building::Building;
use super::instructions::Instructions;
use super::program::Program;
use super::ratio::Ratio;
use super::run::{NoOutcome, Outcome, Usage};
use super::samples::Samples;
use super::variant::{PerVariant, Variant};
use crate::format::{Format, Table};

/// What is known of one program.
pub struct Row {
    /// The program that was measured.
    pub program: Program,
    /// How many tasks it has under Rosser.
    tasks: u64,
    /// What it computes, once it has run.
    check: Option<u64>,
    /// How many instructions it takes.
    pub instructions: Instructions,
    /// What its runs used.
    samples: PerVariant<Samples>,
    /// The ways that are not tried any more, and why.
    given_up: PerVariant<Option<NoOutcome>>,
}

impl Row {
    /// A program that has not run yet.
    pub fn new(program: Program) -> Self {
        let (samples, given_up) = (PerVariant::default(), PerVariant::default());
        let instructions = Instructions::default();
        Self { program, tasks: 0, check: None, instructions, samples, given_up }
    }

    /// Adds a run, which must have computed what all others have.
    pub fn add(&mut self, variant: Variant, outcome: Outcome) -> Result<(), String> {
        if *self.check.get_or_insert(outcome.check) != outcome.check {
            let name = self.program.full_name();
            return Err(format!("{name}: {} computes something else", variant.name()));
        }
        self.tasks = self.tasks.max(outcome.tasks);
        self.samples.of_mut(variant).add(outcome.usage);
        Ok(())
    }

    /// It cannot be run that way.
    pub fn give_up(&mut self, variant: Variant, why: NoOutcome) {
        *self.given_up.of_mut(variant) = Some(why);
    }

    /// Whether it is not to be run that way any more.
    pub fn is_given_up(&self, variant: Variant) -> bool {
        self.given_up.of(variant).is_some()
    }

    /// Whether the detector does not admit what the program does.
    pub fn is_refused(&self, variant: Variant) -> bool {
        *self.given_up.of(variant) == Some(NoOutcome::NotAdmitted)
    }

    /// How many times as long as the program itself it takes that way.
    pub fn slowdown(&self, variant: Variant) -> Option<f64> {
        Some(self.seconds(variant)? / self.seconds(Variant::Base)?)
    }

    /// How many times as long as on as many threads it takes on two workers, on the clock.
    pub fn slowdown_on_the_clock(&self) -> Option<f64> {
        let wall = |variant| {
            let samples = self.samples.of(variant);
            (!samples.is_empty()).then(|| samples.median(|usage| usage.wall))
        };
        Some(wall(Variant::Parallel)? / wall(Variant::Workers)?)
    }

    fn seconds(&self, variant: Variant) -> Option<f64> {
        let samples = self.samples.of(variant);
        (!samples.is_empty()).then(|| samples.median(Usage::cpu))
    }

    fn peak(&self, variant: Variant) -> Option<f64> {
        let samples = self.samples.of(variant);
        (!samples.is_empty()).then(|| samples.peak_mb())
    }

    fn to_sanitizer(&self) -> Option<f64> {
        Some(self.seconds(Variant::Full)? / self.seconds(Variant::Sanitizer)?)
    }
}

/// The results of all programs.
pub struct Summary {
    /// In the order in which they were run.
    pub rows: Vec<Row>,
    /// The ways in which they were.
    pub variants: Vec<Variant>,
    /// What building them took, if it was measured.
    pub building: Building,
}

/// The largest allowed memory: this many times the program's own ...
const MEMORY_FACTOR: f64 = 4.0;
/// ... plus this many megabytes.
const MEMORY_EXTRA: f64 = 64.0;

impl Summary {
    /// The tables of `docs/performance.md`.
    pub fn markdown(&self) -> String {
        let are_counted = self.rows.iter().any(|row| row.instructions.all(Variant::Full).is_some());
        let ratios = Ratio::of_all(&self.variants, are_counted);
        let mut header = vec!["program", "tasks", "base s"];
        header.extend(ratios.iter().map(|ratio| ratio.name()));
        header.extend(["published", "full/tsan", "base MB", "full MB", "tsan MB"]);
        let mut table = Table::new(1, header);
        for row in &self.rows {
            let mut cells = vec![row.program.full_name(), row.tasks.to_string()];
            cells.push(row.seconds(Variant::Base).map_or_else(String::new, |s| format!("{s:.3}")));
            cells.extend(ratios.iter().map(|ratio| ratio.cell(row)));
            cells.push(two(row.program.published()));
            cells.push(two(row.to_sanitizer()));
            cells.extend(MEMORY.map(|variant| whole(row.peak(variant))));
            table.row(cells);
        }
        let mut cells = vec!["geometric mean".to_string(), String::new(), String::new()];
        cells.extend(ratios.iter().map(|ratio| two(self.mean(|row| ratio.figure(row)))));
        cells.push(two(self.mean(|row| row.program.published())));
        cells.push(two(self.mean(Row::to_sanitizer)));
        cells.extend(MEMORY.map(|variant| whole(self.mean(|row| row.peak(variant)))));
        table.row(cells);
        let mut text = table.render(Format::Markdown);
        text.push('\n');
        let building = self.building.markdown();
        if !building.is_empty() {
            text.push_str(&building);
            text.push('\n');
        }
        let slower = self.names(|row| row.to_sanitizer().is_some_and(|ratio| ratio >= 1.0));
        let _ = writeln!(text, "Slower than ThreadSanitizer: {slower}");
        let beaten = self.names(|row| {
            let published = row.program.published();
            published.is_some() && row.slowdown(Variant::Full) > published
        });
        let _ = writeln!(text, "Above the published figure: {beaten}");
        let larger = self.names(|row| {
            let limit = row.peak(Variant::Base).map(|base| MEMORY_FACTOR * base + MEMORY_EXTRA);
            row.peak(Variant::Full) > limit
        });
        let limit = format!("{MEMORY_FACTOR:.0} times the memory plus {MEMORY_EXTRA:.0} MB");
        let _ = writeln!(text, "More than {limit}: {larger}");
        for variant in &self.variants {
            let is_refused = |row: &Row| row.is_refused(*variant);
            if self.rows.iter().any(is_refused) {
                let (name, programs) = (variant.name(), self.names(is_refused));
                let _ = writeln!(text, "Not admitted by {name}: {programs}");
            }
        }
        for row in &self.rows {
            for variant in &self.variants {
                if let Some(NoOutcome::Failed(why)) = row.given_up.of(*variant) {
                    let _ = writeln!(text, "Not run: {why}");
                }
            }
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
            "wall_min_s",
            "wall_median_s",
            "peak_mb",
            "tiny_instructions",
            "published_slowdown",
        ];
        let mut table = Table::new(2, header);
        for row in &self.rows {
            for variant in self.variants.iter().copied() {
                let samples = row.samples.of(variant);
                if samples.is_empty() {
                    continue;
                }
                let mut cells = vec![row.program.full_name(), variant.name().to_string()];
                cells.push(row.tasks.to_string());
                let user = |usage: Usage| usage.user;
                let wall = |usage: Usage| usage.wall;
                cells.extend([
                    format!("{:.4}", samples.least(Usage::cpu)),
                    format!("{:.4}", samples.median(Usage::cpu)),
                    format!("{:.4}", samples.least(user)),
                    format!("{:.4}", samples.median(user)),
                    format!("{:.4}", samples.least(wall)),
                    format!("{:.4}", samples.median(wall)),
                    format!("{:.1}", samples.peak_mb()),
                    row.instructions.all(variant).map_or_else(String::new, |all| all.to_string()),
                    two(row.program.published()),
                ]);
                table.row(cells);
            }
        }
        table.render(Format::Csv)
    }

    /// The geometric mean of a figure, over the programs that have it.
    pub fn mean(&self, figure: impl Fn(&Row) -> Option<f64>) -> Option<f64> {
        geometric_mean(self.rows.iter().filter_map(figure))
    }

    /// The names of some programs, or that there are none.
    fn names(&self, is_one: impl Fn(&Row) -> bool) -> String {
        let rows = self.rows.iter().filter(|row| is_one(row));
        let names: Vec<String> = rows.map(|row| row.program.full_name()).collect();
        if names.is_empty() { "none".to_string() } else { names.join(", ") }
    }
}

/// The memory of these is shown.
const MEMORY: [Variant; 3] = [Variant::Base, Variant::Full, Variant::Sanitizer];

/// A figure as tables show it.
pub fn two(figure: Option<f64>) -> String {
    figure.map_or_else(String::new, |figure| format!("{figure:.2}"))
}

fn whole(figure: Option<f64>) -> String {
    figure.map_or_else(String::new, |figure| format!("{figure:.0}"))
}

fn geometric_mean(figures: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = figures.fold((0.0, 0), |(sum, count), x| (sum + x.ln(), count + 1));
    (count > 0).then(|| (sum / f64::from(count)).exp())
}

#[cfg(test)]
pub mod tests {
    use std::time::Duration;

    use super::{Row, Summary, geometric_mean};
    use crate::programs::building::Building;
    use crate::programs::program::Program;
    use crate::programs::run::{NoOutcome, Outcome, Usage};
    use crate::programs::variant::Variant;

    const VARIANTS: [Variant; 3] = [Variant::Base, Variant::Full, Variant::Sanitizer];

    fn outcome(check: u64, seconds: u64, megabytes: u64) -> Outcome {
        let usage = Usage {
            user: Duration::from_secs(seconds),
            system: Duration::ZERO,
            wall: Duration::from_secs(seconds) / 2,
            peak_kib: megabytes * 1_000_000 / 1024,
        };
        Outcome { check, usage, tasks: 9 }
    }

    /// A program whose variants take so many seconds and megabytes.
    fn row(line: &str, figures: [(u64, u64); 3]) -> Row {
        let mut row = Row::new(Program::parse("papers", line).unwrap());
        for (variant, (seconds, megabytes)) in VARIANTS.into_iter().zip(figures) {
            row.add(variant, outcome(42, seconds, megabytes)).expect("the value is the same");
        }
        row
    }

    pub fn sample() -> Summary {
        let rows = vec![
            row("lu nondeterminator", [(1, 10), (2, 30), (8, 40)]),
            row("crypt esp-bags", [(1, 10), (8, 105), (2, 40)]),
        ];
        Summary { rows, variants: VARIANTS.to_vec(), building: Building::default() }
    }

    #[test]
    fn all_variants_must_compute_the_same() {
        let mut row = Row::new(Program::parse("kernels", "sum").unwrap());
        assert_eq!(row.add(Variant::Base, outcome(42, 1, 1)), Ok(()));
        let expected = Err("kernels/sum: full computes something else".to_string());
        assert_eq!(row.add(Variant::Full, outcome(43, 1, 1)), expected);
    }

    #[test]
    fn the_mean_is_geometric() {
        let mean = geometric_mean([2.0, 8.0].into_iter()).unwrap();
        assert!((mean - 4.0).abs() < 1e-9);
        assert_eq!(geometric_mean([].into_iter()), None);
    }

    #[test]
    fn ratios_means_and_those_that_fall_behind() {
        let expected = "\
| program            | tasks | base s | full | tsan | published | full/tsan | base MB | full MB | tsan MB |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| nondeterminator/lu |     9 |  1.000 | 2.00 | 8.00 |      8.87 |      0.25 |      10 |      30 |      40 |
| esp-bags/crypt     |     9 |  1.000 | 8.00 | 2.00 |      7.29 |      4.00 |      10 |     105 |      40 |
| geometric mean     |       |        | 4.00 | 4.00 |      8.04 |      1.00 |      10 |      56 |      40 |

Slower than ThreadSanitizer: esp-bags/crypt
Above the published figure: esp-bags/crypt
More than 4 times the memory plus 64 MB: esp-bags/crypt
";
        assert_eq!(sample().markdown(), expected);
    }

    #[test]
    fn two_workers_are_compared_with_two_threads_on_the_clock() {
        let mut summary = sample();
        summary.variants = [Variant::Base, Variant::Workers, Variant::Parallel].to_vec();
        let lu = &mut summary.rows[0];
        lu.add(Variant::Workers, outcome(42, 2, 10)).expect("the value is the same");
        lu.add(Variant::Parallel, outcome(42, 6, 10)).expect("the value is the same");
        summary.rows[1].give_up(Variant::Parallel, NoOutcome::NotAdmitted);
        let expected = "\
| program            | tasks | base s | workers | parallel | parallel wall | published | full/tsan | base MB | full MB | tsan MB |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| nondeterminator/lu |     9 |  1.000 |    2.00 |     6.00 |          3.00 |      8.87 |      0.25 |      10 |      30 |      40 |
| esp-bags/crypt     |     9 |  1.000 |         |        — |             — |      7.29 |      4.00 |      10 |     105 |      40 |
| geometric mean     |       |        |    2.00 |     6.00 |          3.00 |      8.04 |      1.00 |      10 |      56 |      40 |
";
        let text = summary.markdown();
        assert!(text.starts_with(expected), "{text}");
        assert!(
            text.ends_with(
                "
Not admitted by parallel: esp-bags/crypt
"
            ),
            "{text}"
        );
    }

    #[test]
    fn csv_has_a_line_for_each_program_and_variant() {
        let csv = sample().csv();
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines.len(), 7);
        assert_eq!(
            lines[5],
            "esp-bags/crypt,full,9,8.0000,8.0000,8.0000,8.0000,4.0000,4.0000,105.0,,7.29"
        );
    }
}
