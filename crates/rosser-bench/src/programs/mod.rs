//! What checking a whole program costs: time and memory against the program as it is, against
//! `ThreadSanitizer` and Helgrind, and against what papers have published.
//!
//! ```text
//!   program    the programs, and the published figures
//!   variant    the ways they are built and run
//!   workshop   builds them
//!   run        runs one program in one way, checks what it left, and measures it
//!   samples    keeps the rounds of a program and variant apart from each other
//!   summary    ratios, means, who is slower than whom
//!   bars       the same as a picture
//! ```
//!
//! All variants of a program run right after each other, round by round, because the machine is
//! rarely as fast now as it was a minute ago.

mod bars;
mod program;
mod run;
mod samples;
mod summary;
mod variant;
mod workshop;

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use summary::{Row, Summary};
pub use variant::Variant;
use workshop::Workshop;

/// What is to be measured.
#[derive(Clone, Debug)]
pub struct Selection {
    /// Only the programs of this package.
    pub package: Option<String>,
    /// Only programs with this in their name.
    pub filter: String,
    /// In these ways.
    pub variants: Vec<Variant>,
    /// How large: `tiny`, `small` or `paper`.
    pub size: String,
    /// How many times each is run.
    pub rounds: u32,
    /// A run that takes longer than this is given up.
    pub patience: Duration,
    /// Where the table, the figures and the picture go.
    pub output: Option<PathBuf>,
}

/// Builds, measures and tells the result as Markdown.
pub fn measure(selection: &Selection) -> Result<String, String> {
    let mut variants = selection.variants.clone();
    if variants.contains(&Variant::Helgrind) && !workshop::has_helgrind() {
        eprintln!("Helgrind is left out: there is no valgrind");
        variants.retain(|variant| *variant != Variant::Helgrind);
    }
    let workshop = Workshop::build(selection.package.as_deref(), &variants)?;
    let programs = workshop.programs()?.into_iter();
    let programs = programs.filter(|program| program.full_name().contains(&selection.filter));
    let mut summary = Summary { rows: programs.map(Row::new).collect(), variants };
    if summary.rows.is_empty() {
        return Err(format!("no program has `{}` in its name", selection.filter));
    }
    let started = Instant::now();
    for round in 0..selection.rounds {
        for i in 0..summary.rows.len() {
            eprint!(
                "{:4.0} s, round {} of {}, program {} of {}: {}",
                started.elapsed().as_secs_f64(),
                round + 1,
                selection.rounds,
                i + 1,
                summary.rows.len(),
                summary.rows[i].program.full_name()
            );
            // Who comes first changes from round to round: no one always profits from the others.
            let variants = summary.variants.clone();
            for turn in 0..variants.len() {
                let variant = variants[(turn + round as usize) % variants.len()];
                let row = &mut summary.rows[i];
                if !variant.is_possible(&row.program) || row.is_given_up(variant) {
                    continue;
                }
                let (size, patience) = (&selection.size, selection.patience);
                match workshop.run(variant, &row.program, size, patience) {
                    Ok(outcome) => {
                        let seconds = outcome.usage.cpu().as_secs_f64();
                        eprint!("  {} {seconds:.2}", variant.name());
                        row.add(variant, outcome)?;
                    }
                    Err(why) if variant == Variant::Base => return Err(why),
                    // What cannot be run one way can be run in the others, and the table says so.
                    Err(why) => {
                        eprint!("  {} failed", variant.name());
                        row.give_up(variant, why);
                    }
                }
            }
            eprintln!();
            // It takes long: whoever interrupts it keeps what is there.
            write(selection, &summary)?;
        }
    }
    Ok(summary.markdown())
}

/// Writes everything where it is wanted.
fn write(selection: &Selection, summary: &Summary) -> Result<(), String> {
    let Some(directory) = &selection.output else { return Ok(()) };
    let failed = |error: std::io::Error| format!("{}: {error}", directory.display());
    fs::create_dir_all(directory).map_err(failed)?;
    fs::write(directory.join("programs.csv"), summary.csv()).map_err(failed)?;
    fs::write(directory.join("programs.md"), summary.markdown()).map_err(failed)?;
    fs::write(directory.join("programs.svg"), bars::svg(summary)).map_err(failed)
}
