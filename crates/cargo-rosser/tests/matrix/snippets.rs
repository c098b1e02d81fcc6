//! Cases that are joins of two expressions given as text: one of them is what is looked at, the other accesses
//! a part of the same memory.

use crate::case::{Case, without_races};

/// An expression that accesses some of a buffer.
pub struct Snippet {
    pub name: String,
    /// Declares the buffer.
    pub before: String,
    pub expression: String,
    /// What the other task does to a part that the expression accesses, and to the next one that it does not.
    pub others: [String; 2],
    /// A feature of the processor that is needed.
    pub feature: Option<&'static str>,
}

impl Snippet {
    /// The expression before the other one and after it, with a conflict and without.
    pub fn cases(&self) -> Vec<Case> {
        let [racy, clean] = &self.others;
        let name = &self.name;
        vec![
            Case::new(format!("{name}/first/racy"), self.source(&self.expression, racy)),
            Case::new(format!("{name}/second/racy"), self.source(racy, &self.expression)),
            Case::new(
                format!("{name}/clean"),
                without_races(&self.source(&self.expression, clean)),
            ),
        ]
    }

    fn source(&self, first: &str, second: &str) -> String {
        let before = &self.before;
        let join = format!(
            "{before}\nlet seen = rayon::join(\n    || {first}, //~ race\n    || {second}, //~ race\n);\n\
             black_box(seen);\nblack_box(&buffer);"
        );
        match self.feature {
            None => join,
            Some(feature) => {
                let body = join.replace('\n', "\n    ");
                format!(
                    "#[target_feature(enable = \"{feature}\")]\nfn inner() {{\n    {body}\n}}\nunsafe {{ inner() }};"
                )
            }
        }
    }
}
