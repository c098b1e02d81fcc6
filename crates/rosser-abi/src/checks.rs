//! The kinds of checks and boundaries that a program is made to tell the detector of.
//!
//! A test has a program go without one kind, by the variable [`LEAVE_OUT`], and must notice. The program says in
//! its run file what was left out, so that no such run is taken for a check.

/// The variable that names a kind to be left out: of the crate that is being linked, or of the run.
pub const LEAVE_OUT: &str = "ROSSER_LEAVE_OUT";

/// In the memory order that an atomic update is told with: nothing in the program uses the value that the update has
/// found. Compilers set neither this bit nor [`OLD_VALUE_USED`].
pub const OLD_VALUE_UNUSED: i32 = 1 << 24;
/// In the memory order that an atomic update is told with: something uses the value that the update has found.
pub const OLD_VALUE_USED: i32 = 1 << 25;

macro_rules! kinds {
    ($($kind:ident: $name:literal,)*) => {
        /// A kind of checks or boundaries.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Kind {
            $(#[doc = $name] $kind,)*
        }

        impl Kind {
            /// All kinds.
            pub const ALL: &[Self] = &[$(Self::$kind,)*];

            /// What it is called: by whoever leaves it out, and in the verdict.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }
        }
    };
}

kinds! {
    Load: "loads",
    Store: "stores",
    CopySource: "sources of copies",
    CopyDestination: "destinations of copies",
    Fill: "fills",
    Comparison: "comparisons of memory",
    CopiedArgument: "arguments passed as copies",
    Read1: "reads of 1 byte",
    Read2: "reads of 2 bytes",
    Read4: "reads of 4 bytes",
    Read8: "reads of 8 bytes",
    Read16: "reads of 16 bytes",
    ReadOther: "reads of 3, 5, 6 or 7 bytes",
    ReadUnaligned: "reads that may cross words",
    ReadRange: "reads of ranges",
    Write1: "writes of 1 byte",
    Write2: "writes of 2 bytes",
    Write4: "writes of 4 bytes",
    Write8: "writes of 8 bytes",
    Write16: "writes of 16 bytes",
    WriteOther: "writes of 3, 5, 6 or 7 bytes",
    WriteUnaligned: "writes that may cross words",
    WriteRange: "writes of ranges",
    LoopExit: "ranges that loops leave behind",
    Row: "rows of neighbouring accesses",
    AtomicLoad: "atomic loads",
    AtomicStore: "atomic stores",
    AtomicUpdate: "atomic updates",
    CompareExchange: "atomic compare-and-exchange operations",
    Fence: "fences",
    VectorLoad: "unaligned loads of vectors",
    MaskedLoad: "masked loads",
    MaskedStore: "masked stores",
    MaskedMove: "masked moves of bytes",
    Gather: "gathering loads",
    Scatter: "scattering stores",
    ExpandingLoad: "expanding loads",
    CompressingStore: "compressing stores",
    StreamingLoad: "streaming loads",
    StreamingStore: "streaming stores",
    Allocation: "allocations",
    Deallocation: "deallocations",
    Reallocation: "reallocations",
    Hidden: "functions while which nothing is seen",
    LibraryCall: "calls of the C library",
    Join: "joins",
    Spawn: "spawned tasks",
    ScopeEnd: "ends of scopes",
    PromiseSet: "promises that are set",
    PromiseGet: "promises that are got",
    Isolated: "isolated sections",
}

const _: () = assert!(Kind::ALL.len() <= 64);

impl Kind {
    /// The kind of that name.
    pub fn named(name: &[u8]) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name().as_bytes() == name)
    }

    /// The kind of that number.
    pub fn numbered(number: u32) -> Option<Self> {
        Self::ALL.get(number as usize).copied()
    }

    /// The number that stands for it, in the order of [`Kind::ALL`].
    pub fn number(self) -> u32 {
        self as u32
    }

    /// The bit that stands for it.
    pub fn bit(self) -> u64 {
        1 << self.number()
    }

    /// Whether the runtime leaves it out, and not the stage that puts checks in.
    pub fn is_of_runtime(self) -> bool {
        matches!(
            self,
            Self::LibraryCall
                | Self::Join
                | Self::Spawn
                | Self::ScopeEnd
                | Self::PromiseSet
                | Self::PromiseGet
                | Self::Isolated
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Kind;

    #[test]
    fn names_and_numbers_are_those_of_one_kind() {
        for kind in Kind::ALL {
            assert_eq!(Kind::named(kind.name().as_bytes()), Some(*kind));
            assert_eq!(Kind::numbered(kind.number()), Some(*kind));
        }
        assert_eq!(Kind::named(b""), None);
        assert_eq!(Kind::numbered(64), None);
    }
}
