//! The first touch of a word by a step, when the answer is plain.
//!
//! Programs with many short steps live here: nearly every access is the first of its step to the
//! word. What there is to know is mostly seen by comparing ids with the thresholds of the
//! [present step](crate::serial::present), or by a look at the [verdicts](crate::serial::verdicts). An access
//! that these do not decide, that has a conflict or needs a record is left to [`crate::serial::history`], as if
//! nothing had happened.

use crate::serial::cell::{
    ACCESSOR_INEXACT, Cell, FREED, MANY, OTHER_WRITES, RECORD, THINNED, WRITER_INEXACT,
};
use crate::serial::judge::Judge;
use crate::serial::log::Id;
use crate::serial::present::Present;

impl Judge {
    /// The present step reads bytes: the other, a reader, is not needed for those any more if it precedes.
    /// Returns whether it is known if it does.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "this is the access path of the checked program")]
    fn drop_other(&self, cell: &mut Cell, bytes: u8) -> bool {
        if cell.other < self.strong.present.settled {
            cell.other_mask = 0;
        } else if cell.other_mask & bytes != 0 {
            match self.strong.known_parallel(cell.other) {
                Some(false) => cell.other_mask &= !bytes,
                Some(true) => {}
                None => return false,
            }
        }
        true
    }

    /// Whether a read by the present step need not be remembered: two readers are, and a third was not, which are
    /// parallel with it and with each other. Whatever is parallel with it is so with them.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "this is the access path of the checked program")]
    pub fn is_stood_in_for(&self, cell: &Cell) -> bool {
        let Present { parallel, serial, floor, every_reader, .. } = self.strong.present;
        cell.flags & !(ACCESSOR_INEXACT | WRITER_INEXACT) == THINNED
            && cell.accessor_mask & cell.other_mask == 0xff
            && every_reader == 0
            && cell.accessor >= parallel
            && cell.accessor < serial
            && cell.writer < floor
    }

    /// Leaves a read by the present step to those that stand in for it, if there are any.
    #[inline]
    pub fn leave_to_others(&mut self, cell: &Cell) -> bool {
        let may_be_left = self.strong.present.may_be_left > 0;
        self.strong.present.may_be_left -= u32::from(may_be_left);
        may_be_left && self.is_stood_in_for(cell)
    }

    /// Reads, if the answer is plain; `id` is that of the access in the present step.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "this is the access path of the checked program")]
    pub fn read_quickly(&self, cell: &mut Cell, bytes: u8, id: Id) -> bool {
        let at = &self.strong.present;
        let Cell { accessor, accessor_mask, other, other_mask, .. } = *cell;
        if cell.flags & (RECORD | MANY) != 0 {
            return cell.flags & MANY != 0 && self.read_among_many_quickly(cell, bytes, id);
        }
        if cell.writer_mask & bytes != 0 && !self.strong.surely_precedes(cell.writer) {
            return false;
        }
        let own = accessor >= at.base;
        let replaced = accessor < at.settled || cell.accessor_is_writer();
        if cell.flags & OTHER_WRITES != 0 {
            let kept = !own && !replaced;
            if kept && cell.has_written(at.base, bytes) {
                return true;
            }
            let left = || accessor_mask & !bytes & !cell.written_by_accessor();
            if other_mask & bytes != 0 && !self.strong.surely_precedes(other)
                || kept && !(self.strong.surely_precedes(accessor) && left() == 0)
            {
                return false;
            }
        } else if own {
            // Of bytes that both have read, the other has to be parallel with the accessor.
            if other_mask & accessor_mask == 0 && !self.drop_other(cell, bytes) {
                return false;
            }
        } else if replaced {
            if !self.drop_other(cell, bytes) {
                return false;
            }
        } else {
            match self.strong.known_parallel(accessor) {
                Some(true) if other_mask == 0 || other < at.settled => {
                    cell.set_other(accessor, accessor_mask, false);
                }
                // If the other is parallel with the accessor, it is so with the present step.
                Some(true) if accessor_mask & !other_mask == 0 && at.every_reader == 0 => {
                    cell.flags |= THINNED;
                }
                Some(true) if cell.writer < at.alike && self.may_stand_for(accessor, other) => {
                    cell.other_mask |= accessor_mask;
                    cell.flags |= THINNED;
                }
                Some(false) if self.drop_other(cell, bytes) => {
                    let kept = accessor_mask & !bytes;
                    if kept != 0 && cell.other_mask != 0 {
                        cell.other_mask = other_mask;
                        return false;
                    }
                    if kept != 0 {
                        cell.set_other(accessor, kept, false);
                    }
                }
                _ => return false,
            }
        }
        if own {
            cell.extend_accessor(id, bytes);
        } else {
            cell.set_accessor(id, bytes);
        }
        true
    }

