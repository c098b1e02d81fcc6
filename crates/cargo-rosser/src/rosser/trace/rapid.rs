//! A trace in the STD format of RAPID (`umangm/rapid`): `T1|w(V2)|17` on a line.
//!
//! It knows threads, locks, reads and writes, and is one total order. A trace with other synchronisation cannot be said
//! in it: without that, RAPID would find races that are none.

use std::fmt::Write;

use rosser_trace::Trace;
use rosser_validate::Act;

/// The trace, or why it cannot be said.
pub fn text(trace: &Trace) -> Result<String, String> {
    let mut text = String::new();
    for (_, action) in trace.execution.ids() {
        let act = match action.act {
            Act::Access { word, access, .. } if access.writes() => format!("w(V{})", word.0),
            Act::Access { word, .. } => format!("r(V{})", word.0),
            Act::Fork(child) => format!("fork(T{})", child.0),
            Act::Join(child) => format!("join(T{})", child.0),
            Act::Acquire { lock, shared: false } => format!("acq(L{})", lock.0),
            Act::Release(lock) => format!("rel(L{})", lock.0),
            Act::Acquire { shared: true, .. } => return Err(cannot("shared locks")),
            Act::Atomic { .. } => return Err(cannot("atomic operations")),
            Act::Set(_) | Act::Get(_) => return Err(cannot("promises")),
            Act::Signal(_) | Act::Wait(_) => return Err(cannot("semaphores")),
        };
        let _ = writeln!(text, "T{}|{act}|{}", action.thread.0, action.site.0);
    }
    Ok(text)
}

fn cannot(what: &str) -> String {
    format!("the trace has {what}, and the STD format has none")
}
