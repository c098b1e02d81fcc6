//! The command line.

/// What there is to say.
pub const HELP: &str = "\
--cases N   how many programs [1000]
--seed N    where the random numbers start [1]
--size N    about how many statements a program has at the most, if it is not a large one [24]
--first N   the first case of the seed [0]
--repeat N  how often each program is run [1]
--show      print each program before it is run";

/// What to do.
#[derive(Clone, Debug)]
pub struct Options {
    pub cases: u64,
    pub seed: u64,
    pub size: u64,
    pub first: u64,
    pub repeat: u64,
    pub show: bool,
}

impl Options {
    pub fn from_arguments(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self { cases: 1000, seed: 1, size: 24, first: 0, repeat: 1, show: false };
        while let Some(flag) = arguments.next() {
            let number = match flag.as_str() {
                "--cases" => &mut options.cases,
                "--seed" => &mut options.seed,
                "--size" => &mut options.size,
                "--first" => &mut options.first,
                "--repeat" => &mut options.repeat,
                "--show" => {
                    options.show = true;
                    continue;
                }
                _ => return Err(format!("there is no `{flag}`")),
            };
            let value = arguments.next().and_then(|value| value.parse().ok());
            *number = value.ok_or_else(|| format!("`{flag}` needs a number"))?;
        }
        Ok(options)
    }
}
