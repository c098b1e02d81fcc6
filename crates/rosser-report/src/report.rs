//! The report: everything that all run files of a directory tell, ready to be rendered.

use std::path::{Path, PathBuf};

use rosser_abi::checks::Kind;
use rosser_abi::run_file::EXTENSION;
use rosser_detect::DetectorKind;

use crate::baseline::{self, Baseline};
use crate::bridges::Bridges;
use crate::error::Error;
use crate::finding::{Class, Finding};
use crate::frame::Origin;
use crate::group::{Group, Groups};
use crate::options::{Options, Style};
use crate::paths::Roots;
use crate::rules::{self, Exempt};
use crate::run::{Counters, Run, State};
use crate::runfile::{self, RunFile};
use crate::shown_by::ShownBy;
use crate::sources::Sources;
use crate::suppress::{Line, Suppressions};
use crate::symbols::{FrameTable, Loaded, Symbols};
use crate::unseen::Unseen;
use crate::{github, json, sarif, text};

/// What all runs found together.
#[derive(Debug)]
pub struct Report {
    pub(crate) runs: Vec<Run>,
    pub(crate) totals: Counters,
    pub(crate) groups: Vec<Group>,
    pub(crate) suppressed: usize,
    pub(crate) tallies: Tallies,
    pub(crate) suppressions: Vec<Line>,
    /// Calls of `par_bridge`.
    pub(crate) bridges: Vec<String>,
    pub(crate) gone: Vec<baseline::Entry>,
    pub(crate) table: FrameTable,
    pub(crate) problems: Vec<String>,
    /// Run files that could not be read, and why: of these processes nothing is known.
    pub(crate) unreadable: Vec<Error>,
    /// Whether the disk was full when a finding was to be written.
    pub(crate) is_disk_full: bool,
    /// Code without checks, in words.
    pub(crate) unseen: Vec<String>,
    pub(crate) sources: Sources,
    pub(crate) max_findings: usize,
}

/// Conflicts that are no findings, and findings that were lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tallies {
    /// Conflicts on the state of locks, once cells and reference counts.
    pub internal: u64,
    /// Conflicts on the flags of searches that have the same answer in every schedule.
    pub searches: u64,
    /// Conflicts with an initialisation that is done once.
    pub initialised_once: u64,
    /// Blocks that were freed by their last owner.
    pub freed_in_order: u64,
    /// Conflicts that a suppression matched.
    pub suppressed: u64,
    /// Findings that were being written when the process ended.
    pub unfinished: u64,
    /// Findings for which the run file had no room.
    pub lost: u64,
}

/// How many findings there are of each kind. A finding is a class and a pair of places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Data races to report: neither suppressed nor in the baseline.
    pub data_races: usize,
    /// Order-dependent pairs to report.
    pub order_dependent: usize,
    /// Findings that a suppression matched.
    pub suppressed: usize,
    /// Findings that are in the baseline.
    pub baselined: usize,
    /// Entries of the baseline that did not occur.
    pub gone: usize,
    /// Lines of suppressions files that matched nothing.
    pub stale_suppressions: usize,
    /// Processes that Rosser stopped.
    pub stopped: usize,
    /// Processes that did not execute every task to its end, or of which nothing is known.
    pub incomplete: usize,
    /// Kinds of checks that were left out on request.
    pub left_out: usize,
    /// Conflicts that are no findings, and findings that were lost.
    pub tallies: Tallies,
}

