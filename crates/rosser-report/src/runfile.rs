//! Reads run files.
//!
//! A run file is tens of megabytes long but sparse, and a test suite leaves one for each process:
//! only the header, the modules and the findings that are there are read.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use rosser_abi::run_file::{
    ALLOCATION, FINDING_WORDS, FINDINGS, FINDINGS_AT, GETS, HEADER_WORDS, MAGIC, MODULE_WORDS,
    MODULES, MODULES_AT, STACK_INNER, STACK_OUTER, STOP_STACK, TASKS, VERSION, finding, header,
    module,
};
use rosser_detect::DetectorKind;

use crate::error::Error;
use crate::run::{Counters, Run, State};

/// One run file, its addresses as they were in the process.
#[derive(Debug)]
pub struct RunFile {
    /// The process. `stopped_at` is still empty.
    pub run: Run,
    /// The stack of the place where the run was stopped.
    pub stop_stack: Vec<u64>,
    /// The executable and its shared libraries.
    pub modules: Vec<Module>,
    /// The findings that were written completely.
    pub findings: Vec<RawFinding>,
    /// Findings that were being written when the process ended.
    pub unfinished: u64,
    /// Findings for which there was no room.
    pub lost: u64,
    /// Whether the disk had none.
    pub is_disk_full: bool,
}

/// The executable or a shared library.
#[derive(Debug)]
pub struct Module {
    /// The address of the first byte.
    pub start: u64,
    /// The address after the last.
    pub end: u64,
    /// What to subtract from a run-time address.
    pub bias: u64,
    /// The object file.
    pub path: PathBuf,
}

/// A task of one of the two chains.
#[derive(Clone, Copy, Debug)]
pub struct RawTask {
    /// One of [`rosser_abi::run_file::task`].
    pub kind: u64,
    /// The return address of the call that spawned it.
    pub spawned_at: u64,
    /// Where in the second stack the spawning function is.
    pub frame: Option<usize>,
}

/// A finding as written by the runtime. See [`rosser_abi::run_file::finding`] for the meanings.
#[derive(Debug)]
pub struct RawFinding {
    pub count: u64,
    pub class: u64,
    pub address: u64,
    pub size: u64,
    pub first_access: u64,
    pub second_access: u64,
    pub first_pc: u64,
    pub first_exact: bool,
    pub first_caller: u64,
    /// The return address into a library's function with code of the program in it; 0 if none.
    pub first_inlined_caller: u64,
    pub via: u64,
    pub acquire_pc: u64,
    pub release_pc: u64,
    pub object: u64,
    pub object_start: u64,
    pub object_size: u64,
    pub object_frame: usize,
    pub allocation: Vec<u64>,
    pub next_set: u64,
    pub gets: Vec<[u64; 4]>,
    pub first_tasks: Vec<RawTask>,
    pub second_tasks: Vec<RawTask>,
    pub common_depth: u64,
    pub stack: Vec<u64>,
    pub stack_inner: usize,
    pub stack_omitted: u64,
}

