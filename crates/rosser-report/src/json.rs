//! Findings as JSON, one object on each line; `docs/findings-json.md` describes them.

use serde::Serialize;

use crate::describe::Description;
use crate::finding::{Finding, Object, Task, TaskKind, Via, place};
use crate::frame::{Frame, Origin};
use crate::group::Group;
use crate::report::Report;
use crate::run::State;
use crate::symbols::{AddressId, FrameTable};
use crate::tasks;
use crate::text::verdict;

/// Changes when a field changes its meaning or goes away.
pub const SCHEMA: &str = "rosser.findings/1";

#[derive(Serialize)]
struct FindingLine<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    schema: &'static str,
    number: usize,
    class: &'static str,
    message: &'a str,
    fingerprint: &'a str,
    /// Whether it is in the baseline.
    known: bool,
    count: u64,
    objects: usize,
    first: AccessObject<'a>,
    second: AccessObject<'a>,
    bytes: u64,
    object: ObjectObject,
    order: OrderObject,
    promises: PromisesObject,
    common_task: &'a str,
    shown_by: Vec<ShownByObject<'a>>,
}

#[derive(Serialize)]
struct AccessObject<'a> {
    access: &'static str,
    exact: bool,
    place: Option<FrameObject<'a>>,
    task: String,
    tasks: Vec<TaskObject>,
    stack: Vec<FrameObject<'a>>,
    omitted_frames: u64,
}

#[derive(Serialize)]
struct FrameObject<'a> {
    function: &'a str,
    file: Option<&'a str>,
    line: Option<u32>,
    column: Option<u32>,
    origin: &'static str,
    inlined: bool,
}

#[derive(Serialize)]
struct TaskObject {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    item: Option<u64>,
    spawned_at: Option<String>,
}

#[derive(Serialize)]
struct ObjectObject {
    kind: &'static str,
    description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    allocated_at: Option<String>,
}

#[derive(Serialize)]
struct OrderObject {
    via: &'static str,
    acquired_at: Option<String>,
    released_at: Option<String>,
    description: String,
}

#[derive(Serialize)]
struct PromisesObject {
    got: Vec<GetObject>,
    set_next_at: Option<String>,
}

#[derive(Serialize)]
struct GetObject {
    at: Option<String>,
    set_at: Option<String>,
    setter_spawned_at: Option<String>,
    before_first: bool,
}

#[derive(Serialize)]
struct ShownByObject<'a> {
    test: Option<&'a str>,
    program: &'a str,
}

#[derive(Serialize)]
struct SummaryLine<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    schema: &'static str,
    verdict: String,
    detector: &'static str,
    workers: u64,
    data_races: usize,
    order_dependent: usize,
    suppressed: usize,
    known: usize,
    gone: usize,
    stale_suppressions: Vec<String>,
    tasks: u64,
    steps: u64,
    accesses: u64,
    regions: u64,
    commuting: u64,
    internal: u64,
    searches: u64,
    initialised_once: u64,
    freed_in_order: u64,
    thread_local: u64,
    suppressed_conflicts: u64,
    other_threads: u64,
    other_regions: u64,
    unmonitored: u64,
    crowded: u64,
    own_allocator: u64,
    coarse: u64,
    isolated: u64,
    unfinished: u64,
    lost: u64,
    incomplete: usize,
    left_out: Vec<&'static str>,
    bridges: &'a [String],
    assumptions: Vec<String>,
    runs: Vec<RunObject<'a>>,
}

#[derive(Serialize)]
struct RunObject<'a> {
    pid: u64,
    forked_from: Option<u64>,
    command: &'a [String],
    state: &'static str,
    detail: Option<u64>,
    complete: bool,
    stopped_at: &'a [String],
    tasks: u64,
    steps: u64,
    accesses: u64,
}

/// All findings that are not suppressed, known ones included, then the summary.
pub fn render(report: &Report) -> String {
    let mut out = String::new();
    let (known, new): (Vec<&Group>, Vec<&Group>) =
        report.groups.iter().partition(|group| group.known);
    // The numbers of new findings are those of the text.
    for (index, group) in new.into_iter().chain(known).enumerate() {
        push_line(&mut out, &finding(report, group, index + 1));
    }
    out + &summary(report)
}

fn push_line(out: &mut String, value: &str) {
    out.push_str(value);
    out.push('\n');
}

fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("strings and numbers can be written")
}

fn finding(report: &Report, group: &Group, number: usize) -> String {
    let (finding, table) = (&group.example, &report.table);
    let description = Description::new(group, table);
    let line = FindingLine {
        kind: "finding",
        schema: SCHEMA,
        number,
        class: finding.class.name(),
        message: &description.title,
        fingerprint: group.entry.as_ref().map_or("", |entry| &entry.fingerprint),
        known: group.known,
        count: group.count,
        objects: group.objects(),
        first: AccessObject {
            access: finding.first_kind.name(),
            exact: finding.first_exact,
            place: finding.first_place(table).map(frame),
            task: tasks::long(&description.tasks.first),
            tasks: chain(&finding.first_tasks, table),
            stack: finding.first_frames(table).map(frame).collect(),
            omitted_frames: 0,
        },
        second: AccessObject {
            access: finding.second_kind.name(),
            exact: true,
            place: finding.second_place(table).map(frame),
            task: tasks::long(&description.tasks.second),
            tasks: chain(&finding.second_tasks, table),
            stack: finding.second_frames(table).map(|(_, f)| frame(f)).collect(),
            omitted_frames: finding.stack_omitted,
        },
        bytes: finding.size,
        object: object(finding, &description, table),
        order: OrderObject {
            via: match finding.via {
                Via::Nothing => "none",
                Via::ReleaseAcquire => "release-acquire",
                Via::HiddenRelease => "hidden-release",
                Via::Atomic => "atomic",
                Via::SameWorker => "same-worker",
            },
            acquired_at: position(finding.acquire, table),
            released_at: position(finding.release, table),
            description: description.ordering.clone(),
        },
        promises: promises(finding, table),
        common_task: &description.tasks.common,
        shown_by: group
            .shown_by
            .iter()
            .map(|by| ShownByObject { test: by.test.as_deref(), program: &by.program })
            .collect(),
    };
    to_json(&line)
}

