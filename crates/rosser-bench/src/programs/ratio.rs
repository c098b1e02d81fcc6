//! The columns of the table that compare two ways of running a program.

use super::summary::{Row, two};
use super::variant::Variant;

/// A quotient of two variants of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ratio {
    /// A variant's processor time, against that of the program as it is.
    Cpu(Variant),
    /// The time on the clock of two workers, against that of two threads: processor time adds up
    /// what both have spent.
    Clock,
    /// The instructions of checking everything, against those of the program as it is, on the tiny size.
    Instructions,
}

/// What stands for a program that the detector does not admit.
const REFUSED: &str = "—";

impl Ratio {
    /// All columns for these variants, and for instructions if they are counted.
    pub fn of_all(variants: &[Variant], counts_instructions: bool) -> Vec<Self> {
        let mut ratios = Vec::new();
        for variant in variants.iter().copied().filter(|variant| *variant != Variant::Base) {
            ratios.push(Self::Cpu(variant));
            if variant == Variant::Full && counts_instructions {
                ratios.push(Self::Instructions);
            }
            if variant == Variant::Parallel && variants.contains(&Variant::Workers) {
                ratios.push(Self::Clock);
            }
        }
        ratios
    }

    /// The head of the column.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cpu(variant) => variant.name(),
            Self::Clock => "parallel wall",
            Self::Instructions => "full instr.",
        }
    }

    /// The ratio of a program, if both ways were measured.
    pub fn figure(self, row: &Row) -> Option<f64> {
        match self {
            Self::Cpu(variant) => row.slowdown(variant),
            Self::Clock => row.slowdown_on_the_clock(),
            Self::Instructions => row.instructions.ratio(Variant::Full),
        }
    }

    /// The same as the table shows it.
    pub fn cell(self, row: &Row) -> String {
        let variant = match self {
            Self::Cpu(variant) => variant,
            Self::Clock => Variant::Parallel,
            Self::Instructions => Variant::Full,
        };
        if row.is_refused(variant) { REFUSED.to_owned() } else { two(self.figure(row)) }
    }
}

#[cfg(test)]
mod tests {
    use super::Ratio;
    use crate::programs::variant::Variant;

    #[test]
    fn the_clock_needs_both_ways_with_two_threads() {
        let names = |variants: &[Variant]| -> Vec<&str> {
            Ratio::of_all(variants, false).into_iter().map(Ratio::name).collect()
        };
        let (base, workers, parallel) = (Variant::Base, Variant::Workers, Variant::Parallel);
        assert_eq!(names(&[base, workers, parallel]), ["workers", "parallel", "parallel wall"]);
        assert_eq!(names(&[base, parallel]), ["parallel"]);
    }
}
