//! Joins, scopes and parallel iterators, inlined and not.

use super::{Tasks, long, short};
use crate::finding::{Finding, Task, TaskKind};
use crate::symbols::{AddressId, FrameTable};
use crate::testing::{self, address};

fn finding(stack: Vec<AddressId>, first: Vec<Task>, second: Vec<Task>) -> Finding {
    Finding { first_tasks: first, second_tasks: second, ..testing::finding(stack) }
}

fn task(kind: TaskKind, at: AddressId, frame: Option<usize>) -> Task {
    Task { kind, spawned_at: Some(at), frame }
}

#[test]
fn a_join_that_was_inlined() {
    let mut table = FrameTable::default();
    let spawn = address(
        &mut table,
        &["rayon_core::join::join_context", "rayon_core::join::join", "app::solve"],
    );
    let body = address(&mut table, &["app::solve::{closure#1}"]);
    let finding = finding(
        vec![body, spawn],
        vec![task(TaskKind::JoinFirst, spawn, None)],
        vec![task(TaskKind::JoinSecond, spawn, Some(1))],
    );
    let tasks = Tasks::new(&finding, &table);
    assert_eq!(long(&tasks.first), "the first closure of `join` at `app::solve`");
    assert_eq!(long(&tasks.second), "the second closure of `join` at `app::solve`");
    assert_eq!(tasks.common, "the main task, in `app::solve`");
}

#[test]
fn an_iterator_is_told_by_the_users_call() {
    let mut table = FrameTable::default();
    let body = address(&mut table, &["app::main::{closure#0}"]);
    let join = address(&mut table, &["rayon_core::join::join_context"]);
    let helper = address(&mut table, &["rayon::iter::plumbing::bridge_producer_consumer::helper"]);
    let entry = address(&mut table, &["rayon::iter::ParallelIterator::for_each"]);
    let main = address(&mut table, &["app::main"]);
    let finding = finding(
        vec![body, join, helper, join, helper, entry, main],
        vec![task(TaskKind::JoinFirst, join, None), task(TaskKind::JoinFirst, join, None)],
        vec![task(TaskKind::JoinSecond, join, Some(1)), task(TaskKind::JoinFirst, join, Some(3))],
    );
    let tasks = Tasks::new(&finding, &table);
    let expected = "a part of the parallel `for_each` at `app::main`";
    assert_eq!(long(&tasks.first), expected);
    assert_eq!(long(&tasks.second), expected);
}

#[test]
fn the_parent_itself() {
    let mut table = FrameTable::default();
    let spawn = address(&mut table, &["rayon_core::scope::Scope::spawn", "app::f::{closure#0}"]);
    let finding = finding(vec![spawn], vec![task(TaskKind::ScopeSpawn, spawn, None)], vec![]);
    let tasks = Tasks::new(&finding, &table);
    assert_eq!(long(&tasks.first), "the closure of a scope's `spawn` at `app::f::{closure#0}`");
    assert_eq!(short(&tasks.second), "the common parent itself");
    assert_eq!(tasks.common, "the main task, in `app::f`");
}

#[test]
fn deep_chains_are_cut() {
    let mut table = FrameTable::default();
    let spawns: Vec<_> =
        ["app::a", "app::b", "app::c", "app::d"].map(|f| address(&mut table, &[f])).into();
    let chain = spawns.iter().map(|at| task(TaskKind::JoinFirst, *at, None)).collect();
    let finding = finding(vec![], chain, vec![]);
    assert_eq!(
        long(&Tasks::new(&finding, &table).first),
        "the first closure of `join` at `app::a`, inside 2 tasks further, inside the first closure \
         of `join` at `app::d`"
    );
}