fn frame(frame: &Frame) -> FrameObject<'_> {
    FrameObject {
        function: &frame.shown,
        file: frame.file.as_deref(),
        line: (frame.line != 0).then_some(frame.line),
        column: (frame.column != 0).then_some(frame.column),
        origin: match frame.origin {
            Origin::Runtime => "runtime",
            Origin::Library => "library",
            Origin::Sync => "sync",
            Origin::User => "user",
        },
        inlined: frame.inlined,
    }
}

fn position(address: Option<AddressId>, table: &FrameTable) -> Option<String> {
    place(table.frames(address?)).map(|frame| frame.position().unwrap_or_else(|| frame.at()))
}

fn promises(finding: &Finding, table: &FrameTable) -> PromisesObject {
    let got = finding.gets.iter().map(|get| GetObject {
        at: position(get.at, table),
        set_at: position(get.set, table),
        setter_spawned_at: position(get.setter, table),
        before_first: get.before_first,
    });
    PromisesObject { got: got.collect(), set_next_at: position(finding.next_set, table) }
}

fn chain(tasks: &[Task], table: &FrameTable) -> Vec<TaskObject> {
    tasks
        .iter()
        .map(|task| TaskObject {
            kind: task.kind.name(),
            item: if let TaskKind::Item(number) = task.kind { number } else { None },
            spawned_at: position(task.spawned_at, table),
        })
        .collect()
}

fn object(finding: &Finding, description: &Description, table: &FrameTable) -> ObjectObject {
    let mut object = ObjectObject {
        kind: "other",
        description: description.accessed.clone(),
        name: None,
        offset: None,
        size: None,
        allocated_at: None,
    };
    match &finding.object {
        Object::Heap { offset, size, allocation } => {
            object.kind = "heap";
            (object.offset, object.size) = (Some(*offset), Some(*size));
            let frame = place(allocation.iter().flat_map(|at| table.frames(*at)));
            object.allocated_at = frame.map(|f| f.position().unwrap_or_else(|| f.at()));
        }
        Object::Stack { .. } | Object::OtherStack => object.kind = "stack",
        Object::Static { name, offset } => {
            object.kind = "static";
            (object.name, object.offset) = (Some(name.clone()), Some(*offset));
        }
        Object::Unknown { .. } => {}
    }
    object
}

fn summary(report: &Report) -> String {
    let (counts, totals, tallies) = (report.counts(), &report.totals, &report.tallies);
    let stale = report.suppressions.iter().filter(|line| line.is_stale());
    let line = SummaryLine {
        kind: "summary",
        schema: SCHEMA,
        verdict: verdict::headline(report),
        detector: report.other_detector().unwrap_or("auto"),
        workers: report.workers(),
        data_races: counts.data_races,
        order_dependent: counts.order_dependent,
        suppressed: counts.suppressed,
        known: counts.baselined,
        gone: counts.gone,
        stale_suppressions: stale.map(|line| line.text.clone()).collect(),
        tasks: totals.tasks,
        steps: totals.steps,
        accesses: totals.accesses,
        regions: totals.regions,
        commuting: totals.commuting,
        internal: tallies.internal,
        searches: tallies.searches,
        initialised_once: tallies.initialised_once,
        freed_in_order: tallies.freed_in_order,
        thread_local: totals.thread_local,
        suppressed_conflicts: tallies.suppressed,
        other_threads: totals.other_threads,
        other_regions: totals.other_regions,
        unmonitored: totals.unmonitored,
        crowded: totals.crowded,
        own_allocator: totals.own_allocator,
        coarse: totals.coarse,
        isolated: totals.isolated,
        unfinished: tallies.unfinished,
        lost: tallies.lost,
        incomplete: counts.incomplete,
        left_out: report.left_out(),
        bridges: &report.bridges,
        assumptions: verdict::assumptions(report, false),
        runs: report.runs.iter().map(run).collect(),
    };
    to_json(&line) + "\n"
}

fn run(run: &crate::run::Run) -> RunObject<'_> {
    RunObject {
        pid: run.pid,
        forked_from: run.forked_from,
        command: &run.command,
        state: run.state.name(),
        detail: match run.state {
            State::Ended { status } => Some(status),
            State::Signalled { signal } => Some(signal),
            State::Running | State::Stopped(_) | State::Replaced => None,
        },
        complete: run.is_complete(),
        stopped_at: &run.stopped_at,
        tasks: run.counters.tasks,
        steps: run.counters.steps,
        accesses: run.counters.accesses,
    }
}
