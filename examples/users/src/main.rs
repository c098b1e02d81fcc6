//! Programs as people write them with rayon, each of which checks its own result.
//!
//! `users list` names them. `users NAME SIZE` runs one and prints its check value, which depends on the size
//! only, never on the schedule. `users NAME SIZE racy` runs its twin, with a mistake at the lines that
//! say `// race`, or `// order` where only the order is left to the schedule. `users nothing tiny` does nothing
//! but join two tasks: what it takes is the start of any program.

mod audio;
mod axpy;
mod bfs;
mod blend;
mod blur;
mod bodies;
mod bridge;
mod closest;
mod collatz;
mod components;
mod dna;
mod dot;
mod evens;
mod graph;
mod grey;
mod groups;
mod heat;
mod histogram;
mod inventory;
mod levenshtein;
mod life;
mod longest_line;
mod mandelbrot;
mod matmul;
mod names;
mod nearest;
mod orders;
mod pagerank;
mod parse;
mod particles;
mod pi;
mod prefix;
mod queens;
#[path = "../../papers/src/random.rs"]
#[expect(dead_code, reason = "not all of it is needed here")]
mod random;
mod sieve;
#[path = "../../kernels/src/size.rs"]
mod size;
mod sort_records;
mod strassen;
mod text;
mod threshold;
mod transpose;
mod triples;
mod unsafe_slice;
mod variance;
mod word_counts;

use std::process::ExitCode;

use size::Size;

/// Runs a program, and returns the check value.
type Run = fn(Size) -> u64;

/// A program.
#[derive(Clone, Copy)]
struct Program {
    name: &'static str,
    run: Run,
    /// Its twin with a mistake, which does not check what it computes.
    twin: Option<Run>,
    /// What else is to be said of it and of its twin.
    note: Note,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Note {
    /// The program is right in every schedule; its twin has a data race.
    None,
    /// The program lets the schedule decide something that does not matter, at lines that say `// order`.
    Order,
    /// The twin has no data race, but lets the schedule decide what matters.
    Disordered,
}

const fn program(name: &'static str, run: Run) -> Program {
    Program { name, run, twin: None, note: Note::None }
}

impl Program {
    /// With a twin that has a data race.
    const fn racy(self, twin: Run) -> Self {
        Self { twin: Some(twin), ..self }
    }

    /// With a twin whose result depends on the schedule.
    const fn disordered(self, twin: Run) -> Self {
        Self { twin: Some(twin), note: Note::Disordered, ..self }
    }

    /// With findings of its own.
    const fn ordered(self) -> Self {
        Self { note: Note::Order, ..self }
    }

    /// The line of the list.
    fn line(&self) -> String {
        let twin = match (self.twin, self.note) {
            (None, _) => "",
            (Some(_), Note::Disordered) => " disordered",
            (Some(_), _) => " racy",
        };
        let order = if self.note == Note::Order { " order" } else { "" };
        format!("{} users{twin}{order}", self.name)
    }
}

const PROGRAMS: &[Program] = &[
    // Images.
    program("blend", blend::run),
    program("blur", blur::run).racy(blur::racy),
    program("grey", grey::run).racy(grey::racy),
    program("mandelbrot", mandelbrot::run),
    program("threshold", threshold::run).racy(threshold::racy),
    // Text.
    program("bridge", bridge::run).ordered(),
    program("longest-line", longest_line::run).racy(longest_line::racy),
    program("names", names::run),
    program("parse", parse::run),
    program("word-counts", word_counts::run).disordered(word_counts::racy),
    program("levenshtein", levenshtein::run).racy(levenshtein::racy),
    program("dna", dna::run),
    // Particles and points.
    program("bodies", bodies::run).racy(bodies::racy),
    program("closest", closest::run),
    program("nearest", nearest::run).racy(nearest::racy),
    program("particles", particles::run).racy(particles::racy),
    program("triples", triples::run),
    // Graphs.
    program("bfs", bfs::run).racy(bfs::racy).ordered(),
    program("components", components::run).racy(components::racy),
    program("pagerank", pagerank::run).racy(pagerank::racy),
    // Numbers.
    program("audio", audio::run),
    program("axpy", axpy::run).racy(axpy::racy),
    program("collatz", collatz::run).racy(collatz::racy),
    program("dot", dot::run),
    program("evens", evens::run).racy(evens::racy),
    program("groups", groups::run),
    program("histogram", histogram::run).racy(histogram::racy),
    program("inventory", inventory::run).racy(inventory::racy),
    program("orders", orders::run),
    program("prefix", prefix::run).racy(prefix::racy),
    program("sieve", sieve::run).racy(sieve::racy),
    program("sort-records", sort_records::run).racy(sort_records::racy),
    program("variance", variance::run).racy(variance::racy),
    // Simulations.
    program("heat", heat::run).racy(heat::racy),
    program("life", life::run).racy(life::racy),
    program("pi", pi::run).racy(pi::racy),
    program("queens", queens::run),
    // Matrices.
    program("matmul", matmul::run).racy(matmul::racy),
    program("strassen", strassen::run),
    program("transpose", transpose::run).racy(transpose::racy),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["list"] => PROGRAMS.iter().for_each(|program| println!("{}", program.line())),
        ["nothing", _] => {
            rayon::join(|| (), || ());
            println!("0");
        }
        [name, size] => return start(name, size, |program| Some(program.run)),
        [name, size, "racy"] => return start(name, size, |program| program.twin),
        _ => {
            eprintln!("usage: users NAME tiny|small [racy]\n       users list");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// Runs a program by its name, in the variant that is wanted.
fn start(name: &str, size: &str, variant: fn(&Program) -> Option<Run>) -> ExitCode {
    let run = PROGRAMS.iter().find(|program| program.name == name).and_then(variant);
    let (Some(run), Some(size)) = (run, Size::parse(size)) else {
        eprintln!("users: there is no program `{name}` of size `{size}`, or not in this variant");
        return ExitCode::FAILURE;
    };
    println!("{}", run(size));
    ExitCode::SUCCESS
}

#[cfg(test)]
mod tests {
    use rayon::{ThreadPool, ThreadPoolBuilder};

    use super::{PROGRAMS, Size};

    fn pool(threads: usize) -> ThreadPool {
        ThreadPoolBuilder::new().num_threads(threads).build().expect("there are threads")
    }

    #[test]
    fn check_values_do_not_depend_on_the_schedule() {
        let (one, many) = (pool(1), pool(4));
        for program in PROGRAMS {
            let value = one.install(|| (program.run)(Size::Tiny));
            for _ in 0..10 {
                let again = many.install(|| (program.run)(Size::Tiny));
                assert_eq!(again, value, "{}", program.name);
            }
        }
    }

    #[test]
    fn mistakes_do_not_crash() {
        let many = pool(4);
        for twin in PROGRAMS.iter().filter_map(|program| program.twin) {
            for _ in 0..10 {
                many.install(|| twin(Size::Tiny));
            }
        }
    }
}
