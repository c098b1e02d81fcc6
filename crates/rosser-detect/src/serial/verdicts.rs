//! What has been found out about single ids at the present step.
//!
//! The ranges of [`crate::serial::quick`] decide most questions, but they are few. A step that goes through
//! memory which many tasks have touched asks about many ids, each again and again; to search the order
//! every time would cost more than everything else. So the answers are kept here, each where its id
//! says, with a stamp: when answers may change, a new stamp makes all of them void at once.

use crate::serial::log::Id;

/// One answer.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Verdict {
    /// The access.
    pub id: Id,
    /// The stamp of when it was asked for; one more if it is parallel with the present step.
    pub stamp: u32,
}

/// The answers.
#[derive(Debug)]
#[repr(C)]
pub struct Verdicts {
    /// Even, and that of all answers which are good.
    pub stamp: u32,
    /// No good answer is about a later access.
    highest: Id,
    /// The answers.
    pub answers: [Verdict; Self::LEN],
}

impl Verdicts {
    /// How many there are at most.
    pub const LEN: usize = 1024;

    pub(crate) const fn new() -> Self {
        Self { stamp: 2, highest: 0, answers: [Verdict { id: 0, stamp: 0 }; Self::LEN] }
    }

    /// Whether the access is parallel with the present step, if that is known.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "this is the access path of the checked program")]
    pub(crate) fn get(&self, id: Id) -> Option<bool> {
        let verdict = self.answers[id as usize % Self::LEN];
        (verdict.id == id && verdict.stamp | 1 == self.stamp | 1).then_some(verdict.stamp & 1 != 0)
    }

    #[inline]
    pub(crate) fn set(&mut self, id: Id, parallel: bool) {
        let stamp = self.stamp | u32::from(parallel);
        self.answers[id as usize % Self::LEN] = Verdict { id, stamp };
        self.highest = self.highest.max(id);
    }

    /// Accesses from this one on may be parallel that were not, or the other way round.
    #[inline]
    pub(crate) fn forget(&mut self, from: Id) {
        if from <= self.highest {
            self.highest = 0;
            self.stamp = self.stamp.wrapping_add(2);
            if self.stamp == 0 {
                *self = Self::new();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Verdicts;

    #[test]
    fn answers_are_good_until_they_may_change() {
        let mut verdicts = Verdicts::new();
        assert_eq!(verdicts.get(0), None);
        verdicts.set(5, true);
        verdicts.set(6, false);
        let other = 5 + Verdicts::LEN as u32;
        assert_eq!(
            [5, 6, 7, other].map(|id| verdicts.get(id)),
            [Some(true), Some(false), None, None]
        );
        verdicts.forget(7);
        assert_eq!([5, 6].map(|id| verdicts.get(id)), [Some(true), Some(false)]);
        verdicts.forget(6);
        assert_eq!([5, 6].map(|id| verdicts.get(id)), [None, None]);
        verdicts.set(other, false);
        assert_eq!([5, other].map(|id| verdicts.get(id)), [None, Some(false)]);
    }

    #[test]
    fn old_answers_do_not_come_back_when_stamps_start_over() {
        let mut verdicts = Verdicts::new();
        verdicts.set(5, true);
        verdicts.forget(0);
        verdicts.stamp = 0_u32.wrapping_sub(2);
        verdicts.set(9, true);
        verdicts.forget(0);
        assert_eq!([5, 9].map(|id| verdicts.get(id)), [None, None]);
    }
}
