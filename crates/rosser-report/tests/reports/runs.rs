//! Writes run files as the runtime would.

use std::path::{Path, PathBuf};

use rosser_abi::run_file::{
    EXTENSION, FINDING_WORDS, FINDINGS_AT, HEADER_WORDS, MAGIC, MODULES_AT, VERSION, access, class,
    finding, header, module, object, state, task, via,
};
use rosser_report::{Options, Report};
use tempfile::TempDir;

use crate::executable::{EXECUTABLE, address_of, call_at};

/// A run file in the making.
#[derive(Clone)]
pub struct RunWords {
    pub words: Vec<u64>,
}

/// A finding in the making.
#[derive(Clone)]
pub struct FindingWords(pub Vec<u64>);

impl RunWords {
    /// A process that ended well after some tasks.
    pub fn new(pid: u64) -> RunWords {
        let mut run = RunWords { words: vec![0; FINDINGS_AT] };
        run.set(header::MAGIC, MAGIC).set(header::VERSION, VERSION).set(header::PID, pid);
        run.set(header::STD_SEEN, 1).set(header::NAMES_UNSEEN, 1);
        run.set(header::STATE, state::ENDED).set(header::STARTED, 4_000_000_000);
        run.set(header::TASKS, 1_024).set(header::STEPS, 2_049).set(header::ACCESSES, 1_234_567);
        run.set(header::REGIONS, 1).set(header::MODULES, 1);
        run.args(&["target/debug/app-0123456789abcdef"]);
        let path = EXECUTABLE.path.to_str().expect("the path is UTF-8");
        run.set(MODULES_AT + module::START, EXECUTABLE.start);
        run.set(MODULES_AT + module::END, EXECUTABLE.end);
        run.set(MODULES_AT + module::BIAS, EXECUTABLE.bias);
        run.set(MODULES_AT + module::PATH_LEN, path.len() as u64);
        run.bytes(MODULES_AT + module::PATH, path.as_bytes());
        run
    }

    pub fn set(&mut self, word: usize, value: u64) -> &mut Self {
        self.words[word] = value;
        self
    }

    pub fn args(&mut self, args: &[&str]) -> &mut Self {
        let bytes: Vec<u8> = args.iter().flat_map(|arg| arg.bytes().chain([0])).collect();
        self.set(header::ARGS_LEN, bytes.len() as u64);
        assert!(header::ARGS + bytes.len().div_ceil(8) <= HEADER_WORDS);
        self.bytes(header::ARGS, &bytes)
    }

    fn bytes(&mut self, at: usize, bytes: &[u8]) -> &mut Self {
        for (index, chunk) in bytes.chunks(8).enumerate() {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.words[at + index] = u64::from_le_bytes(word);
        }
        self
    }

    pub fn finding(&mut self, finding: &FindingWords) -> &mut Self {
        self.words.extend(&finding.0);
        self.words[header::FINDINGS] += 1;
        self
    }

    /// The file's bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}

impl FindingWords {
    /// Two closures of a `join` in `bank`, one depositing, the other auditing.
    pub fn race() -> FindingWords {
        let mut words = FindingWords(vec![0; FINDING_WORDS]);
        words.set(finding::READY, 1).set(finding::COUNT, 1).set(finding::CLASS, class::DATA_RACE);
        words.set(finding::ADDRESS, 0x5010).set(finding::SIZE, 8);
        words.set(finding::FIRST_ACCESS, access::WRITE).set(finding::SECOND_ACCESS, access::READ);
        words.set(finding::FIRST_PC, address_of("deposit")).set(finding::FIRST_EXACT, 1);
        words.set(finding::OBJECT, object::HEAP).set(finding::OBJECT_START, 0x5000);
        words.set(finding::OBJECT_SIZE, 4_000);
        words.list(finding::ALLOCATION, finding::ALLOCATION_LEN, &[call_at("allocate")], 1);
        let join = call_at("join");
        words.list(finding::FIRST_TASKS, finding::FIRST_TASKS_LEN, &[task::JOIN_FIRST, join], 2);
        let second = [task::JOIN_SECOND, join, 1];
        words.list(finding::SECOND_TASKS, finding::SECOND_TASKS_LEN, &second, 3);
        words.stack(&[address_of("audit"), call_at("bank")]);
        words
    }

    /// An atomic store and a load of a static, not ordered.
    pub fn order() -> FindingWords {
        let mut words = FindingWords::race();
        words.set(finding::CLASS, class::ORDER_DEPENDENT).set(finding::VIA, via::ATOMIC);
        words.set(finding::FIRST_ACCESS, access::ATOMIC_STORE);
        words.set(finding::SECOND_ACCESS, access::ATOMIC_LOAD);
        words.set(finding::FIRST_PC, address_of("publish"));
        words.set(finding::ADDRESS, &raw const crate::fixture::TOTAL as u64);
        words.set(finding::OBJECT, object::OTHER).set(finding::OBJECT_START, 0);
        words.stack(&[address_of("observe"), call_at("bank")]);
        words
    }

    pub fn set(&mut self, word: usize, value: u64) -> &mut Self {
        self.0[word] = value;
        self
    }

    pub fn stack(&mut self, stack: &[u64]) -> &mut Self {
        self.list(finding::STACK, finding::STACK_LEN, stack, 1);
        self.set(finding::STACK_INNER, stack.len() as u64)
    }

    /// A list of entries of `stride` words.
    pub fn list(&mut self, at: usize, length: usize, words: &[u64], stride: usize) -> &mut Self {
        self.0[at..at + words.len()].copy_from_slice(words);
        self.set(length, (words.len() / stride) as u64)
    }
}

/// A directory with run files.
pub struct Runs {
    pub directory: TempDir,
    pub options: Options,
}

impl Runs {
    pub fn new(runs: &[&RunWords]) -> Runs {
        let directory = TempDir::new().expect("there is a temporary directory");
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let options = Options { source_roots: vec![root], ..Options::default() };
        let runs_directory = Runs { directory, options };
        for run in runs {
            let name = format!("{}.{EXTENSION}", run.words[header::PID]);
            runs_directory.write(&name, run.to_bytes());
        }
        runs_directory
    }

    /// Writes a file beside the run files.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.directory.path().join(name);
        std::fs::write(&path, bytes).expect("it can be written");
        path
    }

    pub fn report(&self) -> Report {
        self.load().unwrap_or_else(|error| panic!("{error}"))
    }

    pub fn load(&self) -> Result<Report, rosser_report::Error> {
        Report::load(self.directory.path(), &self.options)
    }
}
