//! Who is measured: the detectors of core, and the one that detects nothing.

use clap::ValueEnum;
use rosser_detect::DetectorKind;

use crate::trace::TraceKind;

/// A detector to be measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Subject {
    /// Nothing: the cost of making up the trace, which is in all other figures, too.
    Empty,
    /// Feng and Leiserson.
    SpBags,
    /// Raman et al.
    EspBags,
    /// Jin et al.
    Drdp,
    /// Our own.
    Auto,
}

impl Subject {
    /// Every subject, the empty one first.
    pub const ALL: [Self; 5] = [Self::Empty, Self::SpBags, Self::EspBags, Self::Drdp, Self::Auto];

    /// The detector in core, if it is one.
    fn kind(self) -> Option<DetectorKind> {
        match self {
            Self::Empty => None,
            Self::SpBags => Some(DetectorKind::SpBags),
            Self::EspBags => Some(DetectorKind::EspBags),
            Self::Drdp => Some(DetectorKind::Drdp),
            Self::Auto => Some(DetectorKind::Auto),
        }
    }

    /// The name, as on the command line.
    pub fn name(self) -> &'static str {
        self.kind().map_or("empty", DetectorKind::name)
    }

    /// Whether the trace is in the detector's class.
    pub fn admits(self, trace: TraceKind) -> bool {
        self.kind()
            .is_none_or(|kind| trace.constructs().iter().all(|construct| kind.admits(*construct)))
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::Subject;
    use crate::trace::TraceKind;

    #[test]
    fn names_are_those_of_the_command_line() {
        for subject in Subject::ALL {
            assert_eq!(Subject::from_str(subject.name(), false), Ok(subject));
        }
        for trace in TraceKind::ALL {
            assert_eq!(TraceKind::from_str(trace.name(), false), Ok(trace));
        }
    }

    #[test]
    fn classes_are_respected() {
        let admitted = |trace| Subject::ALL.map(|subject| subject.admits(trace));
        assert_eq!(admitted(TraceKind::SpawnTree), [true; 5]);
        assert_eq!(admitted(TraceKind::FinishWide), [true, false, true, true, true]);
        assert_eq!(admitted(TraceKind::Stages), [true, false, false, true, true]);
    }
}
