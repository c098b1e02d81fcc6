//! A case: two tasks in C, and which of their lines take part in a data race.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::values;

/// Functions of a case, the last of which is called `run_#` and runs it. `#` stands for its number, and `//~ race` at
/// the end of a line says that the line takes part; `//~ may race`, that compilers may not tell of it.
#[derive(Clone, Debug)]
pub struct Case {
    pub name: String,
    pub source: String,
}

/// A case at its lines in a program.
#[derive(Debug)]
pub struct Placed {
    pub name: String,
    pub lines: Range<u64>,
    /// The lines that findings may name.
    pub race: BTreeSet<u64>,
    /// True if at least one finding has to.
    pub is_required: bool,
}

/// The cases of one program.
#[derive(Debug)]
pub struct Program {
    pub text: String,
    pub placed: Vec<Placed>,
}

/// What every program begins with. `use` lets nobody know what becomes of memory.
const HEADER: &str = "\
#include <stdlib.h>
#include <rosser.h>

static void use(const void *memory) { __asm__ volatile(\"\" : : \"r\"(memory) : \"memory\"); }
";

impl Program {
    pub fn new(cases: &[Case]) -> Self {
        let header = format!("{HEADER}{}", values::declarations());
        let mut lines: Vec<String> = header.lines().map(str::to_owned).collect();
        let mut placed = Vec::new();
        for (number, case) in cases.iter().enumerate() {
            lines.extend([String::new(), format!("/* {} */", case.name)]);
            let first = lines.len() as u64 + 1;
            let source = case.source.replace('#', &number.to_string());
            lines.extend(source.lines().map(str::to_owned));
            let range = first..lines.len() as u64 + 1;
            let is_marked = |line: &u64| lines[*line as usize - 1].contains("//~ ");
            let race = range.clone().filter(is_marked).collect();
            let is_required = source.contains("//~ race");
            placed.push(Placed { name: case.name.clone(), lines: range, race, is_required });
        }
        lines.push("\nint main(void)\n{".to_owned());
        lines.extend((0..cases.len()).map(|number| format!("    run_{number}();")));
        lines.push("    return 0;\n}\n".to_owned());
        Self { text: lines.join("\n"), placed }
    }
}

#[test]
fn marks_say_which_lines() {
    let case = Case { name: "x".to_owned(), source: "a_# //~ race\nb\nc //~ race".to_owned() };
    let program = Program::new(&[case.clone(), case]);
    let line = |number: u64| program.text.lines().nth(number as usize - 1).unwrap_or_default();
    let [first, second] = &program.placed[..] else { panic!("two cases") };
    assert_eq!(line(first.lines.start), "a_0 //~ race");
    assert_eq!(line(second.lines.start), "a_1 //~ race");
    assert!(second.is_required);
    assert_eq!(second.race, BTreeSet::from([second.lines.start, second.lines.start + 2]));
}
