//! Detectors by name, for runs of the model language.

use rosser_detect::oracle::Oracle;
use rosser_detect::{Detail, Detector, DetectorKind, registry};

use crate::auto::Auto;

/// A fresh detector of the given kind, which is one for the model, with its default settings.
pub fn build(kind: DetectorKind, detail: Detail) -> Box<dyn Detector> {
    if let Some(detector) = registry::build(kind, detail) {
        return detector;
    }
    match kind {
        DetectorKind::Auto => Box::new(Auto::new(detail)),
        DetectorKind::Oracle => Box::new(Oracle::new(detail)),
        other => unreachable!("{} judges programs alone", other.name()),
    }
}
