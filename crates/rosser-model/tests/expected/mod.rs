//! The `//!` header of a program: what Rosser must say about it. The form is described in
//! docs/model-language.md, "Expected results in the example programs".

use std::collections::BTreeSet;
use std::path::Path;

use rosser_detect::{Class, Construct, DetectorKind};
use rosser_model::Source;

use crate::files;

/// A verdict, as in a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Clean,
    OrderDependent,
    Race,
    Error,
}

impl Verdict {
    fn parse(text: &str) -> Result<Self, String> {
        match text {
            "clean" => Ok(Self::Clean),
            "order-dependent" => Ok(Self::OrderDependent),
            "race" => Ok(Self::Race),
            "error" => Ok(Self::Error),
            _ => Err(format!("unknown verdict `{text}`")),
        }
    }

    /// The verdict that follows from the worst conflict of a run that did not fail.
    pub fn of(worst: Option<Class>) -> Self {
        match worst {
            None => Self::Clean,
            Some(Class::OrderDependent) => Self::OrderDependent,
            Some(Class::DataRace) => Self::Race,
        }
    }
}

/// Two lines that conflict on a variable.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Pair {
    pub variable: String,
    pub lines: (u32, u32),
    pub class: Class,
}

/// Everything a header says.
#[derive(Clone, Debug)]
pub struct Expected {
    pub verdict: Verdict,
    pub deadlock: bool,
    /// The exact pairs; empty if only locations are given.
    pub pairs: BTreeSet<Pair>,
    /// The racy locations where `race-on` gives them without lines.
    pub race_on: BTreeSet<String>,
    /// How many final states there are, and how many differ in more than what tasks loaded.
    pub finals: Option<(usize, usize)>,
    /// What the program uses.
    pub constructs: Vec<Construct>,
    /// Verdicts of single detectors that differ from the program's.
    pub overrides: Vec<(DetectorKind, Verdict)>,
}

impl Expected {
    /// Whether the program is in a detector's class.
    pub fn is_admitted_by(&self, detector: DetectorKind) -> bool {
        self.constructs.iter().all(|construct| detector.admits(*construct))
    }

    /// What a detector's own verdict must be.
    pub fn verdict_of(&self, detector: DetectorKind) -> Verdict {
        let own = self.overrides.iter().find(|(kind, _)| *kind == detector);
        own.map_or(self.verdict, |(_, verdict)| *verdict)
    }

    /// The names of all racy locations with the worst class of each.
    pub fn locations(&self) -> BTreeSet<(String, Class)> {
        let names: BTreeSet<&String> =
            self.pairs.iter().map(|pair| &pair.variable).chain(&self.race_on).collect();
        let worst = |name: &String| {
            let of_pairs = self.pairs.iter().filter(|pair| pair.variable == *name);
            let listed = self.race_on.contains(name).then_some(Class::DataRace);
            of_pairs.map(|pair| pair.class).chain(listed).max().expect("it is named somewhere")
        };
        names.into_iter().map(|name| (name.clone(), worst(name))).collect()
    }
}

/// Reads a header. Unknown keys, repeated keys, missing ones and contradictions are errors.
pub fn parse_header(text: &str) -> Result<Expected, String> {
    let mut title = None;
    let mut verdict = None;
    let mut deadlock = None;
    let mut finals = None;
    let mut constructs = None;
    let mut pairs = BTreeSet::new();
    let mut race_on = BTreeSet::new();
    let mut overrides = Vec::new();
    for line in text.lines().take_while(|line| line.starts_with("//!")) {
        let (key, value) =
            line["//!".len()..].split_once(':').ok_or_else(|| format!("`{line}` has no colon"))?;
        let (key, value) = (key.trim(), value.trim());
        if value.is_empty() {
            return Err(format!("`{key}` has no value"));
        }
        match key {
            "title" => once(&mut title, key, value.to_owned())?,
            "verdict" => once(&mut verdict, key, Verdict::parse(value)?)?,
            "deadlock" => once(&mut deadlock, key, value == "yes")?,
            "finals" => once(&mut finals, key, parse_finals(value)?)?,
            "constructs" => once(&mut constructs, key, parse_constructs(value)?)?,
            "race" => insert(&mut pairs, parse_pair(value, Class::DataRace)?)?,
            "order" => insert(&mut pairs, parse_pair(value, Class::OrderDependent)?)?,
            "race-on" => race_on.extend(value.split_whitespace().map(str::to_owned)),
            _ => match DetectorKind::named(key) {
                Some(kind) => overrides.push((kind, Verdict::parse(value)?)),
                None => return Err(format!("unknown key `{key}`")),
            },
        }
    }
    if text.lines().skip_while(|line| line.starts_with("//!")).any(|l| l.starts_with("//!")) {
        return Err("a `//!` line stands after the header".to_owned());
    }
    title.ok_or("no title")?;
    if deadlock == Some(false) {
        return Err("`deadlock` is `yes` or left out".to_owned());
    }
    let expected = Expected {
        verdict: verdict.ok_or("no verdict")?,
        deadlock: deadlock.is_some(),
        pairs,
        race_on,
        finals,
        constructs: constructs.ok_or("no constructs")?,
        overrides,
    };
    consistent(&expected)?;
    Ok(expected)
}

