//! Tasks with data dependences, told with promises: each task sets one when it has ended its work,
//! and first gets those of the tasks that it depends on.

use rosser_detect::{Detector, LocId, PromiseId, TaskKind};

use crate::emit::Emitter;

/// Something that `depend` clauses name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Datum(pub usize);

/// A `depend` clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clause {
    /// The task reads it.
    In(Datum),
    /// The task updates or replaces it.
    Out(Datum),
}

#[derive(Clone, Debug, Default)]
struct State {
    writer: Option<PromiseId>,
    /// Who has read it since.
    readers: Vec<PromiseId>,
}

/// A group of data, none of which has been accessed yet.
#[derive(Clone, Debug)]
pub struct Data {
    states: Vec<State>,
}

impl Data {
    /// A group of the given size.
    pub fn new(size: usize) -> Self {
        Self { states: vec![State::default(); size] }
    }

    /// The promises to be got by a task with the given clauses, in their order: of the last writer
    /// of what is read; of the readers since, or else the last writer, of what is updated. A promise
    /// that is needed twice is got where it is needed last.
    fn needed(&self, clauses: &[Clause]) -> Vec<PromiseId> {
        let mut needed = Vec::new();
        let mut need = |promise: &PromiseId| {
            needed.retain(|known| known != promise);
            needed.push(*promise);
        };
        for clause in clauses {
            match *clause {
                Clause::In(datum) => self.states[datum.0].writer.iter().for_each(&mut need),
                Clause::Out(datum) => {
                    let State { writer, readers } = &self.states[datum.0];
                    if readers.is_empty() {
                        writer.iter().for_each(&mut need);
                    } else {
                        readers.iter().for_each(&mut need);
                    }
                }
            }
        }
        needed
    }

    fn note(&mut self, promise: PromiseId, clauses: &[Clause]) {
        for clause in clauses {
            match *clause {
                Clause::In(datum) => self.states[datum.0].readers.push(promise),
                Clause::Out(datum) => {
                    self.states[datum.0] = State { writer: Some(promise), readers: Vec::new() };
                }
            }
        }
    }
}

/// Writes the trace of a program of such tasks.
pub struct Program<'e, 'd, D> {
    /// For scopes, and for accesses outside of tasks.
    pub emitter: &'e mut Emitter<'d, D, true>,
    /// Whether tasks get their promises in the opposite order.
    reverse_gets: bool,
    locations: u32,
}

impl<'e, 'd, D: Detector> Program<'e, 'd, D> {
    /// A program at its start.
    pub fn new(emitter: &'e mut Emitter<'d, D, true>, reverse_gets: bool) -> Self {
        Self { emitter, reverse_gets, locations: 0 }
    }

    /// The first of as many new locations.
    pub fn allocate(&mut self, count: u32) -> LocId {
        let first = LocId(self.locations);
        self.locations += count;
        first
    }

    /// Creates a task and begins to run it. The promise it returns is for [`Self::end`].
    pub fn begin(&mut self, data: &mut Data, clauses: &[Clause]) -> PromiseId {
        let needed = data.needed(clauses);
        let promise = self.emitter.promises(1);
        data.note(promise, clauses);
        self.emitter.fork(TaskKind::Async);
        self.get_all(needed);
        promise
    }

    /// Has the running task get promises, in the given order or the opposite one.
    pub fn get_all(&mut self, mut promises: Vec<PromiseId>) {
        if self.reverse_gets {
            promises.reverse();
        }
        for promise in promises {
            self.emitter.get(promise);
        }
    }

    /// Ends the running task.
    pub fn end(&mut self, promise: PromiseId) {
        self.emitter.set(promise);
        self.emitter.end();
    }
}

#[cfg(test)]
mod tests {
    use rosser_detect::PromiseId;

    use super::Clause::{In, Out};
    use super::{Data, Datum};

    #[test]
    fn a_reader_needs_the_writer_and_a_writer_the_readers() {
        let [a, b] = [Datum(0), Datum(1)];
        let mut data = Data::new(2);
        assert!(data.needed(&[In(a), Out(b)]).is_empty());
        data.note(PromiseId(0), &[Out(a)]);
        assert_eq!(data.needed(&[In(a), Out(b)]), [PromiseId(0)]);
        assert_eq!(data.needed(&[Out(a)]), [PromiseId(0)]);
        data.note(PromiseId(1), &[In(a), Out(b)]);
        data.note(PromiseId(2), &[In(a)]);
        assert_eq!(data.needed(&[Out(a)]), [PromiseId(1), PromiseId(2)]);
        assert_eq!(data.needed(&[In(b), Out(a)]), [PromiseId(1), PromiseId(2)]);
        assert_eq!(data.needed(&[Out(a), In(b)]), [PromiseId(2), PromiseId(1)]);
        assert_eq!(data.needed(&[In(b), Out(b)]), [PromiseId(1)]);
    }
}