/// Reads a run file. What is damaged is an error.
pub fn read(path: &Path) -> Result<RunFile, Error> {
    let unreadable = |source| Error::Read { path: path.to_owned(), source };
    // A pipe is not even opened: nobody may ever write into it.
    let about = std::fs::metadata(path).map_err(unreadable)?;
    if !about.is_file() {
        return Err(Error::Foreign { path: path.to_owned() });
    }
    let mut file = File::open(path).map_err(unreadable)?;
    let length = about.len();
    let needs = |words: usize| {
        let expected = words as u64 * 8;
        if length < expected {
            return Err(Error::Truncated { path: path.to_owned(), length, expected });
        }
        Ok(())
    };
    let damaged = |what: String| Error::Damaged { path: path.to_owned(), what };

    // Foreign and other versions' files are recognised before anything is said about lengths.
    if length == 0 {
        return Err(Error::Empty { path: path.to_owned() });
    }
    if length < 16 {
        return Err(Error::Foreign { path: path.to_owned() });
    }
    let start = words(&mut file, 2).map_err(unreadable)?;
    if start == [0; 2] {
        return Err(Error::Empty { path: path.to_owned() });
    }
    if start[header::MAGIC] != MAGIC {
        return Err(Error::Foreign { path: path.to_owned() });
    }
    if start[header::VERSION] != VERSION {
        return Err(Error::Version { path: path.to_owned(), found: start[header::VERSION] });
    }
    needs(FINDINGS_AT)?;
    file.seek(SeekFrom::Start(0)).map_err(unreadable)?;
    let head = words(&mut file, HEADER_WORDS).map_err(unreadable)?;

    if head[header::ONLY_TASKS] != 0 {
        return Err(Error::NotChecked { path: path.to_owned() });
    }
    let total = head[header::FINDINGS];
    let kept = usize::try_from(total).unwrap_or(usize::MAX).min(FINDINGS);
    needs(FINDINGS_AT + kept * FINDING_WORDS)?;
    let module_count = head[header::MODULES] as usize;
    if module_count > MODULES {
        return Err(damaged(format!("it claims to describe {module_count} modules")));
    }
    file.seek(SeekFrom::Start(MODULES_AT as u64 * 8)).map_err(unreadable)?;
    let modules = words(&mut file, module_count * MODULE_WORDS).map_err(unreadable)?;
    let modules = modules.chunks_exact(MODULE_WORDS).map(module_from).collect();

    file.seek(SeekFrom::Start(FINDINGS_AT as u64 * 8)).map_err(unreadable)?;
    let mut findings = Vec::with_capacity(kept);
    let mut unfinished = 0;
    for _ in 0..kept {
        let words = words(&mut file, FINDING_WORDS).map_err(unreadable)?;
        if words[finding::READY] == 1 {
            findings.push(finding_from(&words));
        } else {
            unfinished += 1;
        }
    }
    let run = run_from(&head).ok_or_else(|| {
        damaged(format!("it is in a state, {}, that does not exist", head[header::STATE]))
    })?;
    let mut lost = total - kept as u64;
    let is_disk_full = head[header::NO_ROOM] != 0;
    if is_disk_full {
        lost += std::mem::take(&mut unfinished);
    }
    let stop_len = (head[header::STOP_STACK_LEN] as usize).min(STOP_STACK);
    Ok(RunFile {
        run,
        stop_stack: head[header::STOP_STACK..header::STOP_STACK + stop_len].to_vec(),
        modules,
        findings,
        unfinished,
        lost,
        is_disk_full,
    })
}

fn words(file: &mut File, count: usize) -> std::io::Result<Vec<u64>> {
    let mut bytes = vec![0; count * 8];
    file.read_exact(&mut bytes)?;
    let (words, _) = bytes.as_chunks::<8>();
    Ok(words.iter().map(|word| u64::from_le_bytes(*word)).collect())
}

/// The first `length` bytes of a run of words, as far as there are any.
fn bytes(words: &[u64], length: u64) -> Vec<u8> {
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    words.iter().flat_map(|word| word.to_le_bytes()).take(length).collect()
}