fn once<T>(slot: &mut Option<T>, key: &str, value: T) -> Result<(), String> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(format!("`{key}` stands twice")),
    }
}

fn insert(pairs: &mut BTreeSet<Pair>, pair: Pair) -> Result<(), String> {
    if pairs.contains(&pair) {
        return Err(format!("{pair:?} stands twice"));
    }
    pairs.insert(pair);
    Ok(())
}

fn parse_pair(value: &str, class: Class) -> Result<Pair, String> {
    let words: Vec<&str> = value.split_whitespace().collect();
    let [variable, first, second] = words[..] else {
        return Err(format!("`{value}` is not a variable and two lines"));
    };
    let line = |text: &str| text.parse::<u32>().map_err(|error| format!("`{value}`: {error}"));
    let lines = (line(first)?, line(second)?);
    if lines.0 > lines.1 {
        return Err(format!("`{value}`: the lines are not in ascending order"));
    }
    Ok(Pair { variable: variable.to_owned(), lines, class })
}

fn parse_finals(value: &str) -> Result<(usize, usize), String> {
    let number = |text: &str| text.parse::<usize>().map_err(|error| format!("finals: {error}"));
    match value.split_whitespace().collect::<Vec<_>>()[..] {
        [states, results] => {
            let (states, results) = (number(states)?, number(results)?);
            if (1..=states).contains(&results) {
                Ok((states, results))
            } else {
                Err(format!("finals: {results} of {states} is not possible"))
            }
        }
        _ => Err(format!("finals: `{value}` is not two numbers")),
    }
}

/// Names in the order of the list of constructs, or `none`.
fn parse_constructs(value: &str) -> Result<Vec<Construct>, String> {
    if value == "none" {
        return Ok(Vec::new());
    }
    let rank = |name: &str| {
        let found = Construct::ALL.iter().position(|construct| construct.name() == name);
        found.ok_or_else(|| format!("unknown construct `{name}`"))
    };
    let ranks = value.split_whitespace().map(rank).collect::<Result<Vec<_>, _>>()?;
    if !ranks.is_sorted_by(|a, b| a < b) {
        return Err(format!("`{value}` is not in the order of the list of constructs"));
    }
    Ok(ranks.into_iter().map(|rank| Construct::ALL[rank]).collect())
}

fn consistent(expected: &Expected) -> Result<(), String> {
    let worst = expected.locations().into_iter().map(|(_, class)| class).max();
    if expected.verdict != Verdict::Error && expected.verdict != Verdict::of(worst) {
        return Err(format!("verdict {:?} contradicts the conflicts", expected.verdict));
    }
    if !expected.race_on.is_empty() && !expected.pairs.is_empty() {
        return Err("`race-on` stands beside pairs".to_owned());
    }
    for (kind, verdict) in &expected.overrides {
        if !expected.is_admitted_by(*kind) || *verdict == expected.verdict {
            return Err(format!("`{}` overrides nothing", kind.name()));
        }
        if kind.knows_weak_order() {
            return Err(format!("`{}` has no verdict of its own", kind.name()));
        }
    }
    Ok(())
}

/// A program with its header.
pub struct Example {
    /// The path below its root, with `/`.
    pub name: String,
    pub source: Source,
    pub expected: Expected,
}

/// Every `.tp3` file below a directory, in order of name.
pub fn examples(root: &Path) -> Vec<Example> {
    files::below(root)
        .iter()
        .map(|path| {
            let below = path.strip_prefix(root).expect("it was found there");
            let name = below.to_string_lossy().replace('\\', "/");
            let bytes = std::fs::read(path).expect("it can be read");
            let source = Source::from_bytes(&name, bytes).expect("it is text");
            match parse_header(source.text()) {
                Ok(expected) => Example { name, source, expected },
                Err(problem) => panic!("the header of {name}: {problem}"),
            }
        })
        .collect()
}
