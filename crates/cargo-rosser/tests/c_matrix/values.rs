//! The types of the values that cases read and write: of every width up to 64 bytes.

use std::fmt::Write as _;

/// A type of C.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// Its name in C, in one word.
    pub ty: &'static str,
    /// What it is, with `@` for the name.
    declaration: &'static str,
    /// A value other than the first one.
    pub new: &'static str,
    /// An expression for a part that can be counted up, of `@`.
    part: &'static str,
}

const fn value(
    ty: &'static str,
    declaration: &'static str,
    new: &'static str,
    part: &'static str,
) -> Value {
    Value { ty, declaration, new, part }
}

pub const ALL: &[Value] = &[
    value("i8", "char @", "1", "@"),
    value("i16", "short @", "1", "@"),
    value("i32", "int @", "1", "@"),
    value("i64", "long @", "1", "@"),
    value("i128", "__int128 @", "1", "@"),
    value("f32", "float @", "1", "@"),
    value("f64", "double @", "1", "@"),
    value("boolean", "_Bool @", "1", "@"),
    value("pointer", "char *@", "\"\"", "@"),
    value("bytes3", "struct { char part[3]; } @", "(bytes3){{1, 2, 3}}", "@.part[0]"),
    value("bytes5", "struct { char part[5]; } @", "(bytes5){{1, 2, 3, 4, 5}}", "@.part[0]"),
    value("bytes7", "struct { char part[7]; } @", "(bytes7){{1, 2}}", "@.part[0]"),
    value("shorts3", "struct { short part[3]; } @", "(shorts3){{1, 2, 3}}", "@.part[0]"),
    value("ints3", "struct { int part[3]; } @", "(ints3){{1, 2, 3}}", "@.part[0]"),
    value("longs2", "struct { long part[2]; } @", "(longs2){{1, 2}}", "@.part[0]"),
    value("longs3", "struct { long part[3]; } @", "(longs3){{1, 2, 3}}", "@.part[0]"),
    value("bytes32", "struct { char part[32]; } @", "(bytes32){{1}}", "@.part[0]"),
    value("bytes48", "struct { char part[48]; } @", "(bytes48){{1}}", "@.part[0]"),
    value("longs8", "struct { long part[8]; } @", "(longs8){{1, 2}}", "@.part[0]"),
    value("vector8", "int @ __attribute__((vector_size(8)))", "(vector8){1}", "@[0]"),
    value("vector16", "int @ __attribute__((vector_size(16)))", "(vector16){1}", "@[0]"),
    value("vector32", "int @ __attribute__((vector_size(32)))", "(vector32){1}", "@[0]"),
    value("vector64", "int @ __attribute__((vector_size(64)))", "(vector64){1}", "@[0]"),
];

impl Value {
    pub fn is_struct(&self) -> bool {
        self.declaration.starts_with("struct")
    }

    /// A statement that changes a place by what is there.
    pub fn update(&self, place: &str) -> String {
        if self.part == "@" {
            return format!("{place} = {place} + 1;");
        }
        let (ty, part) = (self.ty, self.part.replace('@', "next"));
        format!("{{ {ty} next = {place}; {part}++; {place} = next; }}")
    }
}

/// All types, each with a function that takes a value and one that returns one.
pub fn declarations() -> String {
    let mut text = String::new();
    for Value { ty, declaration, new, .. } in ALL {
        let declaration = declaration.replace('@', ty);
        write!(
            text,
            "typedef {declaration};\n\
             static __attribute__((noinline)) void take_{ty}({ty} value) {{ use(&value); }}\n\
             static __attribute__((noinline)) {ty} make_{ty}(void) {{ {ty} made = {new}; use(&made); return made; }}\n"
        )
        .expect("strings grow");
    }
    text
}
