//! The promises around a finding: what the second task waited for, and what it did not.

use crate::finding::{Finding, Get, user_place};
use crate::symbols::FrameTable;

/// What there is to say about them, one sentence each.
pub fn sentences(finding: &Finding, table: &FrameTable) -> Vec<String> {
    let mut sentences: Vec<String> = finding
        .gets
        .iter()
        .map(|get| {
            let at = user_place(get.at, table).map_or_else(String::new, |at| format!(" at {at}"));
            let what = what_was_got(get, table);
            let when = if get.before_first { ", before the first access" } else { "" };
            format!("the second task got{at} {what}{when}")
        })
        .collect();
    if let Some(set) = user_place(finding.next_set, table) {
        sentences.push(format!(
            "after its access the first task set a promise at {set}; the second has not got it"
        ));
    }
    sentences
}

fn what_was_got(get: &Get, table: &FrameTable) -> String {
    let by = if get.before_first { " by the first task" } else { "" };
    // A future is set by the library, at the end of its task.
    match (user_place(get.set, table), user_place(get.setter, table)) {
        (Some(set), _) => format!("the promise set{by} at {set}"),
        (None, Some(spawned)) => format!("the value of the task spawned at {spawned}"),
        (None, None) => "a promise".to_owned(),
    }
}
