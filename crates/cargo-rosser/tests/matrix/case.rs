//! A case of the matrix: a few lines of Rust, and what must be found in them.
//!
//! Marks at the end of a line say what to expect of it: `//~ race` and `//~ order`, if accesses of the line
//! take part in a data race or an order-dependent conflict. After `may`, the conflict is found in some
//! schedules only, and need not be.

use std::collections::BTreeSet;
use std::ops::Range;

/// The body of a function, with marks.
#[derive(Debug)]
pub struct Case {
    pub name: String,
    pub source: String,
}

impl Case {
    pub fn new(name: String, source: String) -> Self {
        Self { name, source }
    }
}

/// The same lines without the marks of data races: what a clean twin expects.
pub fn without_races(source: &str) -> String {
    source
        .replace(" //~ race, ", " //~ ")
        .replace(" //~ race", "")
        .replace("//~ may race, ", "//~ ")
        .replace(" //~ may race", "")
}

/// The cases of one program.
#[derive(Debug)]
pub struct Group {
    pub name: String,
    pub cases: Vec<Case>,
    /// What the program has beside its cases.
    pub items: &'static str,
    /// False if the program has constructs that are not admitted on several workers.
    pub runs_on_workers: bool,
}

impl Group {
    /// One program of some cases of every group, which runs on one worker or on several. `steps` says of a group
    /// which fraction of its cases is taken: one of so many.
    pub fn sample(name: &str, groups: Vec<Self>, steps: impl Fn(&str) -> usize) -> Self {
        let mut cases = Vec::new();
        for group in groups.into_iter().filter(|group| group.runs_on_workers) {
            for case in group.cases.into_iter().step_by(steps(&group.name)) {
                cases.push(Case { name: format!("{}/{}", group.name, case.name), ..case });
            }
        }
        Self { name: name.to_owned(), cases, items: "", runs_on_workers: true }
    }

    /// The source of the program, and where in it each case is.
    pub fn program(&self) -> (String, Vec<Placed<'_>>) {
        let header = HEADER.lines().chain(self.items.lines());
        let mut lines: Vec<String> = header.map(str::to_owned).collect();
        let mut placed = Vec::new();
        for (number, case) in self.cases.iter().enumerate() {
            let head =
                [String::new(), format!("// {}", case.name), format!("fn case_{number}() {{")];
            lines.extend(head);
            placed.push(Placed::new(case, lines.len() as u64 + 1));
            lines.extend(case.source.lines().map(|line| format!("    {line}")));
            lines.push("}".to_owned());
        }
        lines.push("\nfn main() {".to_owned());
        lines.extend((0..self.cases.len()).map(|number| format!("    case_{number}();")));
        lines.push("}\n".to_owned());
        (lines.join("\n"), placed)
    }
}

/// What every program begins with.
const HEADER: &str = "\
#![allow(warnings, static_mut_refs)]

use std::cell::{Cell, UnsafeCell};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{self, Ordering};

use matrix::{Aligned, Done, Padded, Pointer, Share, items, many_items, pool};
use rayon::iter::Either;
use rayon::prelude::*;
";

/// A case at its lines in a program.
#[derive(Debug)]
pub struct Placed<'a> {
    pub case: &'a Case,
    pub lines: Range<u64>,
    pub race: Marked,
    pub order: Marked,
}

/// The lines that a class of findings may name.
#[derive(Debug, Default)]
pub struct Marked {
    pub lines: BTreeSet<u64>,
    /// True if at least one finding has to.
    pub is_required: bool,
}

impl<'a> Placed<'a> {
    fn new(case: &'a Case, first: u64) -> Self {
        let end = first + case.source.lines().count() as u64;
        let mut placed =
            Self { case, lines: first..end, race: Marked::default(), order: Marked::default() };
        for (line, text) in (first..).zip(case.source.lines()) {
            let Some((_, marks)) = text.split_once("//~ ") else { continue };
            for mark in marks.split(", ") {
                let (class, is_required) = match mark.strip_prefix("may ") {
                    Some(class) => (class, false),
                    None => (mark, true),
                };
                let marked = match class {
                    "race" => &mut placed.race,
                    "order" => &mut placed.order,
                    _ => panic!("{}: the mark `{mark}` is not understood", case.name),
                };
                marked.lines.insert(line);
                marked.is_required |= is_required;
            }
        }
        placed
    }
}

#[test]
fn marks_say_which_lines() {
    let source = "a\nb //~ race, may order\nc //~ race".to_owned();
    let cases = vec![Case::new("x".to_owned(), source)];
    let group = Group { name: "g".to_owned(), cases, items: "", runs_on_workers: true };
    let (text, placed) = group.program();
    let [placed] = &placed[..] else { panic!("one case") };
    let line = |number: u64| text.lines().nth(number as usize - 1).unwrap_or_default();
    assert_eq!(line(placed.lines.start), "    a");
    let marked: Vec<u64> = placed.race.lines.iter().copied().collect();
    assert_eq!(marked, [placed.lines.start + 1, placed.lines.start + 2]);
    assert!(placed.race.is_required && !placed.order.is_required);
    assert_eq!(without_races(&group.cases[0].source), "a\nb //~ may order\nc");
}