fn run_from(head: &[u64]) -> Option<Run> {
    let args = bytes(&head[header::ARGS..HEADER_WORDS], head[header::ARGS_LEN]);
    let mut command: Vec<String> = args
        .split(|byte| *byte == 0)
        .map(|arg| String::from_utf8_lossy(arg).into_owned())
        .collect();
    // Each argument is ended by a zero, so that the last piece is what a cut left over, if anything.
    if command.last().is_some_and(String::is_empty) {
        command.pop();
    }
    let forked_from = head[header::FORKED_FROM];
    Some(Run {
        pid: head[header::PID],
        forked_from: (forked_from != 0).then_some(forked_from),
        command,
        started: head[header::STARTED],
        state: State::from_header(head)?,
        left_tasks: head[header::OPEN] != 0,
        stopped_at: Vec::new(),
        detector: DetectorKind::numbered(head[header::DETECTOR])
            .map_or("unknown", DetectorKind::name),
        workers: head[header::WORKERS].max(1),
        counters: Counters {
            tasks: head[header::TASKS],
            steps: head[header::STEPS],
            accesses: head[header::ACCESSES],
            regions: head[header::REGIONS],
            conflicts: head[header::CONFLICTS],
            commuting: head[header::COMMUTING],
            thread_local: head[header::THREAD_LOCAL],
            own_allocator: head[header::OWN_ALLOCATOR],
            coarse: head[header::COARSE],
            std_unseen: u64::from(head[header::STD_SEEN] == 0),
            unnamed: u64::from(head[header::NAMES_UNSEEN] == 0),
            by_compiler: head[header::BY_COMPILER],
            isolated: head[header::ISOLATED],
            other_threads: head[header::OTHER_THREADS],
            other_regions: head[header::OTHER_REGIONS],
            unmonitored: head[header::UNMONITORED],
            crowded: head[header::CROWDED],
            left_out: head[header::LEFT_OUT],
        },
    })
}

fn module_from(words: &[u64]) -> Module {
    let path = bytes(&words[module::PATH..], words[module::PATH_LEN]);
    Module {
        start: words[module::START],
        end: words[module::END],
        bias: words[module::BIAS],
        path: PathBuf::from(String::from_utf8_lossy(&path).into_owned()),
    }
}

fn finding_from(words: &[u64]) -> RawFinding {
    let list = |at: usize, length: usize, room: usize| {
        let length = (words[length] as usize).min(room);
        words[at..at + length].to_vec()
    };
    let tasks = |at: usize, length: usize, stride: usize| {
        let length = (words[length] as usize).min(TASKS);
        words[at..at + length * stride]
            .chunks_exact(stride)
            .map(|task| RawTask {
                kind: task[0],
                spawned_at: task[1],
                frame: task.get(2).map(|frame| *frame as usize),
            })
            .collect()
    };
    let stack = list(finding::STACK, finding::STACK_LEN, STACK_INNER + STACK_OUTER);
    RawFinding {
        count: words[finding::COUNT].max(1),
        class: words[finding::CLASS],
        address: words[finding::ADDRESS],
        size: words[finding::SIZE],
        first_access: words[finding::FIRST_ACCESS],
        second_access: words[finding::SECOND_ACCESS],
        first_pc: words[finding::FIRST_PC],
        first_exact: words[finding::FIRST_EXACT] != 0,
        first_caller: words[finding::FIRST_CALLER],
        first_inlined_caller: words[finding::FIRST_INLINED_CALLER],
        via: words[finding::VIA],
        acquire_pc: words[finding::ACQUIRE_PC],
        release_pc: words[finding::RELEASE_PC],
        object: words[finding::OBJECT],
        object_start: words[finding::OBJECT_START],
        object_size: words[finding::OBJECT_SIZE],
        object_frame: words[finding::OBJECT_FRAME] as usize,
        allocation: list(finding::ALLOCATION, finding::ALLOCATION_LEN, ALLOCATION),
        next_set: words[finding::NEXT_SET],
        gets: words[finding::GETS..][..4 * (words[finding::GETS_LEN] as usize).min(GETS)]
            .as_chunks()
            .0
            .to_vec(),
        first_tasks: tasks(finding::FIRST_TASKS, finding::FIRST_TASKS_LEN, 2),
        second_tasks: tasks(finding::SECOND_TASKS, finding::SECOND_TASKS_LEN, 3),
        common_depth: words[finding::COMMON_DEPTH],
        stack_inner: (words[finding::STACK_INNER] as usize).min(stack.len()),
        stack_omitted: words[finding::STACK_OMITTED],
        stack,
    }
}
