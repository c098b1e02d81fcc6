//! The command line.

/// What there is to say.
pub const HELP: &str = "\
--cases N       how many programs [1000]
--seed N        where the random numbers start [1]
--size N        about how many statements a program has [32]
--first N       the first case of the seed [0]
--program FILE  run this program, in the ways in which the cases are run
--structured    programs for several workers: no promises, futures that are got once
--verbose       name each case before it is run";

/// What to do.
#[derive(Clone, Debug)]
pub struct Options {
    pub cases: u64,
    pub seed: u64,
    pub size: usize,
    pub first: u64,
    /// The text of a program.
    pub program: Option<String>,
    pub verbose: bool,
    pub is_structured: bool,
}

impl Options {
    pub fn from_arguments(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            cases: 1000,
            seed: 1,
            size: 32,
            first: 0,
            program: None,
            verbose: false,
            is_structured: false,
        };
        while let Some(flag) = arguments.next() {
            if flag == "--verbose" {
                options.verbose = true;
                continue;
            }
            if flag == "--structured" {
                options.is_structured = true;
                continue;
            }
            if flag == "--program" {
                let file = arguments.next().ok_or("`--program` needs a file")?;
                let text =
                    std::fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"));
                options.program = Some(text?);
                continue;
            }
            let value = arguments.next().and_then(|value| value.parse::<u64>().ok());
            let value = value.ok_or_else(|| format!("`{flag}` needs a number"))?;
            match flag.as_str() {
                "--cases" => options.cases = value,
                "--seed" => options.seed = value,
                "--size" => options.size = value as usize,
                "--first" => options.first = value,
                _ => return Err(format!("there is no `{flag}`")),
            }
        }
        Ok(options)
    }
}
