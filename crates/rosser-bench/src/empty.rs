//! A detector that detects nothing: what remains is the cost of making up the trace.

use std::hint::black_box;

use rosser_detect::{Access, Detail, Detector, DetectorKind, Event, Findings, LocId, SiteId};

/// Looks at everything and does nothing.
pub struct Empty {
    findings: Findings,
}

impl Empty {
    /// A detector that detects nothing.
    pub fn new(detail: Detail) -> Self {
        Self { findings: Findings::new(detail) }
    }
}

impl Detector for Empty {
    fn kind(&self) -> DetectorKind {
        // Nobody asks a detector of this binary for its kind, and core has no word for this one.
        DetectorKind::Oracle
    }

    fn event(&mut self, event: Event) {
        black_box(event);
    }

    #[inline]
    fn access(&mut self, location: LocId, access: Access, _site: SiteId) {
        black_box((location, access));
    }

    fn findings(&self) -> &Findings {
        &self.findings
    }

    fn stats(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }
}
