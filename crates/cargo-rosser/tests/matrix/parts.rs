//! Values of every width beside single bytes: the last byte of a value is part of it, the next one is not.

use crate::case::Case;
use crate::snippets::Snippet;
use crate::values;

pub fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    for value in values::all() {
        let (name, ty) = (value.name, value.ty);
        // Padding is accessed or not, as the compiler likes.
        if ["pair", "padded", "option"].contains(&name) {
            continue;
        }
        let before = format!(
            "let mut buffer = [{initial}; 2];\nlet p = Pointer(buffer.as_mut_ptr());\n\
             let (bytes, size) = (p.cast::<u8>(), size_of::<{ty}>());",
            initial = value.initial
        );
        let read = |at: &str| format!("unsafe {{ *bytes.at({at}) }}");
        let write = |at: &str| format!("unsafe {{ *bytes.at({at}) = 0 }}");
        let snippets = [
            ("read", "unsafe { *p.get() }".to_owned(), [write("size - 1"), write("size")]),
            (
                "write",
                format!("unsafe {{ *p.get() = {} }}", value.others[0]),
                [read("size - 1"), read("size")],
            ),
            (
                "update",
                format!("unsafe {{ {} }}", value.update("*p.get()")),
                [read("size - 1"), read("size")],
            ),
            (
                "move",
                "unsafe { *p.get() = black_box(*p.get()) }".to_owned(),
                [read("0"), read("size")],
            ),
        ];
        for (access, expression, others) in snippets {
            let name = format!("part/{name}/{access}");
            let before = before.clone();
            let snippet = Snippet { name, before, expression, others, feature: None };
            cases.extend(snippet.cases());
        }
    }
    cases
}
