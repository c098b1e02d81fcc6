//! Instructions, counted by Valgrind: the same however busy the machine is.
//!
//! Valgrind is slow, so the programs have their tiny size, and of what they take a good part is the start
//! of any program. That is counted by itself and left out of the ratio.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::program::Program;
use super::run::NoOutcome;
use super::summary::Summary;
use super::variant::{PerVariant, Variant};
use super::workshop::Workshop;

/// How large the programs are.
pub const SIZE: &str = "tiny";

/// What a program takes, and what its start takes of that, by the way it is run.
#[derive(Clone, Debug, Default)]
pub struct Instructions {
    all: PerVariant<Option<u64>>,
    start: PerVariant<Option<u64>>,
}

impl Instructions {
    /// All that it takes, with the start.
    pub fn all(&self, variant: Variant) -> Option<u64> {
        *self.all.of(variant)
    }

    /// How many times as many as the program itself it takes that way, without the start.
    pub fn ratio(&self, variant: Variant) -> Option<f64> {
        Some(self.own(variant)? / self.own(Variant::Base)?)
    }

    fn own(&self, variant: Variant) -> Option<f64> {
        let own = (*self.all.of(variant))?.checked_sub((*self.start.of(variant))?)?;
        (own > 0).then_some(own as f64)
    }
}

/// Counts the instructions of all programs in all ways in which they can be counted.
pub fn count(workshop: &Workshop, summary: &mut Summary) -> Result<(), String> {
    let variants = summary.variants.iter().copied();
    let variants: Vec<Variant> =
        variants.filter(|variant| variant.counted_build().is_some()).collect();
    let mut starts = BTreeMap::new();
    let programs = summary.rows.len();
    for (number, row) in summary.rows.iter_mut().enumerate() {
        let package = row.program.package;
        if let Entry::Vacant(start) = starts.entry(package) {
            start.insert(count_one(workshop, &variants, &Program::nothing(package))?);
        }
        eprintln!(
            "counting instructions, program {} of {programs}: {}",
            number + 1,
            row.program.full_name()
        );
        row.instructions = Instructions {
            all: count_one(workshop, &variants, &row.program)?,
            start: starts[package].clone(),
        };
    }
    Ok(())
}

fn count_one(
    workshop: &Workshop,
    variants: &[Variant],
    program: &Program,
) -> Result<PerVariant<Option<u64>>, String> {
    let mut counts = PerVariant::default();
    for variant in variants.iter().copied().filter(|variant| variant.is_possible(program)) {
        *counts.of_mut(variant) = match workshop.count(variant, program) {
            Ok(count) => Some(count),
            Err(NoOutcome::NotAdmitted) => None,
            Err(NoOutcome::Failed(why)) => return Err(why),
        };
    }
    Ok(counts)
}

/// The sum of all, out of what callgrind has written.
pub fn total(counted: &str) -> Option<u64> {
    counted.lines().find_map(|line| line.strip_prefix("totals: "))?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{Instructions, total};
    use crate::programs::variant::{PerVariant, Variant};

    #[test]
    fn the_total_is_among_other_things() {
        let counted = "version: 1\nevents: Ir\n\nfn=(1) main\n12 34\n\ntotals: 12009077\n";
        assert_eq!(total(counted), Some(12_009_077));
        assert_eq!(total("version: 1\n"), None);
    }

    #[test]
    fn the_start_is_not_the_program() {
        let counts = |base, full| {
            let mut counts = PerVariant::default();
            *counts.of_mut(Variant::Base) = Some(base);
            *counts.of_mut(Variant::Full) = Some(full);
            counts
        };
        let ratio = |all, start| Instructions { all, start }.ratio(Variant::Full);
        assert_eq!(ratio(counts(110, 1300), counts(10, 1000)), Some(3.0));
        assert_eq!(ratio(counts(10, 1300), counts(10, 1000)), None, "it does nothing");
        assert_eq!(ratio(counts(110, 1300), PerVariant::default()), None);
    }
}
