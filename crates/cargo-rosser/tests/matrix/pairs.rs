//! Every way to start two tasks with a closure each, and what the two do to a variable.

use crate::case::{Case, without_races};
use crate::memory::{Access, Conflict, Memory};
use crate::values::{self, Value};

/// A way to start two tasks.
///
/// In its text `{a}` and `{b}` are what they do, and `{m}` is how they capture.
struct Way {
    name: &'static str,
    lives: Lives,
    text: &'static str,
}

/// How long what the closures capture has to live.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lives {
    /// As long as the call, which returns what the closures do.
    Returns,
    /// As long as the call.
    Briefly,
    /// For ever, since no call waits for the tasks.
    Lasting,
}

const fn way(name: &'static str, lives: Lives, text: &'static str) -> Way {
    Way { name, lives, text }
}

const JOIN: Way = way(
    "join",
    Lives::Returns,
    "let seen = rayon::join({m}|| {a}, {m}|| {b}); //~ race\nblack_box(seen);",
);

const WAYS: &[Way] = &[
    JOIN,
    way(
        "join_lines",
        Lives::Returns,
        "let seen = rayon::join(\n    {m}|| {a}, //~ race\n    {m}|| {b}, //~ race\n);\nblack_box(seen);",
    ),
    way(
        "join_context",
        Lives::Returns,
        "let seen = rayon::join_context({m}|_| {a}, {m}|_| {b}); //~ race\nblack_box(seen);",
    ),
    way(
        "join_nested",
        Lives::Briefly,
        "rayon::join({m}|| rayon::join({m}|| {a}, || ()), {m}|| rayon::join(|| (), {m}|| {b})); //~ race",
    ),
    way(
        "scope",
        Lives::Briefly,
        "rayon::scope(|s| {\n    s.spawn({m}|_| {a}); //~ race\n    s.spawn({m}|_| {b}); //~ race\n});",
    ),
    way(
        "scope_fifo",
        Lives::Briefly,
        "rayon::scope_fifo(|s| {\n    s.spawn_fifo({m}|_| {a}); //~ race\n    s.spawn_fifo({m}|_| {b}); //~ race\n});",
    ),
    way(
        "in_place_scope",
        Lives::Briefly,
        "rayon::in_place_scope(|s| {\n    s.spawn({m}|_| {a}); //~ race\n    s.spawn({m}|_| {b}); //~ race\n});",
    ),
    way(
        "in_place_scope_fifo",
        Lives::Briefly,
        "rayon::in_place_scope_fifo(|s| {\n    s.spawn_fifo({m}|_| {a}); //~ race\n    s.spawn_fifo({m}|_| {b}); //~ race\n});",
    ),
    way(
        "scope_body",
        Lives::Briefly,
        "rayon::scope(|s| {\n    s.spawn({m}|_| {a}); //~ race\n    {b} //~ race\n});",
    ),
    way(
        "scope_from_task",
        Lives::Briefly,
        "rayon::scope(|s| {\n    s.spawn({m}|s| s.spawn({m}|_| {a})); //~ race\n    s.spawn({m}|_| {b}); //~ race\n});",
    ),
    way(
        "spawn",
        Lives::Lasting,
        "rayon::spawn(move || { {a}; done.tick() }); //~ race\nrayon::spawn(move || { {b}; done.tick() }); //~ race\ndone.wait(2);",
    ),
    way(
        "spawn_fifo",
        Lives::Lasting,
        "rayon::spawn_fifo(move || { {a}; done.tick() }); //~ race\nrayon::spawn_fifo(move || { {b}; done.tick() }); //~ race\ndone.wait(2);",
    ),
    way(
        "spawn_and_parent",
        Lives::Lasting,
        "rayon::spawn(move || { {a}; done.tick() }); //~ race\n{b}; //~ race\ndone.wait(1);",
    ),
    way(
        "pool_join",
        Lives::Returns,
        "let seen = pool().join({m}|| {a}, {m}|| {b}); //~ race\nblack_box(seen);",
    ),
    way(
        "pool_install",
        Lives::Returns,
        "let seen = pool().install(|| rayon::join({m}|| {a}, {m}|| {b})); //~ race\nblack_box(seen);",
    ),
    way(
        "pool_scope",
        Lives::Briefly,
        "pool().scope(|s| {\n    s.spawn({m}|_| {a}); //~ race\n    s.spawn({m}|_| {b}); //~ race\n});",
    ),
    way(
        "pool_scope_fifo",
        Lives::Briefly,
        "pool().scope_fifo(|s| {\n    s.spawn_fifo({m}|_| {a}); //~ race\n    s.spawn_fifo({m}|_| {b}); //~ race\n});",
    ),
    way(
        "pool_in_place_scope",
        Lives::Briefly,
        "pool().in_place_scope(|s| {\n    s.spawn({m}|_| {a}); //~ race\n    s.spawn({m}|_| {b}); //~ race\n});",
    ),
    way(
        "pool_in_place_scope_fifo",
        Lives::Briefly,
        "pool().in_place_scope_fifo(|s| {\n    s.spawn_fifo({m}|_| {a}); //~ race\n    s.spawn_fifo({m}|_| {b}); //~ race\n});",
    ),
    way(
        "pool_spawn",
        Lives::Lasting,
        "let pool = pool();\npool.spawn(move || { {a}; done.tick() }); //~ race\npool.spawn(move || { {b}; done.tick() }); //~ race\ndone.wait(2);",
    ),
    way(
        "pool_spawn_fifo",
        Lives::Lasting,
        "let pool = pool();\npool.spawn_fifo(move || { {a}; done.tick() }); //~ race\npool.spawn_fifo(move || { {b}; done.tick() }); //~ race\ndone.wait(2);",
    ),
    way(
        "finish",
        Lives::Briefly,
        "rosser::finish(|s| {\n    s.spawn({m}|_| {a}); //~ race\n    s.spawn({m}|_| {b}); //~ race\n});",
    ),
    way(
        "finish_body",
        Lives::Briefly,
        "rosser::finish(|s| {\n    s.spawn({m}|_| {a}); //~ race\n    {b} //~ race\n});",
    ),
    way(
        "finish_from_task",
        Lives::Briefly,
        "rosser::finish(|s| {\n    s.spawn({m}|s| s.spawn({m}|_| {a})); //~ race\n    s.spawn({m}|_| {b}); //~ race\n});",
    ),
    way(
        "finish_begin",
        Lives::Briefly,
        "rosser::finish(|s| {\n    let inner = s.begin();\n    inner.spawn({m}|_| {a}); //~ race\n    inner.spawn({m}|_| {b}); //~ race\n    inner.end();\n});",
    ),
    way(
        "procedure",
        Lives::Briefly,
        "rosser::procedure(|p| {\n    p.spawn({m}|_| {a}); //~ race\n    p.spawn({m}|_| {b}); //~ race\n    p.sync();\n});",
    ),
    way(
        "procedure_body",
        Lives::Briefly,
        "rosser::procedure(|p| {\n    p.spawn({m}|_| {a}); //~ race\n    {b}; //~ race\n    p.sync();\n});",
    ),
    way(
        "futures",
        Lives::Returns,
        "rosser::finish(|s| {\n    let first = s.spawn_future({m}|_| {a}); //~ race\n    let second = s.spawn_future({m}|_| {b}); //~ race\n    black_box((first.get(), second.get()));\n});",
    ),
    way(
        "future_before_get",
        Lives::Returns,
        "rosser::finish(|s| {\n    let first = s.spawn_future({m}|_| {a}); //~ race\n    let second = {b}; //~ race\n    black_box((first.get(), second));\n});",
    ),
    way(
        "join_in_finish",
        Lives::Briefly,
        "rosser::finish(|s| s.spawn({m}|_| drop(rayon::join({m}|| {a}, {m}|| {b})))); //~ race",
    ),
];