    /// Writes, if the answer is plain; `id` is that of the access in the present step.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "this is the access path of the checked program")]
    pub fn write_quickly(&self, cell: &mut Cell, bytes: u8, id: Id) -> bool {
        let at = &self.strong.present;
        let precedes = |id: Id, mask: u8| mask & bytes == 0 || self.strong.surely_precedes(id);
        cell.flags & RECORD == 0
            && precedes(cell.writer, cell.writer_mask)
            && precedes(cell.accessor, cell.accessor_mask)
            && (if cell.flags & MANY == 0 {
                precedes(cell.other, cell.other_mask)
            } else {
                cell.accessor < at.settled || self.readers.precede(cell.other, at.base)
            })
            && self.note_write(cell, bytes, id)
    }

    /// Notes a write that has no conflict, or a data race, if there is room.
    #[inline]
    pub(crate) fn note_write(&self, cell: &mut Cell, bytes: u8, id: Id) -> bool {
        let may_stand_for = |one, other| self.may_stand_for(one, other);
        cell.note_write(&self.strong.present, may_stand_for, bytes, id)
    }

    /// Writes whole words as long as the thresholds alone say that everything precedes; words that the
    /// present step has written stay as they are if `kept`. Returns how many were written.
    pub fn overwrite(&self, cells: &mut [Cell], written: Cell, kept: bool) -> usize {
        let Present { floor, serial, base, .. } = self.strong.present;
        let between = serial.saturating_sub(floor);
        let precedes = |id: Id| id.wrapping_sub(floor) >= between;
        for (index, cell) in cells.iter_mut().enumerate() {
            if kept && cell.has_written(base, 0xff) {
                continue;
            }
            let plain = cell.flags & (RECORD | MANY) == 0
                && precedes(cell.writer)
                && precedes(cell.accessor)
                && precedes(cell.other);
            if !plain {
                return index;
            }
            *cell = written;
        }
        cells.len()
    }
}

impl Cell {
    /// Notes a write that has no conflict, or a data race, if there is room.
    #[inline]
    fn note_write(
        &mut self,
        at: &Present,
        may_stand_for: impl FnOnce(Id, Id) -> bool,
        bytes: u8,
        id: Id,
    ) -> bool {
        let Self { writer, writer_mask, accessor, accessor_mask, .. } = *self;
        let other = if self.flags & MANY == 0 { self.other } else { accessor };
        if bytes == 0xff || writer.max(accessor).max(other) < at.settled {
            *self = Self::written(id, bytes);
            return true;
        }
        let is_writer = self.accessor_is_writer();
        let other_left = if other < at.settled { 0 } else { self.other_mask & !bytes };
        if writer >= at.base {
            self.extend_writer(id, bytes);
            self.other_mask = other_left;
        } else {
            let left = writer_mask & !bytes;
            if left != 0 && writer >= at.settled {
                let other_left = other_left & !self.written_by_other();
                if other_left == 0 {
                    self.set_other(writer, left, true);
                } else if self.flags & OTHER_WRITES != 0
                    && (is_writer || accessor >= at.base)
                    && may_stand_for(writer, other)
                {
                    self.set_other(writer, left | other_left, true);
                } else {
                    return self.write_before_reader(at, bytes, id, left, other_left);
                }
            } else {
                self.other_mask = other_left;
            }
            self.set_writer(id, bytes);
        }
        if self.other_mask == 0 {
            self.flags &= !(OTHER_WRITES | MANY);
        }
        self.flags &= !FREED;
        let left = accessor_mask & !bytes;
        if accessor >= at.base {
            self.extend_accessor(id, bytes);
        } else if left == 0 || accessor < at.settled || is_writer {
            self.set_accessor(id, bytes);
        } else {
            self.accessor_mask = left;
        }
        true
    }

    /// As [`Self::note_write`], if bytes of the writer and of the other have to be kept. There is room if
    /// the other is a reader, and the present step has read nothing that it does not write now.
    fn write_before_reader(
        &mut self,
        at: &Present,
        bytes: u8,
        id: Id,
        writer_left: u8,
        other_left: u8,
    ) -> bool {
        let own_left = self.accessor_mask & !bytes;
        if self.flags & (OTHER_WRITES | MANY) != 0 || self.accessor < at.base || own_left != 0 {
            return false;
        }
        let (reader, thinned) = (self.other, self.flags & THINNED);
        self.set_other(self.writer, writer_left, true);
        self.set_writer(id, bytes);
        self.set_accessor(reader, other_left);
        self.flags &= !FREED;
        // Nobody knows where the other has read all its bytes.
        self.flags |= ACCESSOR_INEXACT | thinned;
        true
    }
}
