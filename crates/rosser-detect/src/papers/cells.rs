//! The shadow space of a published algorithm: a cell for each location, made when the location is first accessed.

use crate::ids::LocId;

/// The cells of all locations.
#[derive(Debug, Default)]
pub(super) struct Cells<T>(Vec<T>);

impl<T: Clone + Default> Cells<T> {
    /// The cell of a location.
    #[inline]
    pub(super) fn at(&mut self, location: LocId) -> &mut T {
        if location.index() >= self.0.len() {
            self.0.resize(location.index() + 1, T::default());
        }
        &mut self.0[location.index()]
    }

    /// Forgets what a location was accessed by.
    pub(super) fn forget(&mut self, location: LocId) {
        if let Some(cell) = self.0.get_mut(location.index()) {
            *cell = T::default();
        }
    }

    /// A new location has the history of one that it was a part of.
    pub(super) fn split(&mut self, location: LocId, new: LocId) {
        *self.at(new) = self.at(location).clone();
    }

    /// The number of cells.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter()
    }
}
