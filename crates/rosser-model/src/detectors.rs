//! All detectors, by name.

use rosser_detect::oracle::Oracle;
use rosser_detect::papers::{Drdp, EspBags, SpBags};
use rosser_detect::{Detail, Detector, DetectorKind};

use crate::auto::Auto;

/// A fresh detector of the given kind with its default settings.
pub fn build(kind: DetectorKind, detail: Detail) -> Box<dyn Detector> {
    match kind {
        DetectorKind::Auto => Box::new(Auto::new(detail)),
        DetectorKind::SpBags => Box::new(SpBags::new(detail)),
        DetectorKind::EspBags => Box::new(EspBags::new(detail)),
        DetectorKind::Drdp => Box::new(Drdp::new(detail)),
        DetectorKind::Oracle => Box::new(Oracle::new(detail)),
    }
}
