//! Calls of `par_bridge`, whose items were not checked against each other.
//!
//! The tasks of a bridge compete for the items of a serial iterator. In serial order the first one
//! takes them all, so that they are not parallel to each other in the run, although they are in
//! others. The competition itself is a conflict, inside of rayon, and tells that there was a bridge;
//! whether that conflict is reported, suppressed or no finding does not matter here.

use std::collections::BTreeSet;

use rosser_abi::names::synchronisation::PAR_BRIDGE;
use rustc_hash::FxHashMap;

use crate::finding::Finding;
use crate::frame::{Frame, Origin};
use crate::symbols::{AddressId, FrameTable};

/// The bridges met so far.
#[derive(Debug, Default)]
pub struct Bridges {
    places: BTreeSet<String>,
    /// Whether an address is in code of a bridge.
    known: FxHashMap<AddressId, bool>,
}

impl Bridges {
    /// Looks for a bridge on the second access's stack.
    pub fn note(&mut self, finding: &Finding, table: &FrameTable) {
        let is_bridge = |frame: &Frame| frame.is_in(PAR_BRIDGE);
        let mut stack = finding.stack.iter().enumerate();
        let inside = stack.find(|(_, address)| {
            let frames = || table.frames(**address).iter();
            *self.known.entry(**address).or_insert_with(|| frames().any(is_bridge))
        });
        let Some((index, _)) = inside else { return };
        let further_out = finding.stack[index..].iter().flat_map(|at| table.frames(*at));
        let caller = further_out
            .skip_while(|frame| !is_bridge(frame))
            .find(|frame| frame.origin == Origin::User);
        self.places.insert(caller.map_or_else(|| "an unknown place".to_owned(), Frame::at));
    }

    /// Where the user's calls are.
    pub fn into_places(self) -> Vec<String> {
        self.places.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Bridges;
    use crate::symbols::FrameTable;
    use crate::testing::{address, finding};

    fn places(stack: &[&[&str]]) -> Vec<String> {
        let mut table = FrameTable::default();
        let stack = stack.iter().map(|functions| address(&mut table, functions)).collect();
        let mut bridges = Bridges::default();
        bridges.note(&finding(stack), &table);
        bridges.into_places()
    }

    #[test]
    fn a_bridge_is_told_by_who_called_it() {
        let bridge: &[&str] = &["rayon::iter::par_bridge::IterParallelProducer::fold_with"];
        assert_eq!(
            places(&[&["app::f"], bridge, &["rayon_core::join"], &["app::g"]]),
            ["`app::g`"]
        );
        // A function that the iterator calls may be inlined, as may be the caller.
        assert_eq!(places(&[&["app::f", bridge[0], "app::g"], &["app::h"]]), ["`app::g`"]);
        assert_eq!(places(&[bridge]), ["an unknown place"]);
        assert_eq!(places(&[&["app::f"], &["rayon::iter::plumbing::bridge"]]), [""; 0]);
    }
}
