//! Final states, named so that different schedules can be compared.
//!
//! Ids depend on the order of execution, so everything is named by who made it: a task by its path
//! from main, a variable or promise by its maker and which of the maker's makings it is. This is
//! the "unique and consistent" naming of Jin et al. 2023, §2.3.

use std::collections::BTreeMap;

use rosser_detect::{SiteId, TaskId};

use crate::check::describe_wait;
use crate::machine::{Machine, RuntimeError, Value};
use crate::serial::stuck;

/// What a schedule leaves behind: shared memory, what each task saw and printed, who is stuck
/// where. Or the failures, if statements failed.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct FinalState {
    /// Each variable or array element with its value.
    pub memory: BTreeMap<String, String>,
    /// Each stuck task.
    pub stuck: Vec<StuckTask>,
    /// What each task loaded, in its own order, with the statement: two runs in which a task sees
    /// different values are different results even if it keeps them to itself.
    pub loads: BTreeMap<String, Vec<(SiteId, String)>>,
    /// What each task printed, in its own order.
    pub output: BTreeMap<String, Vec<String>>,
    /// What failed. Then nothing else is kept: how far the others got is no result.
    pub failures: Vec<RuntimeError>,
}

/// A task that waits for ever, with the statement it waits at and what it waits for.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct StuckTask {
    /// The task, by its path from main.
    pub task: String,
    /// The statement.
    pub site: SiteId,
    /// What it waits for, in words.
    pub wait: String,
}

impl FinalState {
    /// The state of a machine that cannot go on.
    pub(super) fn of(
        machine: &Machine<'_>,
        loaded: &[(TaskId, SiteId, Value)],
        failed: &[(TaskId, RuntimeError)],
    ) -> Self {
        let mut state = Self::default();
        if !failed.is_empty() {
            state.failures = failed.iter().map(|(_, error)| error.clone()).collect();
            state.failures.sort_by_key(|error| (error.site(), format!("{error:?}")));
            return state;
        }
        for allocation in machine.allocations() {
            let name =
                made(machine, machine.program().bound_name(allocation.site), allocation.made_by);
            for index in 0..allocation.length {
                let value = machine.memory()[(allocation.base + index) as usize];
                let name =
                    if allocation.is_array { format!("{name}[{index}]") } else { name.clone() };
                state.memory.insert(name, show(machine, value));
            }
        }
        for stuck in stuck(machine) {
            let task = path(machine, stuck.task);
            let wait = describe_wait(machine, stuck.wait);
            state.stuck.push(StuckTask { task, site: stuck.site, wait });
        }
        state.stuck.sort();
        for (task, site, value) in loaded {
            let seen = (*site, show(machine, *value));
            state.loads.entry(path(machine, *task)).or_default().push(seen);
        }
        for (task, text) in machine.output() {
            state.output.entry(path(machine, *task)).or_default().push(text.clone());
        }
        state
    }
}

/// A task's path from main: `main`, its second child `2`, that one's first child `2.1`.
pub(crate) fn path(machine: &Machine<'_>, task: TaskId) -> String {
    let mut ordinals = Vec::new();
    let mut at = task;
    while let Some(parent) = machine.tasks()[at.index()].parent {
        ordinals.push((machine.tasks()[at.index()].ordinal + 1).to_string());
        at = parent;
    }
    ordinals.reverse();
    if ordinals.is_empty() { "main".to_owned() } else { ordinals.join(".") }
}

/// A name that is the same in every schedule; main's first thing of a name is just that name.
fn made(machine: &Machine<'_>, name: &str, (maker, ordinal): (TaskId, u32)) -> String {
    format!("{name} ({} #{ordinal})", path(machine, maker))
}

fn show(machine: &Machine<'_>, value: Value) -> String {
    match value {
        Value::Int(number) => number.to_string(),
        Value::Cell(block) | Value::Array(block) => {
            let allocation = &machine.allocations()[block.0 as usize];
            let name = machine.program().bound_name(allocation.site);
            format!("reference to {}", made(machine, name, allocation.made_by))
        }
        Value::Promise(promise) | Value::Future(promise) => {
            let promise = machine.promise(promise);
            let name = machine.program().bound_name(promise.made_at);
            let set = if promise.set_at.is_some() { "set" } else { "unset" };
            format!("{set} promise {}", made(machine, name, promise.made_by))
        }
        Value::Semaphore(semaphore) => {
            format!("semaphore {}", made(machine, "", machine.semaphore_maker(semaphore)))
        }
    }
}