impl Report {
    /// Reads all run files of a directory.
    pub fn load(run_dir: &Path, options: &Options) -> Result<Report, Error> {
        let mut suppressions =
            Suppressions::read(&options.suppressions, options.builtin_suppressions)?;
        let baseline = options.baseline.as_deref().map(Baseline::read).transpose()?;
        let mut symbols = Symbols::new(Roots::new(&options.source_roots), &options.sync_crates);
        let mut groups = Groups::default();
        let mut tallies = Tallies::default();
        let mut bridges = Bridges::default();
        let mut unseen = Unseen::default();
        let mut runs = Vec::new();
        let mut unreadable = Vec::new();
        let mut is_disk_full = false;
        for path in run_files(run_dir)? {
            let file = match runfile::read(&path) {
                Ok(file) => file,
                Err(error) => {
                    unreadable.push(error);
                    continue;
                }
            };
            is_disk_full |= file.is_disk_full;
            let loaded = symbols.load(&file.modules, file.run.started);
            for (number, module) in file.modules.iter().enumerate() {
                // The loader tells of the program first.
                unseen.look_at(&module.path, number == 0);
            }
            let mut collector = Collector {
                loaded: &loaded,
                symbols: &mut symbols,
                suppressions: &mut suppressions,
                groups: &mut groups,
                tallies: &mut tallies,
                bridges: &mut bridges,
            };
            collector.collect(&file, runs.len());
            let mut run = file.run;
            run.stopped_at = stopped_at(&file.stop_stack, &loaded, &mut symbols);
            runs.push(run);
        }
        // What others have left behind is worth a report.
        if runs.is_empty() {
            return Err(unreadable.swap_remove(0));
        }
        runs.sort_by_key(|run| (run.started, run.pid));
        let mut totals = Counters::default();
        for run in &runs {
            totals.add(&run.counters);
        }

        let (groups, suppressed) = groups.finish();
        let (table, problems) = symbols.finish();
        let mut report = Report {
            runs,
            totals,
            groups,
            suppressed,
            tallies,
            suppressions: suppressions.into_lines(),
            bridges: bridges.into_places(),
            gone: Vec::new(),
            table,
            problems,
            unreadable,
            is_disk_full,
            unseen: unseen.into_names(),
            sources: Sources::default(),
            max_findings: options.max_findings,
        };
        report.recognise(baseline);
        Ok(report)
    }

    /// How many findings there are of each kind.
    pub fn counts(&self) -> Counts {
        let new = |class| self.reported().filter(|group| group.example.class == class).count();
        let stopped = |run: &&Run| matches!(run.state, State::Stopped(_));
        Counts {
            data_races: new(Class::DataRace),
            order_dependent: new(Class::OrderDependent),
            suppressed: self.suppressed,
            baselined: self.groups.iter().filter(|group| group.known).count(),
            gone: self.gone.iter().map(|entry| entry.count).sum(),
            stale_suppressions: self.suppressions.iter().filter(|line| line.is_stale()).count(),
            stopped: self.runs.iter().filter(stopped).count(),
            incomplete: self.incomplete(),
            left_out: self.left_out().len(),
            tallies: self.tallies,
        }
    }

    /// How many processes did not execute every task to its end, or had findings that are lost, or left nothing
    /// that can be read.
    pub(crate) fn incomplete(&self) -> usize {
        let early = self.runs.iter().filter(|run| !run.is_complete()).count();
        early.max(usize::from(self.is_disk_full)) + self.unreadable.len()
    }

