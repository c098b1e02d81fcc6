//! Every action of a trace, one on a line.

use std::fmt::Write;

use rosser_trace::Trace;
use rosser_validate::Act;

use super::{name, place, who};
use crate::message::harmless;

/// The actions in an order that is consistent with all synchronisation.
pub fn text(trace: &Trace) -> String {
    let mut text = String::new();
    for (id, action) in trace.execution.ids() {
        let act = match action.act {
            Act::Access { word, access, value } => {
                let value = value.map(|it| format!(" = {}", it.cast_signed())).unwrap_or_default();
                format!("{} {}{value}", access.describe(), name(trace, word))
            }
            Act::Atomic { word, found, left, .. } => {
                let show = |value: Option<u64>| value.map_or("-".to_owned(), |it| it.to_string());
                format!("atomic {} {} -> {}", name(trace, word), show(found), show(left))
            }
            Act::Fork(child) => format!("fork {}", thread(trace, child)),
            Act::Join(child) => format!("join {}", thread(trace, child)),
            Act::Set(flag) => format!("set {}", flag.0),
            Act::Get(flag) => format!("get {}", flag.0),
            Act::Signal(semaphore) => format!("V {}", semaphore.0),
            Act::Wait(semaphore) => format!("P {}", semaphore.0),
            Act::Acquire { lock, shared: false } => format!("acquire {}", lock.0),
            Act::Acquire { lock, shared: true } => format!("acquire {} shared", lock.0),
            Act::Release(lock) => format!("release {}", lock.0),
        };
        let _ = writeln!(text, "{:<8} {act:<28} {}", who(trace, id), place(trace, id));
    }
    text
}

fn thread(trace: &Trace, thread: rosser_validate::Thread) -> String {
    let name = trace.threads.get(thread.index());
    name.map_or_else(|| thread.0.to_string(), |name| harmless(name).into_owned())
}
