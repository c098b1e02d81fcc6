//! The programs that papers on race detection were judged by, each of which checks its own result.
//!
//! `papers list` names them. `papers NAME SIZE` runs one and prints its check value, which depends on
//! the size only, never on the schedule. `papers NAME SIZE racy` runs it with a bug, at lines that
//! say `// race`; then the result may be wrong. `papers nothing tiny` does nothing but join two tasks: what
//! it takes is the start of any program.

mod check;
mod drdp;
mod esp_bags;
mod nondeterminator;
mod random;
mod sf_order;
mod shared;
mod size;
mod tiled;

use std::process::ExitCode;

use check::Outcome;
use size::Size;

/// A program.
#[derive(Clone, Copy)]
struct Program {
    name: &'static str,
    paper: Paper,
    /// Runs it, with the bug or without.
    run: fn(Size, bool) -> Outcome,
    /// Whether there is a variant with a bug.
    racy: bool,
    /// Whether the correct program lets the schedule decide something that does not matter, at lines
    /// that say `// order`.
    order: bool,
}

#[derive(Clone, Copy)]
enum Paper {
    Nondeterminator,
    EspBags,
    Drdp,
    SfOrder,
}

impl Paper {
    fn name(self) -> &'static str {
        match self {
            Self::Nondeterminator => "nondeterminator",
            Self::EspBags => "esp-bags",
            Self::Drdp => "drdp",
            Self::SfOrder => "sf-order",
        }
    }
}

const fn program(name: &'static str, paper: Paper, run: fn(Size, bool) -> Outcome) -> Program {
    Program { name, paper, run, racy: true, order: false }
}

/// A program with findings of its own.
const fn with_order(program: Program) -> Program {
    Program { order: true, ..program }
}

const PROGRAMS: &[Program] = &[
    program("mmult", Paper::Nondeterminator, nondeterminator::mmult::run),
    program("lu", Paper::Nondeterminator, nondeterminator::lu::run),
    program("sparsky", Paper::Nondeterminator, nondeterminator::sparsky::run),
    program("hutch", Paper::Nondeterminator, nondeterminator::hutch::run),
    program("heat", Paper::Nondeterminator, nondeterminator::heat::run),
    program("fft", Paper::Nondeterminator, nondeterminator::fft::run),
    program("multisort", Paper::Nondeterminator, nondeterminator::multisort::run),
    with_order(program("knapsack", Paper::Nondeterminator, nondeterminator::knapsack::run)),
    program("nqueens", Paper::Nondeterminator, nondeterminator::nqueens::run),
    program("crypt", Paper::EspBags, esp_bags::crypt::run),
    program("lufact", Paper::EspBags, esp_bags::lufact::run),
    program("moldyn", Paper::EspBags, esp_bags::moldyn::run),
    program("montecarlo", Paper::EspBags, esp_bags::montecarlo::run),
    with_order(program("raytracer", Paper::EspBags, esp_bags::raytracer::run)),
    program("series", Paper::EspBags, esp_bags::series::run),
    program("sor", Paper::EspBags, esp_bags::sor::run),
    program("sparse", Paper::EspBags, esp_bags::sparse::run),
    program("fannkuch", Paper::EspBags, esp_bags::fannkuch::run),
    program("fasta", Paper::EspBags, esp_bags::fasta::run),
    program("mandelbrot", Paper::EspBags, esp_bags::mandelbrot::run),
    program("matmul", Paper::EspBags, esp_bags::matmul::run),
    program("health", Paper::Drdp, drdp::health::run),
    program("strassen", Paper::Drdp, drdp::strassen::run),
    program("sparselu", Paper::Drdp, drdp::sparselu::run),
    program("poisson", Paper::Drdp, drdp::poisson::run),
    program("mm", Paper::SfOrder, sf_order::mm::run),
    program("sort", Paper::SfOrder, sf_order::sort::run),
    program("sw", Paper::SfOrder, sf_order::sw::run),
    program("hw", Paper::SfOrder, sf_order::hw::run),
    program("ferret", Paper::SfOrder, sf_order::ferret::run),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["list"] => {
            for program in PROGRAMS {
                let racy = if program.racy { "racy" } else { "" };
                let order = if program.order { "order" } else { "" };
                let line = [program.name, program.paper.name(), racy, order].join(" ");
                println!("{}", line.split_whitespace().collect::<Vec<_>>().join(" "));
            }
            ExitCode::SUCCESS
        }
        ["nothing", _] => {
            rayon::join(|| (), || ());
            println!("0");
            ExitCode::SUCCESS
        }
        [name, size] => start(name, size, false),
        [name, size, "racy"] => start(name, size, true),
        _ => {
            eprintln!("usage: papers NAME tiny|small|paper [racy]\n       papers list");
            ExitCode::FAILURE
        }
    }
}

/// Runs a program by its name.
fn start(name: &str, size: &str, racy: bool) -> ExitCode {
    let program = PROGRAMS.iter().find(|program| program.name == name);
    let (Some(program), Some(size)) = (program, Size::parse(size)) else {
        eprintln!("papers: there is no program `{name}` of size `{size}`");
        return ExitCode::FAILURE;
    };
    if racy && !program.racy {
        eprintln!("papers: `{name}` has no variant with a bug");
        return ExitCode::FAILURE;
    }
    match (program.run)(size, racy) {
        Ok(value) => println!("{value}"),
        Err(problem) if racy => println!("wrong, as may be: {problem}"),
        Err(problem) => {
            eprintln!("papers: {name}: {problem}");
            return ExitCode::FAILURE;
        }
    }
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
            let value = one.install(|| (program.run)(Size::Tiny, false));
            assert!(value.is_ok(), "{}: {value:?}", program.name);
            for _ in 0..10 {
                let again = many.install(|| (program.run)(Size::Tiny, false));
                assert_eq!(again, value, "{}", program.name);
            }
        }
    }

    #[test]
    fn bugs_do_not_crash() {
        let many = pool(4);
        for program in PROGRAMS.iter().filter(|program| program.racy) {
            for _ in 0..10 {
                let _ = many.install(|| (program.run)(Size::Tiny, true));
            }
        }
    }
}
