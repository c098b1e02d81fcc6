//! What checking a whole program costs: time and memory against the program as it is, against
//! `ThreadSanitizer` and Helgrind, and against what papers have published.
//!
//! ```text
//!   program       the programs, and the published figures
//!   variant       the ways they are built and run
//!   workshop      builds them
//!   building      what that takes
//!   run           runs one program in one way, checks what it left, and measures it
//!   instructions  counts them, which no other load on the machine disturbs
//!   samples       keeps the rounds of a program and variant apart from each other
//!   ratio         the columns that compare two ways
//!   summary       all ratios, means, who is slower than whom
//!   ranking       whether another measurement had them in the same order
//!   bars          the same as a picture
//! ```
//!
//! All variants of a program run right after each other, round by round, because the machine is
//! rarely as fast now as it was a minute ago. What the order of the programs depends on is run several times in each
//! round if it is over soon: a fifth of a second is not timed well.

mod bars;
mod building;
mod instructions;
mod program;
mod ranking;
mod ratio;
mod run;
mod samples;
mod summary;
mod variant;
mod workshop;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ranking::Slowdowns;
use run::NoOutcome;
use summary::{Row, Summary};
use variant::PerVariant;
pub use variant::Variant;
pub use workshop::PACKAGES;
use workshop::Workshop;

/// What is to be measured.
#[derive(Clone, Debug)]
pub struct Selection {
    /// Only the programs of this package.
    pub package: Option<String>,
    /// Only programs with this in their name.
    pub filter: String,
    /// The ways in which each program is run.
    pub variants: Vec<Variant>,
    /// Whether to count instructions, too.
    pub counts_instructions: bool,
    /// Whether to measure building, too.
    pub measures_building: bool,
    /// How large: `tiny`, `small` or `paper`.
    pub size: String,
    /// How many times each is run.
    pub rounds: u32,
    /// A run that takes longer than this is given up.
    pub patience: Duration,
    /// Where the table, the figures and the picture go.
    pub output: Option<PathBuf>,
    /// The directory of another measurement to compare the order of the programs with.
    pub against: Option<PathBuf>,
}

/// In each round a program is run as it is, and checked, until that has taken this many seconds, ...
const ENOUGH: f64 = 0.75;
/// ... or this many times. The other ways of running it do not decide the order of the programs.
const AT_MOST: usize = 3;
const REPEATED: [Variant; 2] = [Variant::Base, Variant::Full];

/// Builds, measures and tells the result as Markdown.
pub fn measure(selection: &Selection) -> Result<String, String> {
    let before = selection.against.as_deref().map(order_in).transpose()?;
    let mut variants = selection.variants.clone();
    let mut counts_instructions = selection.counts_instructions;
    if (counts_instructions || variants.contains(&Variant::Helgrind)) && !workshop::has_valgrind() {
        eprintln!("Helgrind and the counts of instructions are left out: there is no valgrind");
        variants.retain(|variant| *variant != Variant::Helgrind);
        counts_instructions = false;
    }
    let workshop = Workshop::build(
        selection.package.as_deref(),
        &variants,
        counts_instructions,
        selection.measures_building,
    )?;
    let programs = workshop.programs()?.into_iter();
    let programs = programs.filter(|program| program.full_name().contains(&selection.filter));
    let rows = programs.map(Row::new).collect();
    let mut summary = Summary { rows, variants, building: workshop.building.clone() };
    if summary.rows.is_empty() {
        return Err(format!("no program has `{}` in its name", selection.filter));
    }
    if counts_instructions {
        instructions::count(&workshop, &mut summary)?;
        write(selection, &summary)?;
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
            let mut taken = PerVariant::<f64>::default();
            for turn in 0..AT_MOST * variants.len() {
                let variant = variants[(turn + round as usize) % variants.len()];
                let row = &mut summary.rows[i];
                if !variant.is_possible(&row.program)
                    || row.is_given_up(variant)
                    || *taken.of(variant) >= ENOUGH
                    || turn >= variants.len() && !REPEATED.contains(&variant)
                {
                    continue;
                }
                let (size, patience) = (&selection.size, selection.patience);
                match workshop.run(variant, &row.program, size, patience) {
                    Ok(outcome) => {
                        let seconds = outcome.usage.cpu().as_secs_f64();
                        eprint!("  {} {seconds:.2}", variant.name());
                        *taken.of_mut(variant) += seconds;
                        row.add(variant, outcome)?;
                    }
                    Err(NoOutcome::Failed(why)) if variant == Variant::Base => return Err(why),
                    // What cannot be run one way can be run in the others, and the table says so.
                    Err(why) => {
                        let what = match why {
                            NoOutcome::NotAdmitted => "not admitted",
                            NoOutcome::Failed(_) => "failed",
                        };
                        eprint!("  {} {what}", variant.name());
                        row.give_up(variant, why);
                    }
                }
            }
            eprintln!();
            // It takes long: after an interruption the rounds so far are kept.
            write(selection, &summary)?;
        }
    }
    let mut text = summary.markdown();
    if let Some(before) = before {
        let now = ranking::read(&summary.csv(), Variant::Full.name());
        text.push_str(&ranking::compare(&before, &now));
        text.push('\n');
    }
    Ok(text)
}

/// The order that the programs had in another measurement.
fn order_in(directory: &Path) -> Result<Slowdowns, String> {
    let file = directory.join(FIGURES);
    let csv = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let slowdowns = ranking::read(&csv, Variant::Full.name());
    let is_any = !slowdowns.is_empty();
    is_any.then_some(slowdowns).ok_or_else(|| format!("{}: no program was checked", file.display()))
}

/// The file with all figures.
const FIGURES: &str = "programs.csv";

/// Writes everything where it is wanted.
fn write(selection: &Selection, summary: &Summary) -> Result<(), String> {
    let Some(directory) = &selection.output else { return Ok(()) };
    let failed = |error: std::io::Error| format!("{}: {error}", directory.display());
    fs::create_dir_all(directory).map_err(failed)?;
    fs::write(directory.join(FIGURES), summary.csv()).map_err(failed)?;
    fs::write(directory.join("programs.md"), summary.markdown()).map_err(failed)?;
    fs::write(directory.join("programs.svg"), bars::svg(summary)).map_err(failed)
}
