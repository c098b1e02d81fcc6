//! Typed 32-bit ids. No bare integer crosses a module boundary.
//!
//! Ids are dense: the first task is 0, the next 1, so that every table keyed by an id is a plain
//! vector. Thirty-two bits bound a run to about four billion of each kind, which keeps the access
//! history small; running out is a clear panic, not a silent wrap.

/// Declares an id type with its dense-index conversions.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The id with the given dense index.
            ///
            /// # Panics
            /// When the index does not fit in 32 bits.
            #[inline]
            pub fn from_index(index: usize) -> Self {
                match u32::try_from(index) {
                    Ok(raw) if raw != u32::MAX => Self(raw),
                    _ => out_of_ids(stringify!($name)),
                }
            }

            /// The dense index of this id.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

#[cold]
#[inline(never)]
fn out_of_ids(kind: &str) -> ! {
    panic!("this run needs more than 2^32 - 1 values of {kind}; check a smaller input");
}

id!(
    /// One async, spawn or future body, or the main program (always task 0).
    TaskId
);
id!(
    /// A maximal run of a task's instructions with no task event in it.
    StepId
);
id!(
    /// A single-assignment synchronisation cell; a future has one that its task sets at its end.
    PromiseId
);
id!(
    /// A mutual-exclusion lock; `isolated` is lock [`LockId::ISOLATED`].
    LockId
);
id!(
    /// One signal of a counting semaphore, named so that the wait it satisfied can point at it.
    TokenId
);
id!(
    /// A shared memory location.
    LocId
);
id!(
    /// A place in the checked program's source.
    SiteId
);

impl TaskId {
    /// The task that runs the main program.
    pub const MAIN: Self = Self(0);
}

impl LockId {
    /// The one lock behind every `isolated` section.
    pub const ISOLATED: Self = Self(0);
}

#[cfg(test)]
mod tests {
    use super::TaskId;

    #[test]
    fn index_round_trips() {
        assert_eq!(TaskId::from_index(7).index(), 7);
    }

    #[test]
    #[should_panic(expected = "more than 2^32 - 1 values of TaskId")]
    fn running_out_is_said_clearly() {
        let _ = TaskId::from_index(u32::MAX as usize);
    }
}
