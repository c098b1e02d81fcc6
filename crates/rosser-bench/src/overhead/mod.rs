//! What checking a whole program costs: time and memory against the program as it is, and against
//! `ThreadSanitizer`, on the programs of `examples/kernels`.
//!
//! ```text
//!   workshop   builds the programs, once for each variant
//!   run        runs one program of one variant, checks what it left, and measures it
//!   samples    keeps the rounds of a program and variant apart from each other
//!   summary    ratios, means, who is slower than whom
//! ```
//!
//! All variants of a program run right after each other, round by round, because the machine is
//! rarely as fast now as it was a minute ago.

mod run;
mod samples;
mod summary;
mod variant;
mod workshop;

use std::fs;
use std::path::PathBuf;

use summary::{Row, Summary};
use variant::Variant;
use workshop::Workshop;

/// What is to be measured.
#[derive(Clone, Debug)]
pub struct Selection {
    /// Only programs with this in their name.
    pub filter: String,
    /// How many times each is run.
    pub rounds: u32,
    /// Where all figures go as comma-separated values.
    pub csv: Option<PathBuf>,
}

/// Builds, measures and tells the result as Markdown.
pub fn measure(selection: &Selection) -> Result<String, String> {
    let workshop = Workshop::build()?;
    let names = workshop.programs()?.into_iter().filter(|name| name.contains(&selection.filter));
    let mut summary = Summary { rows: names.map(Row::new).collect() };
    if summary.rows.is_empty() {
        return Err(format!("no program has `{}` in its name", selection.filter));
    }
    for round in 0..selection.rounds {
        for i in 0..summary.rows.len() {
            eprint!("round {} of {}: {}", round + 1, selection.rounds, summary.rows[i].name);
            // Who comes first changes from round to round: no one always profits from the others.
            for turn in 0..Variant::ALL.len() {
                let variant = Variant::ALL[(turn + round as usize) % Variant::ALL.len()];
                let outcome = workshop.run(variant, &summary.rows[i].name)?;
                eprint!("  {} {:.2} s", variant.name(), outcome.usage.cpu().as_secs_f64());
                summary.rows[i].add(variant, outcome)?;
            }
            eprintln!();
            // It takes long: whoever interrupts it keeps what is there.
            if let Some(path) = &selection.csv {
                let written = fs::write(path, summary.csv());
                written.map_err(|error| format!("{}: {error}", path.display()))?;
            }
        }
    }
    Ok(summary.markdown())
}