    /// The kinds of checks that were left out on request, by their names.
    pub(crate) fn left_out(&self) -> Vec<&'static str> {
        let is_left_out = |kind: &&Kind| self.totals.left_out & kind.bit() != 0;
        Kind::ALL.iter().filter(is_left_out).map(|kind| kind.name()).collect()
    }

    /// The report for people, with the verdict at its end.
    pub fn text(&self, style: Style) -> String {
        text::render(self, style)
    }

    /// One object for each finding and one for the whole; see `docs/findings-json.md`.
    pub fn json_lines(&self) -> String {
        json::render(self)
    }

    /// A SARIF 2.1.0 log.
    pub fn sarif(&self) -> String {
        sarif::render(self)
    }

    /// Annotations for GitHub's workflow log.
    pub fn github(&self) -> String {
        github::render(self)
    }

    /// The contents of a baseline file with the present findings, known ones included.
    pub fn baseline(&self) -> String {
        baseline::write(self.groups.iter().filter_map(|group| group.entry.clone()))
    }

    /// The processes, in the order in which they were started.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// Who judged accesses, if that was not Rosser's own engine.
    pub(crate) fn other_detector(&self) -> Option<&'static str> {
        let own = DetectorKind::Auto.name();
        self.runs.iter().map(|run| run.detector).find(|name| *name != own)
    }

    /// How many workers the tasks ran on, of the process that had most.
    pub(crate) fn workers(&self) -> u64 {
        self.runs.iter().map(|run| run.workers).max().unwrap_or(1)
    }

    /// The findings that are neither suppressed nor known, in the order of their numbers.
    pub(crate) fn reported(&self) -> impl Iterator<Item = &Group> {
        self.groups.iter().filter(|group| !group.known)
    }

    /// Marks the findings that are in the baseline.
    fn recognise(&mut self, baseline: Option<Baseline>) {
        let mut baseline = baseline.unwrap_or_default();
        for group in &mut self.groups {
            let example = &group.example;
            let frames = [example.first_place(&self.table), example.second_place(&self.table)];
            let entry = baseline::Entry::new(example.class, frames, &self.sources);
            group.known = baseline.knows(&entry);
            group.entry = Some(entry);
        }
        self.gone = baseline.gone();
    }
}

/// Judges the findings of one run.
struct Collector<'a> {
    loaded: &'a Loaded,
    symbols: &'a mut Symbols,
    suppressions: &'a mut Suppressions,
    groups: &'a mut Groups,
    tallies: &'a mut Tallies,
    bridges: &'a mut Bridges,
}

impl Collector<'_> {
    fn collect(&mut self, file: &RunFile, run: usize) {
        self.tallies.unfinished += file.unfinished;
        self.tallies.lost += file.lost;
        for raw in &file.findings {
            let finding = Finding::new(raw, self.loaded, self.symbols);
            let table = self.symbols.table();
            self.bridges.note(&finding, table);
            if let Some(exempt) = rules::exempt(&finding, table) {
                let tally = match exempt {
                    Exempt::Internal => &mut self.tallies.internal,
                    Exempt::Search => &mut self.tallies.searches,
                    Exempt::InitialisedOnce => &mut self.tallies.initialised_once,
                    Exempt::FreedInOrder => &mut self.tallies.freed_in_order,
                };
                *tally = tally.saturating_add(raw.count);
            } else if self.suppressions.suppresses(&finding, raw.count, table) {
                self.tallies.suppressed = self.tallies.suppressed.saturating_add(raw.count);
                self.groups.add_suppressed(&finding, table);
            } else {
                let shown_by = ShownBy::new(&finding, table, &file.run);
                if let Some(example) = self.groups.add(finding, raw, run, shown_by, table) {
                    example.complete(raw, self.loaded, self.symbols);
                }
            }
        }
    }
}

/// The run files of a directory, by process id and time.
fn run_files(directory: &Path) -> Result<Vec<PathBuf>, Error> {
    let unreadable = |source| Error::Read { path: directory.to_owned(), source };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == EXTENSION) {
            files.push(path);
        }
    }
    if files.is_empty() {
        return Err(Error::NoRuns { directory: directory.to_owned() });
    }
    let numbers = |path: &PathBuf| {
        let name = path.file_stem()?.to_str()?;
        let (pid, time) = name.split_once('-').unwrap_or((name, "0"));
        Some((pid.parse::<u64>().ok()?, time.parse::<u64>().ok()?))
    };
    files.sort_by_key(|path| (numbers(path), path.clone()));
    Ok(files)
}

/// The user's frames of a stopped program.
fn stopped_at(stack: &[u64], loaded: &Loaded, symbols: &mut Symbols) -> Vec<String> {
    let addresses: Vec<_> =
        stack.iter().filter_map(|address| symbols.call(loaded, *address)).collect();
    let table = symbols.table();
    addresses
        .iter()
        .flat_map(|address| table.frames(*address))
        .filter(|frame| frame.origin == Origin::User)
        .map(|frame| format!("`{}` at {}", frame.shown, frame.at()))
        .collect()
}
