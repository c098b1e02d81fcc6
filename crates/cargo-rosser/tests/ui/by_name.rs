//! The programs of `examples/papers` and `examples/users`: one executable for each package that runs them by
//! name, each as it should be and with a bug.
//!
//! Lines that say `// race` are where a bug may show; which of them do is not told, but one has to, and
//! nothing else may. Lines that say `// order` are where a correct program lets the schedule decide.

use std::fs;

use serde_json::Value;

use crate::observe::Setting;

/// A program in one of its variants.
#[derive(Debug)]
pub struct Run {
    /// Which is also the name of the executable.
    package: &'static str,
    program: String,
    /// Whether it is the variant with a bug.
    racy: bool,
    /// What is to be found, if anything is.
    expected: Option<Class>,
}

/// A class of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Race,
    Order,
}

impl Class {
    /// Its name in reports, and what is at the end of lines where it may be found.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Race => ("data-race", "// race: "),
            Self::Order => ("order-dependent", "// order: "),
        }
    }
}

/// What the executable of a package lists.
pub fn runs(setting: &Setting, package: &'static str) -> Vec<Run> {
    let (code, _, said) = setting.start("list", package, &["list"]).expect("it runs");
    assert_eq!(code, Some(0), "there is no list:\n{said}");
    let mut runs = Vec::new();
    for line in said.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [program, _paper, notes @ ..] = &words[..] else { panic!("not understood: {line}") };
        let mut add = |racy, expected| {
            runs.push(Run { package, program: (*program).to_owned(), racy, expected });
        };
        for note in notes {
            match *note {
                "racy" => add(true, Some(Class::Race)),
                "disordered" => add(true, Some(Class::Order)),
                "order" => {}
                _ => panic!("not understood: {line}"),
            }
        }
        add(false, notes.contains(&"order").then_some(Class::Order));
    }
    assert!(!runs.is_empty(), "there are no programs");
    runs
}

/// Programs that are not admitted on several workers.
const REFUSED: &[&str] = &["health", "poisson", "sparselu", "strassen"];

impl Run {
    /// Whether it can be run on several workers.
    pub fn is_admitted_on_workers(&self) -> bool {
        !REFUSED.contains(&self.program.as_str())
    }

    /// A name of its own.
    pub fn name(&self) -> String {
        format!("{}{}", self.program, if self.racy { "-racy" } else { "" })
    }

    /// Runs the program and says what is not as it should be.
    pub fn differences(&self, setting: &Setting) -> Vec<String> {
        let variant = self.racy.then_some("racy");
        let arguments: Vec<&str> = [&self.program, "tiny"].into_iter().chain(variant).collect();
        let (code, report) = match setting.start(&self.name(), self.package, &arguments) {
            Ok((code, Ok(report), _)) => (code, report),
            Ok((_, Err(problem), said)) => return vec![problem, said],
            Err(problem) => return vec![problem],
        };
        let mut differences = Vec::new();
        let expected = if self.expected == Some(Class::Race) { 66 } else { 0 };
        if code != Some(expected) {
            differences.push(format!("exit code {code:?} instead of {expected}"));
        }
        let lines: Vec<Value> =
            report.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
        let (summary, findings): (Vec<&Value>, Vec<&Value>) =
            lines.iter().partition(|line| line["type"] == "summary");
        for finding in &findings {
            self.compare(setting, finding, &mut differences);
        }
        if findings.is_empty() && self.expected.is_some() {
            differences.push("nothing is found".to_owned());
        }
        for key in ["suppressed", "unfinished", "lost", "other_threads"] {
            if summary[0][key] != 0 {
                differences.push(format!("the summary has {} as {key}", summary[0][key]));
            }
        }
        if summary[0]["runs"][0]["state"] != "ended" {
            differences.push(format!("the run is {}", summary[0]["runs"][0]["state"]));
        }
        differences
    }

    /// Whether a finding is of the class, and at such lines, as the variant may have.
    fn compare(&self, setting: &Setting, finding: &Value, differences: &mut Vec<String>) {
        let Some((class, mark)) = self.expected.map(Class::names) else {
            return differences.push(format!("found: {finding}"));
        };
        if finding["class"] != class {
            differences.push(format!("found: {finding}"));
        }
        for access in ["first", "second"] {
            let place = &finding[access]["place"];
            let (file, line) = (place["file"].as_str(), place["line"].as_u64());
            let source = file.and_then(|file| fs::read_to_string(setting.package.join(file)).ok());
            // What the compiler has taken out of loops is of the line that begins the outermost.
            let text = source.as_deref().zip(line).and_then(|(source, line)| {
                let mut lines = source.lines().skip(usize::try_from(line).ok()?.checked_sub(1)?);
                lines.find(|line| !line.trim_start().starts_with("for "))
            });
            // What the compiler has made of several lines is of none, but still of the file.
            let text = if line.is_none() { source.as_deref() } else { text };
            if !text.is_some_and(|text| text.contains(mark)) {
                let function = &place["function"];
                differences
                    .push(format!("found where no mark is: {file:?}:{line:?} in {function}"));
            }
        }
    }
}
