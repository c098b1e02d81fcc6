//! Writing a trace.

use std::io::{self, Write};

use rosser_validate::{Act, Thread};
use rustc_hash::FxHashMap;

use crate::bytes::Out;
use crate::records::{Last, Object, Record, object};
use crate::{MAGIC, MOST_BYTES, Trace, VERSION, checksum, encoding, kind};

/// How full a block of actions becomes.
const FULL: usize = 64 << 10;

/// Writes a whole trace.
pub fn write(trace: &Trace, to: &mut impl Write) -> io::Result<()> {
    to.write_all(&MAGIC)?;
    to.write_all(&VERSION.to_le_bytes())?;
    let mut out = Out::default();
    for text in [&trace.about.program, &trace.about.recorder, &trace.about.ended] {
        out.text(text);
    }
    out.number(trace.is_precise.into());
    out.number(trace.execution.only_first_touches.into());
    block(to, kind::ABOUT, 0, &out)?;
    let mut out = Out::default();
    for initial in trace.execution.semaphores() {
        out.number((*initial).into());
    }
    block(to, kind::SEMAPHORES, 0, &out)?;
    texts(to, kind::THREADS, trace.threads.iter(), |out, name| out.text(name))?;
    texts(to, kind::SITES, trace.sites.iter(), |out, place| {
        out.text(&place.file);
        out.number(place.line.into());
        out.number(place.column.into());
        out.text(&place.text);
    })?;
    let mut last = 0;
    texts(to, kind::NAMES, trace.names.iter(), |out, (word, name)| {
        // Each block begins anew.
        if out.0.is_empty() {
            last = 0;
        }
        out.difference(word.0, &mut last);
        out.text(name);
    })?;
    let records = actions(trace, to)?;
    let mut out = Out::default();
    out.number(records);
    block(to, kind::END, 0, &out)
}

/// Blocks of things of one kind.
fn texts<T>(
    to: &mut impl Write,
    kind: u8,
    all: impl Iterator<Item = T>,
    mut put: impl FnMut(&mut Out, T),
) -> io::Result<()> {
    let mut out = Out::default();
    for it in all {
        put(&mut out, it);
        if out.0.len() >= FULL {
            block(to, kind, 0, &out)?;
            out.0.clear();
        }
    }
    block(to, kind, 0, &out)
}

/// What each thread did, a few blocks for each. Returns how many records that are.
fn actions(trace: &Trace, to: &mut impl Write) -> io::Result<u64> {
    let execution = &trace.execution;
    let mut numbers: FxHashMap<Object, u64> = FxHashMap::default();
    let mut of_action = Vec::with_capacity(execution.actions().len());
    for action in execution.actions() {
        let is_access = matches!(action.act, Act::Access { .. });
        let object = object(action.act).filter(|_| trace.is_precise || !is_access);
        // A word that is also accessed atomically has numbers for that alone if the order of accesses is not known.
        of_action.push(object.map(|object| {
            let next = numbers.entry(object).or_default();
            *next += 1;
            *next - 1
        }));
    }
    let mut records = 0;
    for thread in 0..execution.thread_count() as u32 {
        let (mut out, mut last) = (Out::default(), Last::default());
        for id in execution.of_thread(Thread(thread)) {
            let action = execution.action(*id);
            let (site, group) = (action.site, action.group);
            let number = of_action[id.index()];
            let act = match action.act {
                // Without the order of accesses nobody could tell what their values were good for.
                Act::Access { word, access, .. } if !trace.is_precise => {
                    Act::Access { word, access, value: None }
                }
                act => act,
            };
            Record::Act { act, site, group, number }.write(&mut out, &mut last);
            records += 1;
            if out.0.len() >= FULL {
                block(to, kind::ACTIONS, thread, &out)?;
                (out, last) = (Out::default(), Last::default());
            }
        }
        Record::End.write(&mut out, &mut last);
        records += 1;
        block(to, kind::ACTIONS, thread, &out)?;
    }
    Ok(records)
}

/// One block: its kind, how it is stored, whose it is, lengths before and after compression, a checksum of all that.
fn block(to: &mut impl Write, kind: u8, thread: u32, out: &Out) -> io::Result<()> {
    let raw = &out.0;
    if raw.len() > MOST_BYTES {
        return Err(io::Error::other("a text is too long for a trace"));
    }
    let packed = lz4_flex::block::compress(raw);
    let (encoding, stored) =
        if packed.len() < raw.len() { (encoding::LZ4, &packed) } else { (encoding::PLAIN, raw) };
    let mut bytes = vec![kind, encoding];
    bytes.extend(thread.to_le_bytes());
    bytes.extend((raw.len() as u32).to_le_bytes());
    bytes.extend((stored.len() as u32).to_le_bytes());
    bytes.extend(stored);
    let sum = checksum::of(&bytes);
    to.write_all(&bytes)?;
    to.write_all(&sum.to_le_bytes())
}
