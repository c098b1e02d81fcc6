//! Settings: one table, four places where they can be given, one resolved value each.
//!
//! Flags come before the environment, the environment before `[package.metadata.rosser]`, that
//! before `[workspace.metadata.rosser]`, and the table's default is last. The first place that
//! has a setting decides alone: lists are not joined.

#[cfg(test)]
mod document;
mod layer;
mod suggest;
mod table;

use std::path::PathBuf;

use rosser_detect::DetectorKind;

pub use layer::Layer;
pub use table::{Kind, SETTINGS, Setting};

use crate::error::{Error, Result};

/// How the project is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Checks are inlined and taken out of loops.
    Fast,
    /// Checks are calls of the runtime: quicker to build, slower to run.
    Quick,
}

impl Mode {
    /// Every mode, the fast one first.
    pub const ALL: [Self; 2] = [Self::Fast, Self::Quick];

    /// The word for it, which is also the name of its directory.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Quick => "quick",
        }
    }
}

/// What makes the exit code 66.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailOn {
    /// Data races only.
    Race,
    /// Data races and order-dependences.
    OrderDependent,
    /// No finding: the exit code is the program's own.
    Never,
}

/// How the report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Source excerpts with underlined places, for people.
    Text,
    /// One JSON object per line: `docs/findings-json.md`.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// Annotations for GitHub.
    Github,
    /// A file that makes the findings in it pass from then on.
    Baseline,
}

/// What holds for one call of the command, whoever has said so.
#[derive(Clone, Debug)]
pub struct Settings {
    /// `mode`, if it was given.
    pub mode: Option<Mode>,
    /// `opt-level`, if it was given.
    pub opt_level: Option<String>,
    /// `std`
    pub is_std_seen: bool,
    /// `grain`
    pub grain: String,
    /// `items`
    pub items: String,
    /// `detector`; one for several workers, if there are.
    pub detector: DetectorKind,
    /// `workers`
    pub workers: u64,
    /// `fail-on`, or what `strict` makes of it.
    pub fail_on: FailOn,
    /// `suppressions`
    pub suppressions: Vec<PathBuf>,
    /// `builtin-suppressions`
    pub builtin_suppressions: bool,
    /// `baseline`
    pub baseline: Option<PathBuf>,
    /// `sync-crates`
    pub sync_crates: Vec<String>,
    /// `uninstrumented`
    pub uninstrumented: Vec<String>,
    /// `format`
    pub format: Format,
    /// `output`
    pub output: Option<PathBuf>,
    /// `max-findings`
    pub max_findings: usize,
    /// `color`; nothing if it is to be found out.
    pub color: Option<bool>,
    /// `doctests`
    pub doctests: bool,
    /// `stack-size`, in bytes.
    pub stack_size: u64,
}

impl Settings {
    /// Takes each setting from the first layer that has it.
    pub fn resolve(layers: &[Layer]) -> Result<Self> {
        let values = Values { layers };
        let strict = values.switch("strict");
        let workers = values.number("workers")?;
        Ok(Self {
            mode: match values.one("mode").as_str() {
                "" => None,
                "quick" => Some(Mode::Quick),
                _ => Some(Mode::Fast),
            },
            opt_level: Some(values.one("opt-level")).filter(|level| !level.is_empty()),
            is_std_seen: values.one("std") == "seen",
            grain: values.one("grain"),
            items: values.one("items"),
            detector: detector(&values.one("detector"), workers)?,
            workers,
            fail_on: match values.one("fail-on").as_str() {
                "order-dependent" => FailOn::OrderDependent,
                "never" => FailOn::Never,
                _ if strict => FailOn::OrderDependent,
                _ => FailOn::Race,
            },
            suppressions: values.many("suppressions").into_iter().map(PathBuf::from).collect(),
            builtin_suppressions: values.switch("builtin-suppressions"),
            baseline: values.many("baseline").pop().map(PathBuf::from),
            sync_crates: values.many("sync-crates"),
            uninstrumented: values.many("uninstrumented"),
            format: match values.one("format").as_str() {
                "json" => Format::Json,
                "sarif" => Format::Sarif,
                "github" => Format::Github,
                "baseline" => Format::Baseline,
                _ => Format::Text,
            },
            output: values.many("output").pop().map(PathBuf::from),
            max_findings: usize::try_from(values.number("max-findings")?).unwrap_or(usize::MAX),
            color: match values.one("color").as_str() {
                "always" => Some(true),
                "never" => Some(false),
                _ => None,
            },
            doctests: values.switch("doctests"),
            stack_size: values.number("stack-size")?.saturating_mul(1 << 20),
        })
    }

    /// Whether programs get the runtime for several workers, which can do with one as well.
    pub fn has_workers(&self) -> bool {
        self.detector.needs_workers()
    }
}

/// The detector for that many workers, if the chosen one can have them.
fn detector(chosen: &str, workers: u64) -> Result<DetectorKind> {
    let chosen = DetectorKind::named(chosen).expect("the table has these names alone");
    match chosen {
        _ if workers == 1 => Ok(chosen),
        DetectorKind::Auto | DetectorKind::SfOrder => Ok(DetectorKind::SfOrder),
        _ => Err(Error::usage(format!(
            "the detector {} checks on one worker only, not on {workers}: leave out \
             `--workers`, or choose `--detector {}`",
            chosen.name(),
            DetectorKind::SfOrder.name()
        ))),
    }
}

/// The values that the layers give, the decisive layer first.
struct Values<'a> {
    layers: &'a [Layer],
}

impl Values<'_> {
    /// All values of a setting, the default included.
    fn many(&self, name: &str) -> Vec<String> {
        if let Some(values) = self.layers.iter().find_map(|layer| layer.get(name)) {
            return values.to_vec();
        }
        let default = table::find(name).expect("only names of the table are asked for").default;
        if default.is_empty() { Vec::new() } else { vec![default.to_owned()] }
    }

    /// The value of a setting that has one, or nothing.
    fn one(&self, name: &str) -> String {
        self.many(name).pop().unwrap_or_default()
    }

    fn switch(&self, name: &str) -> bool {
        self.one(name) == "true"
    }

    fn number(&self, name: &str) -> Result<u64> {
        let text = self.one(name);
        text.parse().map_err(|_| Error::usage(format!("{name} is too large: {text}")))
    }
}

#[cfg(test)]
mod tests;
