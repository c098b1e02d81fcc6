//! Task-parallel programs, each of which checks its own result.
//!
//! `kernels NAME SIZE` runs one and prints its check value, `kernels list` names them. The check
//! value depends on the size only, never on the schedule. `kernels nothing tiny` does nothing but join two
//! tasks: what it takes is the start of any program.

mod binary_trees;
mod fft;
mod fib;
mod floyd;
mod heat;
mod histogram;
mod kmeans;
mod knapsack;
mod life;
mod lu;
mod mandelbrot;
mod matmul;
mod matmul_blocks;
mod mergesort;
mod nqueens;
mod prefix;
mod quicksort;
mod random;
mod saxpy;
mod size;
mod spmv;
mod words;

use std::process::ExitCode;

use size::Size;

/// A program: its name, and what runs it and returns the check value.
type Kernel = (&'static str, fn(Size) -> u64);

const KERNELS: [Kernel; 20] = [
    ("matmul", matmul::run),
    ("matmul-blocks", matmul_blocks::run),
    ("heat", heat::run),
    ("mergesort", mergesort::run),
    ("quicksort", quicksort::run),
    ("nqueens", nqueens::run),
    ("fib", fib::run),
    ("mandelbrot", mandelbrot::run),
    ("spmv", spmv::run),
    ("lu", lu::run),
    ("fft", fft::run),
    ("knapsack", knapsack::run),
    ("histogram", histogram::run),
    ("kmeans", kmeans::run),
    ("words", words::run),
    ("prefix", prefix::run),
    ("floyd", floyd::run),
    ("binary-trees", binary_trees::run),
    ("saxpy", saxpy::run),
    ("life", life::run),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["list"] => KERNELS.iter().for_each(|(name, _)| println!("{name}")),
        ["nothing", _] => {
            rayon::join(|| (), || ());
            println!("0");
        }
        [name, size] => {
            let kernel = KERNELS.iter().find(|kernel| kernel.0 == name);
            let (Some((_, run)), Some(size)) = (kernel, Size::parse(size)) else {
                eprintln!("kernels: there is no program `{name}` of size `{size}`");
                return ExitCode::FAILURE;
            };
            println!("{}", run(size));
        }
        _ => {
            eprintln!("usage: kernels NAME tiny|small\n       kernels list");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

#[cfg(test)]
mod tests {
    use super::{KERNELS, Size};

    #[test]
    fn every_program_gives_its_check_value() {
        let values: Vec<(&str, u64)> =
            KERNELS.iter().map(|(name, run)| (*name, run(Size::Tiny))).collect();
        let expected = [
            ("matmul", 3_359),
            ("matmul-blocks", 65_387),
            ("heat", 29_108),
            ("mergesort", 43_162_445_198),
            ("quicksort", 98_387_614_181),
            ("nqueens", 4),
            ("fib", 987),
            ("mandelbrot", 26_228),
            ("spmv", 12_385_212_699_874_009_298),
            ("lu", 4_978),
            ("fft", 1_002),
            ("knapsack", 4_856),
            ("histogram", 5_153_522),
            ("kmeans", 1_887_801),
            ("words", 838_076_680),
            ("prefix", 2_055_108_220_504_977_541),
            ("floyd", 57_085),
            ("binary-trees", 4_094),
            ("saxpy", 3_814_624),
            ("life", 7_782),
        ];
        assert_eq!(values, expected);
    }
}
