//! Every way to start two tasks in C.

use crate::case::Case;
use crate::memory::{Access, CONFLICTS, Memory};
use crate::values::{self, Value};

/// A way to start the tasks `first_#` and `second_#`.
struct Way {
    name: &'static str,
    kind: Kind,
    /// What a task finds in `arg`: the memory, or where that is.
    arg: &'static str,
    /// More functions, if there are any.
    between: &'static str,
    /// What is done with the scope or procedure `s`.
    start: &'static str,
}

/// What tasks are declared as, and who waits for them.
#[derive(Clone, Copy)]
enum Kind {
    Task,
    Body,
    Function,
}

const fn way(name: &'static str, kind: Kind, start: &'static str) -> Way {
    Way { name, kind, arg: "arg", between: "", start }
}

const WAYS: &[Way] = &[
    way("async", Kind::Task, "rosser_async(s, first_#, arg); rosser_async(s, second_#, arg);"),
    way("async_beside", Kind::Task, "rosser_async(s, first_#, arg); second_#(s, arg);"),
    Way {
        arg: "*(void **)arg",
        ..way(
            "async_copy",
            Kind::Task,
            "rosser_async_copy(s, first_#, &arg, sizeof arg); rosser_async_copy(s, second_#, &arg, sizeof arg);",
        )
    },
    Way {
        between: "static void outer_#(rosser_scope *s, void *arg) { rosser_async(s, first_#, arg); }\n",
        ..way(
            "async_from_task",
            Kind::Task,
            "rosser_async(s, outer_#, arg); rosser_async(s, second_#, arg);",
        )
    },
    way(
        "begin",
        Kind::Task,
        "rosser_scope *in = rosser_begin(s); rosser_async(in, first_#, arg); rosser_async(in, second_#, arg); rosser_end(in);",
    ),
    way(
        "spawn",
        Kind::Body,
        "rosser_spawn(s, first_#, arg); rosser_spawn(s, second_#, arg); rosser_sync(s);",
    ),
    way("spawn_beside", Kind::Body, "rosser_spawn(s, first_#, arg); second_#(s, arg);"),
    way(
        "futures",
        Kind::Function,
        "rosser_future *a = rosser_async_future(s, first_#, arg), *b = rosser_async_future(s, second_#, arg); rosser_future_get(a); rosser_future_get(b);",
    ),
    way(
        "future_before_get",
        Kind::Function,
        "rosser_future *a = rosser_async_future(s, first_#, arg); second_#(s, arg); rosser_future_get(a);",
    ),
    way(
        "shared_futures",
        Kind::Function,
        "rosser_shared_future *a = rosser_future_share(rosser_async_future(s, first_#, arg)); second_#(s, arg); rosser_shared_future_get(a);",
    ),
];

pub fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    for way in WAYS {
        for memory in Memory::ALL {
            for value in values::ALL {
                for (name, first, second) in CONFLICTS {
                    let name = format!("{}/{}/{}/{name}", way.name, memory.name(), value.ty);
                    let case = |twin: &str, index, mark| Case {
                        name: format!("{name}/{twin}"),
                        source: way.source(memory, value, [first, second], index, mark),
                    };
                    let is_told = |access: Access| access.is_told(value);
                    let is_told = is_told(first) && is_told(second);
                    let mark = if is_told { " //~ race" } else { " //~ may race" };
                    cases.extend([case("racy", 0, mark), case("clean", 1, "")]);
                }
            }
        }
    }
    cases
}

impl Way {
    /// The second task accesses the value at `index`, the first one that at 0.
    fn source(
        &self,
        memory: Memory,
        value: &Value,
        [first, second]: [Access; 2],
        index: usize,
        mark: &str,
    ) -> String {
        let (ty, start) = (value.ty, self.start);
        let (result, scope, end) = match self.kind {
            Kind::Task => ("void", "rosser_scope", ""),
            Kind::Body => ("void", "rosser_procedure", ""),
            Kind::Function => ("void *", "rosser_scope", "    return NULL;\n"),
        };
        let pointer = memory.in_task(ty, self.arg);
        let task = |name: &str, statement: &str| {
            format!(
                "static {result} {name}_#({scope} *s, void *arg)\n{{\n    {pointer}\n    {statement}{mark}\n{end}}}\n"
            )
        };
        let run = match self.kind {
            Kind::Body => "rosser_call",
            Kind::Task | Kind::Function => "rosser_finish",
        };
        [
            memory.outside(ty),
            task("first", &first.statement(value, 0)),
            task("second", &second.statement(value, index)),
            self.between.to_owned(),
            format!("static void start_#({scope} *s, void *arg) {{ {start} }}\n"),
            format!(
                "static void run_#(void) {{ {} {run}(start_#, m); use(m);{} }}",
                memory.in_run(ty),
                memory.end()
            ),
        ]
        .concat()
    }
}
