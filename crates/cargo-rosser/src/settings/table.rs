//! The settings, as one table: flags, environment variables, metadata keys, `--help` and
//! `docs/settings.md` all come from here.

use rosser_detect::DetectorKind;

/// What a setting's value may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Switch,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A whole number.
    Number,
    /// A whole number from the first to the second.
    Between(u64, u64),
    /// A path. In metadata it is relative to the manifest, elsewhere to the current directory.
    File,
    /// Several paths.
    Files,
    /// Several names.
    Words,
}

/// A setting, as all places in which it can be given have it.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its key in metadata; `--` and the key is its flag.
    pub name: &'static str,
    /// What it may be.
    pub kind: Kind,
    /// The value if nobody says otherwise, as it would be written in the environment; empty
    /// where there is none.
    pub default: &'static str,
    /// What to say about the default where the value alone does not say it.
    pub default_note: &'static str,
    /// One sentence without a full stop.
    pub help: &'static str,
}

impl Setting {
    /// The environment variable: `ROSSER_` and the name in capitals.
    pub fn variable(&self) -> String {
        format!("ROSSER_{}", self.name.to_uppercase().replace('-', "_"))
    }

    /// What separates the values of a list in the environment.
    pub fn separator(&self) -> Option<char> {
        match self.kind {
            Kind::Files => Some(':'),
            Kind::Words => Some(','),
            _ => None,
        }
    }

    /// What stands for the value in `--help`.
    pub fn placeholder(&self) -> &'static str {
        match self.kind {
            Kind::Switch => "BOOL",
            Kind::Choice(_) => "WORD",
            Kind::Number | Kind::Between(..) => "N",
            Kind::File | Kind::Files => "FILE",
            Kind::Words => "NAMES",
        }
    }

    /// The default for people.
    pub fn shown_default(&self) -> &'static str {
        if self.default_note.is_empty() { self.default } else { self.default_note }
    }
}

/// A setting with a plain default.
const fn setting(
    name: &'static str,
    kind: Kind,
    default: &'static str,
    help: &'static str,
) -> Setting {
    Setting { name, kind, default, default_note: "", help }
}

/// Every setting, in the order of the documentation.
pub const SETTINGS: &[Setting] = &[
    Setting {
        default_note: "fast for run, bench and build; quick for test and nextest",
        ..setting(
            "mode",
            Kind::Choice(&["fast", "quick"]),
            "",
            "Build for speed of the run (checks are inlined and taken out of loops) or of the build (they are calls)",
        )
    },
    Setting {
        default_note: "3 in fast mode, 2 in quick mode",
        ..setting(
            "opt-level",
            Kind::Choice(&["0", "1", "2", "3", "s", "z"]),
            "",
            "Optimisation level of the instrumented build, whatever the profile says",
        )
    },
    setting(
        "std",
        Kind::Choice(&["seen", "unseen"]),
        "seen",
        "Whether what the standard library's compiled part accesses is checked, too",
    ),
    setting(
        "grain",
        Kind::Choice(&["fine", "coarse"]),
        "fine",
        "Split parallel iterators down to single items, or as few threads would: faster, but \
         races between items of one piece are missed",
    ),
    setting(
        "items",
        Kind::Choice(&["loops", "tasks"]),
        "loops",
        "Tell the items of a parallel iterator apart in a few loops, or make each item a task of its own: \
         slower, and also sees a race at memory that one item has allocated and handed to the next",
    ),
    setting(
        "detector",
        Kind::Choice(&DetectorKind::PROGRAM_NAMES),
        DetectorKind::PROGRAM_NAMES[0],
        "Who judges accesses: Rosser's own engine, sf-order for several workers, or the algorithm of another \
         paper, which admits fewer constructs, is slower, and takes locks and atomics for no order; see \
         docs/detectors.md",
    ),
    setting(
        "workers",
        Kind::Between(1, 256),
        "1",
        "How many workers the tasks run on while they are checked; with more than one, the \
         detector is sf-order",
    ),
    setting(
        "fail-on",
        Kind::Choice(&["race", "order-dependent", "never"]),
        "race",
        "What makes the exit code 66",
    ),
    setting("strict", Kind::Switch, "false", "Short for --fail-on order-dependent"),
    setting(
        "suppressions",
        Kind::Files,
        "",
        "Files with patterns of findings that are not reported",
    ),
    setting(
        "builtin-suppressions",
        Kind::Switch,
        "true",
        "Whether the patterns that come with Rosser apply too",
    ),
    setting(
        "baseline",
        Kind::File,
        "",
        "Findings that are known and pass; written by `cargo rosser report --format baseline`",
    ),
    setting(
        "sync-crates",
        Kind::Words,
        "",
        "Crates whose functions synchronise: a finding is shown at their caller",
    ),
    setting(
        "uninstrumented",
        Kind::Words,
        "",
        "Crates that are compiled as they are, their C included; what they access is not checked",
    ),
    setting(
        "format",
        Kind::Choice(&["text", "json", "sarif", "github", "baseline"]),
        "text",
        "How the report is written",
    ),
    Setting {
        default_note: "standard error for text, standard output for the others",
        ..setting("output", Kind::File, "", "Where the report is written")
    },
    setting("max-findings", Kind::Number, "20", "How many findings the text shows; all count"),
    setting(
        "color",
        Kind::Choice(&["auto", "always", "never"]),
        "auto",
        "Colours; without this setting CARGO_TERM_COLOR and NO_COLOR decide",
    ),
    setting("doctests", Kind::Switch, "true", "Whether `cargo rosser test` checks doctests too"),
    setting(
        "stack-size",
        Kind::Between(1, 65_536),
        "256",
        "Stack of the program's threads in MiB; serial runs nest deeper than parallel ones",
    ),
];

/// The setting of that name.
pub fn find(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.name == name)
}
