//! Builders: handlers, names, threads of the program's own.

use std::error::Error;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::thread;

use rayon_core::{ThreadPoolBuilder, current_thread_index};

/// What the handlers were called with, in order.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn note(&self, entry: impl Into<String>) {
        self.0.lock().unwrap().push(entry.into());
    }

    fn handler(&self, what: &'static str) -> impl Fn(usize) + Send + Sync + 'static {
        let log = self.clone();
        move |index| {
            assert_eq!(current_thread_index(), Some(index));
            log.note(format!("{what} {index}"));
        }
    }

    fn builder(&self) -> ThreadPoolBuilder {
        ThreadPoolBuilder::new()
            .num_threads(2)
            .start_handler(self.handler("start"))
            .exit_handler(self.handler("exit"))
    }

    fn entries(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

#[test]
fn handlers_are_called_in_order() {
    let log = Log::default();
    let names = log.clone();
    let pool = log
        .builder()
        .thread_name(move |index| {
            names.note(format!("name {index}"));
            String::new()
        })
        .build()
        .unwrap();
    pool.spawn({
        let log = log.clone();
        move || log.note("task")
    });
    log.note("drop");
    drop(pool);
    let expected = ["name 0", "start 0", "name 1", "start 1", "task", "drop", "exit 0", "exit 1"];
    assert_eq!(log.entries(), expected);
}

#[test]
fn panics_of_handlers_go_to_the_panic_handler() {
    let log = Log::default();
    let panics = log.clone();
    let pool = ThreadPoolBuilder::new()
        .num_threads(1)
        .start_handler(|_| panic!("start"))
        .exit_handler(|_| panic!("exit"))
        .panic_handler(move |payload| panics.note(*payload.downcast_ref::<&str>().unwrap()))
        .build();
    drop(pool.unwrap());
    assert_eq!(log.entries(), ["start", "exit"]);
}

#[test]
fn a_build_that_fails_stops_what_it_started() {
    let log = Log::default();
    let builder = log.builder().thread_name(|index| {
        assert!(index == 0, "no name");
        String::from("zero")
    });
    assert!(catch_unwind(AssertUnwindSafe(|| builder.build())).is_err());
    assert_eq!(log.entries(), ["start 0", "exit 0"]);
}

#[test]
fn a_stack_that_cannot_be_had_is_an_error() {
    let error = ThreadPoolBuilder::new().stack_size(isize::MAX.unsigned_abs()).build().unwrap_err();
    assert!(error.source().is_some());
}

#[test]
fn an_error_of_the_spawn_handler_is_passed_on() {
    let error = ThreadPoolBuilder::new()
        .spawn_handler(|_| Err(io::Error::other("no threads today")))
        .build()
        .unwrap_err();
    assert_eq!(error.to_string(), "no threads today");
    assert_eq!(error.source().unwrap().to_string(), "no threads today");
}

#[test]
fn threads_of_a_spawn_handler_live_as_long_as_the_pool() {
    let log = Log::default();
    let mut threads = Vec::new();
    let pool = log
        .builder()
        .thread_name(|index| format!("named {index}"))
        .stack_size(100_000)
        .spawn_handler(|builder| {
            assert_eq!(builder.index(), threads.len());
            assert_eq!(builder.name(), Some(format!("named {}", threads.len()).as_str()));
            assert_eq!(builder.stack_size(), Some(100_000));
            threads.push(thread::spawn(move || {
                builder.run();
                assert_eq!(current_thread_index(), None);
            }));
            Ok(())
        })
        .build()
        .unwrap();
    assert_eq!(pool.install(current_thread_index), Some(0));
    log.note("drop");
    drop(pool);
    for thread in threads {
        thread.join().unwrap();
    }
    let mut entries = log.entries();
    entries.sort();
    assert_eq!(entries, ["drop", "exit 0", "exit 1", "start 0", "start 1"]);
}

#[test]
fn build_scoped_ends_its_threads() {
    let log = Log::default();
    let borrowed = &log;
    let wrapper = move |builder: rayon_core::ThreadBuilder| {
        builder.run();
        borrowed.note("ended");
    };
    let result = log.builder().build_scoped(wrapper, |pool| pool.install(|| 7)).unwrap();
    assert_eq!(result, 7);
    let mut entries = log.entries();
    entries.sort();
    assert_eq!(entries, ["ended", "ended", "exit 0", "exit 1", "start 0", "start 1"]);
}

#[test]
fn the_current_thread_is_used_once() {
    // Tests may share threads, and this one is used up afterwards.
    let used = thread::spawn(|| {
        let pool = ThreadPoolBuilder::new().num_threads(2).use_current_thread().build().unwrap();
        assert_eq!(current_thread_index(), Some(0));
        assert_eq!(rayon_core::current_num_threads(), 2);
        pool.spawn(|| assert_eq!(current_thread_index(), Some(1)));
        assert_eq!(pool.join(current_thread_index, || ()).0, Some(0));
        let error = ThreadPoolBuilder::new().use_current_thread().build().unwrap_err();
        assert_eq!(error.to_string(), "The current thread is already part of another thread pool.");
        assert!(error.source().is_none());
        drop(pool);
        current_thread_index()
    });
    assert_eq!(used.join().unwrap(), Some(0));
}

#[test]
#[allow(deprecated)]
fn the_configuration_of_old_is_a_builder() {
    let log = Log::default();
    let pool = rayon_core::Configuration::new()
        .num_threads(2)
        .thread_name(|_| String::new())
        .stack_size(100_000)
        .breadth_first()
        .panic_handler(|_| ())
        .start_handler(log.handler("start"))
        .exit_handler(log.handler("exit"))
        .build()
        .unwrap();
    assert_eq!(pool.current_num_threads(), 2);
    drop(pool);
    assert_eq!(log.entries(), ["start 0", "start 1", "exit 0", "exit 1"]);
    let pool = rayon_core::ThreadPool::new(rayon_core::Configuration::new().num_threads(3));
    assert_eq!(pool.unwrap().current_num_threads(), 3);
}

#[test]
fn what_is_printed() {
    let builder = ThreadPoolBuilder::new().num_threads(2).panic_handler(|_| ());
    assert_eq!(
        format!("{builder:?}"),
        "ThreadPoolBuilder { num_threads: 2, use_current_thread: false, get_thread_name: None, \
         panic_handler: Some(<closure>), stack_size: None, start_handler: None, \
         exit_handler: None, breadth_first: false }"
    );
    let pool = builder.build().unwrap();
    assert!(format!("{pool:?}").starts_with("ThreadPool { num_threads: 2, id: "));
}

#[test]
fn more_threads_than_can_be_are_not_made() {
    let pool = ThreadPoolBuilder::new().num_threads(usize::MAX).build().unwrap();
    assert_eq!(pool.current_num_threads(), rayon_core::max_num_threads());
}
