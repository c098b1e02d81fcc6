//! Parallel loops: items told apart without a task for each.
//!
//! A parallel iterator is split into a few *leaves*, and a leaf is a plain loop. Between two items it calls
//! [`rosser_next_item`]: what the item before has done is parallel with what comes next, as if each item were a
//! task of its own. To the engine it is, see [`rosser_detect::serial::items`].
//!
//! ```text
//!  the task that is split ──► LEAF ──► item 0 │ item 1 │ item 2 │ …
//! ```
//!
//! # What the loop carries
//! The state of the iterator, an accumulator, a vector that is being collected go from item to item. The finest
//! split would have given each item its own, so two items of a leaf are not in conflict there. It is all *born in the leaf*: on
//! its stack, or in heap blocks that began after it did. Memory that did not reach another item that way did so
//! through memory that was there before, and the conflict is reported there. Conflicts at what was born in
//! a leaf, between items of the leaf, are dropped ([`Checked::drop_carried`]).
//!
//! What rayon's own `*_with` adaptors clone for each piece may be older than the leaf: they are made to clone it once
//! more in the leaf (see `items.rs` of the command).

use rosser_abi::executor::signature;
use rosser_abi::run_file::{stop, task};
use rosser_detect::DetectorKind;
use rosser_detect::order::ScopeNumber;
use rosser_detect::order::general::TaskNumber;
use rosser_detect::serial::running::Frame;

use crate::backend::serial::tasks::{begin_at, end, end_scope, ok};
use crate::backtrace::{Here, frame_pointer};
use crate::checked::{self, Checked};
use crate::chosen::chosen;
use crate::forks::TaskFn;
use crate::sites::Sites;
use crate::stack::StackBounds;
use crate::{shadow, stuck};

/// A leaf that is being run.
#[derive(Clone, Copy, Default)]
pub struct Leaf {
    /// The task that its items are, one after the other.
    task: TaskNumber,
    /// The scope that joins them.
    scope: ScopeNumber,
    /// The number of the present item.
    item: u32,
    /// Blocks that began when at least so many leaves had begun were born in it.
    began: u32,
    /// The part of the stack that is its own.
    stack: StackBounds,
    /// The frame of the function that called the runtime.
    caller: usize,
}

const _: signature::rosser_next_item = rosser_next_item;
const _: signature::rosser_has_items = rosser_has_items;

/// Whether items are told apart in leaves, or iterators are to be split into single items: detectors of papers know tasks
/// only.
#[unsafe(no_mangle)]
pub extern "C" fn rosser_has_items() -> bool {
    chosen() == DetectorKind::Auto
}

/// Runs a leaf whose first item has the given number.
pub extern "C" fn leaf(body: TaskFn, data: *mut (), first: u64, slot: usize) -> u64 {
    let Some(checked) = checked::enter() else {
        // SAFETY: by the caller's promise.
        unsafe { body(data) };
        return first;
    };
    checked.open();
    let outer_scope = ok(checked.engine.scope_begin(), slot);
    let leaf_site = Sites::plain(Here::returning_at(slot).pc);
    let outer_lowest = begin_at(checked, task::LEAF, outer_scope, leaf_site, slot);
    let scope = ok(checked.engine.scope_begin(), slot);
    let item = u32::try_from(first).unwrap_or(u32::MAX);
    let lowest = begin_at(checked, task::ITEM, scope, item, slot);
    let entry = checked.engine.frame().map_or(0, |frame| frame.note);
    checked.leaves_begun += 1;
    let leaf = Leaf {
        task: checked.engine.current(),
        scope,
        item,
        began: checked.leaves_begun,
        stack: StackBounds { low: checked.stack.low, high: entry },
        // SAFETY: the frame of a function that keeps its frame pointer.
        caller: unsafe { *(frame_pointer() as *const usize) },
    };
    ok(checked.leaves.push(leaf), slot);
    // SAFETY: by the caller's promise.
    unsafe { body(data) };
    // SAFETY: a task ends on the thread it began on.
    let checked = unsafe { checked::checked() };
    let next = checked.end_leaf().map_or(item, |leaf| leaf.item);
    end(checked, lowest, true, slot);
    ok(checked.engine.scope_end(scope), slot);
    checked.refresh();
    end(checked, outer_lowest, true, slot);
    end_scope(outer_scope, slot);
    next.into()
}

/// The present item of the innermost leaf is over, and the next one begins.
#[unsafe(no_mangle)]
pub extern "C" fn rosser_next_item() {
    if !shadow::is_on() {
        return;
    }
    // SAFETY: checks are on.
    let checked = unsafe { checked::checked() };
    let nothing_is_due = checked.is_nothing_due();
    let current = checked.engine.current();
    let Some(position) = checked.leaf_of(current) else { return };
    let leaf = &mut checked.leaves.as_mut_slice()[position];
    leaf.item = leaf.item.saturating_add(1);
    if nothing_is_due && checked.engine.next_item_quickly(leaf.item) {
        checked.refresh();
    } else {
        checked.next_item_slowly(position, frame_pointer());
    }
}

/// A block begins: it is born in whatever leaf is being run.
#[inline]
pub fn note_birth(checked: &mut Checked, block: usize) {
    if !checked.leaves.is_empty() {
        checked.births.note(block, checked.leaves_begun);
    }
}

impl Checked {
    /// The leaf whose items a task is. As a rule it is the last that has begun; tasks that wait may have others.
    #[inline]
    fn leaf_of(&self, task: TaskNumber) -> Option<usize> {
        self.leaves.as_slice().iter().rposition(|leaf| leaf.task == task)
    }

    /// The leaf of the current task ends.
    fn end_leaf(&mut self) -> Option<Leaf> {
        let position = self.leaf_of(self.engine.current())?;
        self.leaves.as_mut_slice()[position..].rotate_left(1);
        self.leaves.pop()
    }

    #[cold]
    #[inline(never)]
    fn next_item_slowly(&mut self, position: usize, frame: usize) {
        let here = Here { frame, ..Here::at(0) };
        // Other tasks may have been on the stack below.
        let entry = self.engine.frame_mut().map_or(0, |frame: &mut Frame| frame.note);
        if self.lowest < entry {
            self.forget(self.lowest & !7, entry);
        }
        self.stop_watching(here);
        let leaf = self.leaves.as_slice()[position];
        if self.engine.next_item_slowly(task::ITEM as u32, leaf.item).is_err() {
            stuck::stop(stop::EXHAUSTED, here);
        }
        let current = self.engine.current();
        if current != leaf.task {
            self.sites.set_task(current as usize, Some(leaf.caller));
            self.leaves.as_mut_slice()[position].task = current;
        }
        self.set_limit();
        self.set_private();
        self.note_begun();
        self.refresh();
    }

    /// Drops conflicts between items of one leaf at memory that was born in it.
    #[inline]
    pub fn drop_carried(&mut self, word: usize) {
        if !self.leaves.is_empty() {
            self.drop_carried_by_leaves(word);
        }
    }

    #[inline(never)]
    fn drop_carried_by_leaves(&mut self, word: usize) {
        let Self { engine, leaves, births, .. } = self;
        let leaves = leaves.as_slice();
        engine.retain_conflicts(|engine, conflict| {
            let address = word + conflict.bytes.trailing_zeros() as usize;
            !leaves.iter().rev().any(|leaf| {
                engine.is_of_earlier_item(leaf.task, leaf.scope, conflict.first)
                    && (leaf.stack.contains(address) || births.of(address) >= leaf.began)
            })
        });
    }
}
