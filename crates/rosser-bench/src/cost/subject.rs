//! Who is measured: the detectors that can judge a trace, and the one that detects nothing.

use rosser_detect::DetectorKind;

use crate::trace::TraceKind;

/// A detector to be measured; none is the cost of making up the trace, which is in all other figures, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Subject(Option<DetectorKind>);

impl Subject {
    /// The one that detects nothing.
    pub const EMPTY: Self = Self(None);

    /// Everyone: those of papers, and ours.
    pub fn all() -> impl Iterator<Item = Self> {
        let detectors = DetectorKind::of_papers().chain([DetectorKind::Auto]);
        [Self::EMPTY].into_iter().chain(detectors.map(|kind| Self(Some(kind))))
    }

    /// Who has the given name.
    pub fn named(name: &str) -> Result<Self, String> {
        Self::all().find(|subject| subject.name() == name).ok_or_else(|| {
            let names: Vec<_> = Self::all().map(Self::name).collect();
            format!("it is one of {}", names.join(", "))
        })
    }

    /// The detector, if it is one.
    pub fn kind(self) -> Option<DetectorKind> {
        self.0
    }

    /// The name, as on the command line.
    pub fn name(self) -> &'static str {
        self.0.map_or("empty", DetectorKind::name)
    }

    /// Whether the trace is in the detector's class.
    pub fn admits(self, trace: TraceKind) -> bool {
        self.0.is_none_or(|kind| trace.constructs().iter().all(|construct| kind.admits(*construct)))
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::Subject;
    use crate::trace::TraceKind;

    #[test]
    fn names_are_those_of_the_command_line() {
        for subject in Subject::all() {
            assert_eq!(Subject::named(subject.name()), Ok(subject));
        }
        assert!(Subject::named("oracle").unwrap_err().ends_with(", auto"));
        for trace in TraceKind::ALL {
            assert_eq!(TraceKind::from_str(trace.name(), false), Ok(trace));
        }
    }

    #[test]
    fn classes_are_respected() {
        let admitted = |trace, names: [&str; 4]| {
            names.map(|name| Subject::named(name).is_ok_and(|subject| subject.admits(trace)))
        };
        let names = ["empty", "sp-bags", "esp-bags", "auto"];
        assert_eq!(admitted(TraceKind::SpawnTree, names), [true; 4]);
        assert_eq!(admitted(TraceKind::FinishWide, names), [true, false, true, true]);
        assert_eq!(admitted(TraceKind::Stages, names), [true, false, false, true]);
    }
}
