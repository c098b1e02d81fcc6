//! How a case holds the memory that its tasks share, and how it reads and writes it.

use crate::values::Value;

/// Where the memory is, and what the closures capture of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// A `Cell` in a wrapper that is `Sync`, by reference.
    Cell,
    /// An `UnsafeCell` in such a wrapper, by reference.
    UnsafeCell,
    /// A reference to such a wrapper of an `UnsafeCell`, by value.
    Reference,
    /// A pointer to a local variable in a wrapper that is `Copy`, by reference.
    Pointer,
    /// The same, by value.
    Moved,
    /// A pointer to a block of the heap, by value.
    Heap,
    /// A reference to a block of the heap with a `Cell`, by value.
    Leaked,
    /// A static, which need not be captured.
    Static,
    /// A type of the case's own, with methods that have the accesses, by reference.
    Own,
}

/// What one task does to its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Read,
    Write,
    /// Reads, and writes something that depends on it.
    Update,
}

impl Memory {
    pub const ALL: [Self; 9] = [
        Self::Cell,
        Self::UnsafeCell,
        Self::Reference,
        Self::Pointer,
        Self::Moved,
        Self::Heap,
        Self::Leaked,
        Self::Static,
        Self::Own,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Cell => "cell",
            Self::UnsafeCell => "unsafe_cell",
            Self::Reference => "reference",
            Self::Pointer => "pointer",
            Self::Moved => "moved",
            Self::Heap => "heap",
            Self::Leaked => "leaked",
            Self::Static => "static",
            Self::Own => "own",
        }
    }

    /// True if the memory and what is captured of it live for ever.
    pub fn is_lasting(self) -> bool {
        matches!(self, Self::Heap | Self::Leaked | Self::Static)
    }

    /// What closures begin with.
    pub fn capture(self) -> &'static str {
        match self {
            Self::Cell | Self::UnsafeCell | Self::Pointer | Self::Own | Self::Static => "",
            Self::Reference | Self::Moved | Self::Heap | Self::Leaked => "move ",
        }
    }

    /// True if a closure that is `move` can be called many times.
    pub fn can_be_moved(self) -> bool {
        self == Self::Static || !self.capture().is_empty()
    }

    /// Declares a variable called `name`.
    pub fn declare(self, name: &str, value: &Value) -> String {
        let Value { ty, initial, .. } = value;
        match self {
            Self::Cell => format!("let {name} = Share(Cell::new({initial}));\n"),
            Self::UnsafeCell => format!("let {name} = Share(UnsafeCell::new({initial}));\n"),
            Self::Reference => format!("let {name} = &Share(UnsafeCell::new({initial}));\n"),
            Self::Pointer | Self::Moved => {
                format!("let mut {name}_ = {initial};\nlet {name} = Pointer(&raw mut {name}_);\n")
            }
            Self::Heap => format!("let {name} = Pointer(Box::leak(Box::new({initial})));\n"),
            Self::Leaked => {
                format!(
                    "let {name}: &'static _ = Box::leak(Box::new(Share(Cell::new({initial}))));\n"
                )
            }
            Self::Static => format!("static mut {}: {ty} = {initial};\n", name.to_uppercase()),
            Self::Own => format!("let {name} = Own(UnsafeCell::new({initial}));\n"),
        }
    }

    /// Declares sixteen neighbouring ones.
    pub fn declare_many(self, name: &str, value: &Value) -> String {
        let Value { ty, initial, .. } = value;
        let array = |cell| format!("std::array::from_fn::<_, 16, _>(|_| {cell}::new({initial}))");
        match self {
            Self::Cell => format!("let {name} = Share({});\n", array("Cell")),
            Self::UnsafeCell => format!("let {name} = Share({});\n", array("UnsafeCell")),
            Self::Reference => format!("let {name} = &Share({});\n", array("UnsafeCell")),
            Self::Pointer | Self::Moved => format!(
                "let mut {name}_ = [{initial}; 16];\nlet {name} = Pointer({name}_.as_mut_ptr());\n"
            ),
            Self::Heap => {
                format!("let {name} = Pointer(vec![{initial}; 16].leak().as_mut_ptr());\n")
            }
            Self::Leaked => {
                format!("let {name}: &'static _ = Box::leak(Box::new(Share({})));\n", array("Cell"))
            }
            Self::Static => {
                format!("static mut {}: [{ty}; 16] = [{initial}; 16];\n", name.to_uppercase())
            }
            Self::Own => format!(
                "let {name}: [Own; 16] = std::array::from_fn(|_| Own(UnsafeCell::new({initial})));\n"
            ),
        }
    }

    /// The type that [`Own`](Self::Own) needs. Each method is marked that has one of the accesses; a finding may
    /// name its line or that of the caller.
    pub fn types(self, value: &Value, accesses: &[Access]) -> String {
        if self != Self::Own {
            return String::new();
        }
        let Value { ty, .. } = value;
        let mark = |access| if accesses.contains(&access) { " //~ race" } else { "" };
        let read = format!("fn get(&self) -> {ty} {{ unsafe {{ *self.0.get() }} }}");
        let write = format!("fn set(&self, value: {ty}) {{ unsafe {{ *self.0.get() = value }} }}");
        let update = format!("fn bump(&self) {{ unsafe {{ {} }} }}", value.update("*self.0.get()"));
        format!(
            "struct Own(UnsafeCell<{ty}>);\nunsafe impl Sync for Own {{}}\nimpl Own {{\n    \
             {read}{}\n    {write}{}\n    {update}{}\n}}\n",
            mark(Access::Read),
            mark(Access::Write),
            mark(Access::Update)
        )
    }

    /// An expression for an access to the variable, or to the one at the index.
    pub fn access(
        self,
        access: Access,
        name: &str,
        index: Option<&str>,
        new: &str,
        value: &Value,
    ) -> String {
        let cell = match index {
            Some(index) => format!("{name}[{index}]"),
            None => name.to_owned(),
        };
        match self {
            Self::Cell | Self::Leaked => match access {
                Access::Read => format!("{cell}.get()"),
                Access::Write => format!("{cell}.set({new})"),
                Access::Update => format!("{cell}.set({})", value.next(&format!("{cell}.get()"))),
            },
            Self::Own => match access {
                Access::Read => format!("{cell}.get()"),
                Access::Write => format!("{cell}.set({new})"),
                Access::Update => format!("{cell}.bump()"),
            },
            _ => {
                let place = match (self, index) {
                    (Self::Static, _) => cell.replacen(name, &name.to_uppercase(), 1),
                    (Self::UnsafeCell | Self::Reference, _) | (_, None) => format!("*{cell}.get()"),
                    (_, Some(index)) => format!("*{name}.at({index})"),
                };
                match access {
                    Access::Read => format!("unsafe {{ {place} }}"),
                    Access::Write => format!("unsafe {{ {place} = {new} }}"),
                    Access::Update => format!("unsafe {{ {} }}", value.update(&place)),
                }
            }
        }
    }

    /// Lets the address escape once more, so that the last writes are not dead.
    pub fn use_of(self, name: &str) -> String {
        match self {
            Self::Pointer | Self::Moved => format!("black_box(&{name}_);\n"),
            Self::Static => format!("black_box(&raw const {});\n", name.to_uppercase()),
            _ => format!("black_box(&{name});\n"),
        }
    }
}

/// What two parallel tasks do to a place, in the order in which they are started.
#[derive(Clone, Copy, Debug)]
pub struct Conflict {
    pub name: &'static str,
    pub first: Access,
    pub second: Access,
}

impl Conflict {
    pub const ALL: [Self; 4] = [
        Self { name: "read_write", first: Access::Read, second: Access::Write },
        Self { name: "write_read", first: Access::Write, second: Access::Read },
        Self { name: "write_write", first: Access::Write, second: Access::Write },
        Self { name: "update_update", first: Access::Update, second: Access::Update },
    ];
}
