//! A recorded run as a picture: the events of each thread, what ordered them, and the races.

use rosser_detect::{SiteId, TaskId};
use rosser_validate::{Act, ActionId, EventId};
use rustc_hash::FxHashMap;

use super::Validation;
use crate::check::{task_name, task_word, variable};
use crate::draw::{Edge, EdgeKind, Node, Picture, RaceLink};
use crate::source::Source;

impl Validation<'_> {
    /// The picture; none if it had more than `most` nodes.
    pub fn picture(&self, source: &Source, most: usize) -> Option<Picture> {
        let events = &self.analysis.events;
        let mut picture = Picture {
            title: format!("Recorded run of {}", source.name()),
            lanes: (0..self.machine.tasks().len())
                .map(|task| self.lane(source, TaskId::from_index(task)))
                .collect(),
            ..Picture::default()
        };
        // What does not touch memory is drawn only if it orders threads.
        let orders: std::collections::HashSet<EventId> =
            self.analysis.order.edges().iter().flat_map(|edge| [edge.from, edge.to]).collect();
        let mut nodes: FxHashMap<EventId, usize> = FxHashMap::default();
        for event in events.ids() {
            let first = self.execution.action(events.get(event).first);
            if !first.act.is_computation() && !orders.contains(&event) {
                continue;
            }
            if nodes.len() == most {
                return None;
            }
            let racy =
                self.analysis.races.iter().any(|race| [race.first, race.second].contains(&event));
            let lines = self.lines(source, event);
            let lane = self.task(events.get(event).first).index();
            let node = Node { racy, ..Node::step(lane, format!("e{}", event.0 + 1), lines) };
            nodes.insert(event, picture.nodes.len());
            picture.nodes.push(node);
        }
        self.edges(&nodes, &mut picture);
        for race in &self.analysis.races {
            let (a, b) = (nodes[&race.first], nodes[&race.second]);
            picture.races.push(RaceLink { a, b, label: self.variable_of(race.pairs[0].0) });
        }
        Some(picture)
    }

    fn edges(&self, nodes: &FxHashMap<EventId, usize>, picture: &mut Picture) {
        let events = &self.analysis.events;
        for thread in 0..self.execution.thread_count() as u32 {
            let own = events.of_thread(rosser_validate::Thread(thread));
            let own: Vec<usize> = own.iter().filter_map(|it| nodes.get(it)).copied().collect();
            for pair in own.windows(2) {
                let (from, to) = (pair[0], pair[1]);
                picture.edges.push(Edge { from, to, kind: EdgeKind::Continue });
            }
        }
        for edge in self.analysis.order.edges() {
            let from = self.execution.action(events.get(edge.from).last);
            let to = self.execution.action(events.get(edge.to).first);
            if from.thread == to.thread {
                continue;
            }
            let kind = match (from.act, to.act) {
                (Act::Fork(_), _) if edge.strong => EdgeKind::Fork,
                (Act::Set(_), Act::Get(_)) => EdgeKind::Set,
                _ if edge.strong => EdgeKind::Join,
                _ => EdgeKind::Weak,
            };
            let (from, to) = (nodes[&edge.from], nodes[&edge.to]);
            picture.edges.push(Edge { from, to, kind });
        }
    }

    fn lane(&self, source: &Source, task: TaskId) -> String {
        if task == TaskId::MAIN {
            return task_name(task);
        }
        let state = &self.machine.tasks()[task.index()];
        let line = source.position(self.machine.program().span(state.site).start).line;
        format!("{} ({}, line {line})", task_name(task), task_word(state.kind))
    }

    fn lines(&self, source: &Source, event: EventId) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for action in self.analysis.events.actions(&self.execution, event) {
            let line = self.statement(source, action);
            if lines.last() != Some(&line) {
                lines.push(line);
            }
        }
        lines
    }

    /// The statement that did something, with its line.
    pub fn statement(&self, source: &Source, action: ActionId) -> String {
        let span = self.machine.program().span(SiteId(self.execution.action(action).site.0));
        let words: Vec<&str> = source.slice(span).split_whitespace().collect();
        format!("{}: {}", source.position(span.start).line, words.join(" "))
    }

    /// The variable that something touched.
    pub fn variable_of(&self, action: ActionId) -> String {
        let touched = self.execution.action(action).act.touched();
        let (word, _) = touched.expect("only accesses race");
        variable(&self.machine, rosser_detect::LocId(word.0 as u32))
    }
}
