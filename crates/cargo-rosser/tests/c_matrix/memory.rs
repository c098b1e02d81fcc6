//! Where the two values of a case are, and what its tasks do to them.

use crate::values::Value;

/// Where two neighbouring values are. The first task accesses the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// In an array that tasks name.
    Static,
    /// On the stack of whoever runs the case.
    Local,
    /// On the heap.
    Heap,
}

impl Memory {
    pub const ALL: [Self; 3] = [Self::Static, Self::Local, Self::Heap];

    pub fn name(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Local => "local",
            Self::Heap => "heap",
        }
    }

    /// What has to be declared outside of functions.
    pub fn outside(self, ty: &str) -> String {
        if self == Self::Static { format!("static {ty} memory_#[2];\n") } else { String::new() }
    }

    /// Declares the pointer `p` in a task whose argument is `arg`.
    pub fn in_task(self, ty: &str, arg: &str) -> String {
        let from = if self == Self::Static { "memory_#" } else { arg };
        format!("{ty} *p = {from};")
    }

    /// Declares `m` in the function that runs the case.
    pub fn in_run(self, ty: &str) -> String {
        match self {
            Self::Static => format!("{ty} *m = memory_#;"),
            Self::Local => format!("{ty} m[2] = {{}};"),
            Self::Heap => format!("{ty} *m = aligned_alloc(64, 128);"),
        }
    }

    /// Gives it back.
    pub fn end(self) -> &'static str {
        if self == Self::Heap { " free(m);" } else { "" }
    }
}

/// What a task does to a value.
#[derive(Clone, Copy, Debug)]
pub enum Access {
    Read,
    /// Reads it to pass it to a function.
    Pass,
    Write,
    /// Writes what a function returns.
    Return,
    Update,
    /// Reads or writes one byte: the last of the first value or, in the clean twin, the next one.
    ReadByte,
    WriteByte,
}

impl Access {
    /// Whether all compilers check it. Of a struct that is passed or returned in memory gcc does not tell.
    pub fn is_told(self, value: &Value) -> bool {
        !matches!(self, Self::Pass | Self::Return) || !value.is_struct()
    }

    /// Statements in one line that access `p[index]`.
    pub fn statement(self, value: &Value, index: usize) -> String {
        let Value { ty, new, .. } = value;
        let byte = format!("((char *)p)[sizeof({ty}) - 1 + {index}]");
        match self {
            Self::Read => format!("{{ {ty} seen = p[{index}]; use(&seen); }}"),
            Self::Pass => format!("take_{ty}(p[{index}]);"),
            Self::Write => format!("p[{index}] = {new};"),
            Self::Return => format!("p[{index}] = make_{ty}();"),
            Self::Update => value.update(&format!("p[{index}]")),
            Self::ReadByte => format!("{{ char seen = {byte}; use(&seen); }}"),
            Self::WriteByte => format!("{byte} = 1;"),
        }
    }
}

/// What the first task does, and the second.
pub const CONFLICTS: [(&str, Access, Access); 8] = [
    ("read_write", Access::Read, Access::Write),
    ("write_read", Access::Write, Access::Read),
    ("write_write", Access::Write, Access::Write),
    ("update_update", Access::Update, Access::Update),
    ("pass_return", Access::Pass, Access::Return),
    ("return_pass", Access::Return, Access::Pass),
    ("read_last_byte", Access::Read, Access::WriteByte),
    ("write_last_byte", Access::Write, Access::ReadByte),
];