/// All ways, with variables of one type in every memory.
pub fn all_ways() -> Vec<Case> {
    let value = values::usual();
    let mut cases = Vec::new();
    for way in WAYS {
        let memories = Memory::ALL.iter().filter(|memory| way.admits(**memory));
        for memory in memories {
            for conflict in &Conflict::ALL {
                cases.extend(way.cases(*memory, conflict, &value));
            }
        }
    }
    cases
}

/// Joins, with variables of all types in every memory.
pub fn all_values() -> Vec<Case> {
    let mut cases = Vec::new();
    for value in &values::all() {
        for memory in Memory::ALL {
            for conflict in &Conflict::ALL {
                cases.extend(JOIN.cases(memory, conflict, value));
            }
        }
    }
    cases
}

impl Way {
    fn admits(&self, memory: Memory) -> bool {
        self.lives != Lives::Lasting || memory.is_lasting()
    }

    /// A case in which both tasks access the same variable, and one in which each has its own.
    fn cases(&self, memory: Memory, conflict: &Conflict, value: &Value) -> [Case; 2] {
        let name = format!("{}/{}/{}/{}", self.name, memory.name(), value.name, conflict.name);
        let racy = self.source(memory, conflict, value, "c");
        let clean = without_races(&self.source(memory, conflict, value, "d"));
        [Case::new(format!("{name}/racy"), racy), Case::new(format!("{name}/clean"), clean)]
    }

    /// The second task accesses the variable called `second`; the first one, `c`.
    fn source(&self, memory: Memory, conflict: &Conflict, value: &Value, second: &str) -> String {
        let mut source = memory.types(value, &[conflict.first, conflict.second]);
        source += &memory.declare("c", value);
        if second != "c" {
            source += &memory.declare(second, value);
        }
        if self.lives == Lives::Lasting {
            source += "let done = Done::new();\n";
        }
        let [one, two] = &value.others;
        let first = self.access(memory, conflict.first, "c", one, value);
        let second_access = self.access(memory, conflict.second, second, two, value);
        let text = self.text.replace("{a}", &first).replace("{b}", &second_access);
        let text = text.replace("{m}", memory.capture());
        source += &text;
        source += "\n";
        source += &memory.use_of("c");
        if second != "c" {
            source += &memory.use_of(second);
        }
        source
    }

    /// What one task does. What it reads, it returns or uses.
    fn access(
        &self,
        memory: Memory,
        access: Access,
        name: &str,
        new: &str,
        value: &Value,
    ) -> String {
        let text = memory.access(access, name, None, new, value);
        if access == Access::Read && self.lives != Lives::Returns {
            format!("drop(black_box({text}))")
        } else {
            text
        }
    }
}
