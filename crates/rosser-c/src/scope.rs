//! Finish and async, and scopes that are begun and ended.
//!
//! In C a scope is a pointer that can be passed on: all tasks of a scope have the same, and it is good
//! until the scope has ended. A task of the scope must not end it, for it would wait for itself; so
//! the one who begins a scope is given another pointer than its tasks are.
#![allow(unsafe_code, reason = "the interface is one of C")]

use std::ffi::{c_char, c_uint, c_void};
use std::mem::ManuallyDrop;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::AtomicUsize;

use rosser::raw::{self, Place};

use crate::call::{Argument, Call};
use crate::future::Future;
use crate::handle::{Life, Live, bury};
use crate::register::{Listed, Register};

/// What a task does: `rosser_task`.
pub type Task = unsafe extern "C-unwind" fn(*const Handle, *mut c_void);

/// Where tasks are started: `rosser_scope`.
#[repr(C)]
pub struct Handle {
    life: Life,
    tasks: *const rosser::Finish<'static>,
    /// What its tasks are given.
    member: *const Handle,
    finish: *const Finish,
    /// What can be ended with it; null for tasks.
    ends: *mut Scope,
}

/// A finish that is under way.
pub(crate) struct Finish {
    member: Handle,
    /// Scopes inside that have not been ended.
    open: Register<Scope>,
    /// They are freed with the finish, if not before.
    pub(crate) futures: Register<Future>,
}

/// A scope inside a finish.
struct Scope {
    owner: Handle,
    member: Handle,
    inner: ManuallyDrop<rosser::Scope<'static, 'static>>,
    /// Where it was ended. Its tasks may still use it then; when they have ended, its life ends.
    ended_at: OnceLock<Place>,
    slot: AtomicUsize,
}

/// A finish, on its way from its body to the one who waits for it.
struct Waited(*mut Finish);

// SAFETY: it is used again when its body and all tasks have ended.
unsafe impl Send for Waited {}

/// What tasks are given, on its way to one.
#[derive(Clone, Copy)]
pub(crate) struct Member(*const Handle);

// SAFETY: handles are meant to be reached from every thread: see `Handle`.
unsafe impl Send for Member {}

impl Live for Handle {
    const KIND: &'static str = "scope";
    const MAGIC: u64 = u64::from_ne_bytes(*b"rosser:s");

    fn life(&self) -> &Life {
        &self.life
    }
}

impl Listed for Scope {
    fn slot(&self) -> &AtomicUsize {
        &self.slot
    }
}

impl Handle {
    /// A handle that leads nowhere yet.
    fn new(at: Place) -> Self {
        Self {
            life: Life::begin::<Self>(at),
            tasks: ptr::null(),
            member: ptr::null(),
            finish: ptr::null(),
            ends: ptr::null_mut(),
        }
    }

    /// Where to start tasks.
    ///
    /// # Safety
    /// It must not be used when the scope has ended.
    pub(crate) unsafe fn tasks(&self) -> &'static rosser::Finish<'static> {
        // SAFETY: it lives until the scope ends.
        unsafe { &*self.tasks }
    }

    pub(crate) fn member(&self) -> Member {
        Member(self.member)
    }

    pub(crate) fn finish(&self) -> *const Finish {
        self.finish
    }
}

impl Member {
    pub(crate) fn pointer(self) -> *const Handle {
        self.0
    }
}

impl Finish {
    fn begin(inner: &rosser::Finish<'static>, at: Place) -> *mut Self {
        let (open, futures) = (Register::new(), Register::new());
        let this = Box::into_raw(Box::new(Self { member: Handle::new(at), open, futures }));
        // SAFETY: just made, and not known to anybody.
        unsafe {
            let member = &raw const (*this).member;
            (*this).member.tasks = inner;
            (*this).member.member = member;
            (*this).member.finish = this;
        }
        this
    }

    /// # Safety
    /// All its tasks must have ended.
    unsafe fn end(this: *mut Self, call: Call) {
        // SAFETY: made by `begin`, and tasks do not use it any more.
        let this = unsafe { Box::from_raw(this) };
        if this.member.life.end(call.at()).is_err() {
            unreachable!("ended here alone");
        }
        if let Some(&open) = this.open.take().first() {
            // SAFETY: what has not been ended lives.
            let begun_at = unsafe { &*open }.owner.life.made_at();
            call.fail(format_args!(
                "the scope begun at {begun_at} was not ended inside its finish"
            ));
        }
        for future in this.futures.take() {
            // SAFETY: its task has ended, and nobody has freed it.
            unsafe { Future::free(future.cast_mut(), call) };
        }
        bury(this);
    }
}

impl Scope {
    /// # Safety
    /// As for [`Handle::tasks`].
    unsafe fn begin(outer: &Handle, at: Place) -> *const Handle {
        let this = Box::into_raw(Box::new(Self {
            owner: Handle::new(at),
            member: Handle::new(at),
            // SAFETY: as the caller promises.
            inner: ManuallyDrop::new(unsafe { outer.tasks() }.begin()),
            ended_at: OnceLock::new(),
            slot: AtomicUsize::new(0),
        }));
        // SAFETY: just made, and not known to anybody.
        unsafe {
            let (member, tasks) = (&raw const (*this).member, &raw const **(*this).inner);
            for handle in [&mut (*this).owner, &mut (*this).member] {
                handle.tasks = tasks;
                handle.member = member;
                handle.finish = outer.finish;
            }
            (*this).owner.ends = this;
            (*outer.finish).open.add(this);
            &raw const (*this).owner
        }
    }

    /// Waits for the tasks.
    ///
    /// # Safety
    /// The scope's life must not have ended.
    unsafe fn end(this: *mut Self, call: Call) {
        // SAFETY: it lives until the end of this function.
        let scope = unsafe { &*this };
        if scope.ended_at.set(call.at()).is_err() {
            let (begun_at, ended_at) = (scope.owner.life.made_at(), scope.ended_at.wait());
            call.fail(format_args!(
                "the scope begun at {begun_at} is just being ended, at {ended_at}"
            ));
        }
        // SAFETY: moved out once, since nobody else comes here. What remains is used by tasks alone, and
        // those have ended before the original does.
        let inner = unsafe { ptr::read(&raw const *scope.inner) };
        call.run(|| inner.end());
        for handle in [&scope.owner, &scope.member] {
            if handle.life.end(call.at()).is_err() {
                unreachable!("ended here alone");
            }
        }
        // SAFETY: a scope is ended inside its finish, and this one was open.
        unsafe { (*scope.owner.finish).open.remove(this) };
        // SAFETY: made by `begin`.
        bury(unsafe { Box::from_raw(this) });
    }
}

/// `rosser_finish`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_finish_at(
    body: Option<Task>,
    arg: *mut c_void,
    file: *const c_char,
    line: c_uint,
) {
    // SAFETY: as `rosser.h` says.
    let call = unsafe { Call::new("rosser_finish", file, line) };
    let (body, arg) = (call.function(body), Argument::new(arg));
    call.forbid_in_isolated();
    let Waited(finish) = call.run(|| {
        rosser::finish(|inner| {
            let finish = Finish::begin(inner, call.at());
            // SAFETY: body and argument belong together, as the caller promises.
            unsafe { body(&raw const (*finish).member, arg.pointer()) };
            Waited(finish)
        })
    });
    // SAFETY: they have ended.
    unsafe { Finish::end(finish, call) };
}

/// `rosser_async`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_async_at(
    s: *const Handle,
    task: Option<Task>,
    arg: *mut c_void,
    file: *const c_char,
    line: c_uint,
) {
    // SAFETY: as `rosser.h` says.
    let call = unsafe { Call::new("rosser_async", file, line) };
    // SAFETY: as `rosser.h` says.
    let handle = unsafe { call.handle(s) };
    let (task, arg, member) = (call.function(task), Argument::new(arg), handle.member());
    call.forbid_in_isolated();
    // SAFETY: task and argument belong together, as the caller promises.
    let body = move || unsafe { task(member.pointer(), arg.pointer()) };
    // SAFETY: the scope has not ended, as the caller promises.
    call.run(|| raw::spawn(unsafe { handle.tasks() }, body, call.here()));
}

/// `rosser_async_copy`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_async_copy_at(
    s: *const Handle,
    task: Option<Task>,
    arg: *const c_void,
    size: usize,
    file: *const c_char,
    line: c_uint,
) {
    // SAFETY: as `rosser.h` says.
    let call = unsafe { Call::new("rosser_async_copy", file, line) };
    // SAFETY: as `rosser.h` says.
    let handle = unsafe { call.handle(s) };
    let (task, member) = (call.function(task), handle.member());
    call.forbid_in_isolated();
    let mut copy = vec![0_u128; size.div_ceil(size_of::<u128>())];
    if size > 0 {
        // SAFETY: there are `size` bytes at `arg`, as the caller promises, and room for them.
        unsafe { ptr::copy_nonoverlapping(arg.cast::<u8>(), copy.as_mut_ptr().cast(), size) };
    }
    // SAFETY: task and argument belong together, as the caller promises.
    let body = move || unsafe { task(member.pointer(), copy.as_mut_ptr().cast()) };
    // SAFETY: the scope has not ended, as the caller promises.
    call.run(|| raw::spawn(unsafe { handle.tasks() }, body, call.here()));
}

/// `rosser_begin`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_begin_at(
    s: *const Handle,
    file: *const c_char,
    line: c_uint,
) -> *const Handle {
    // SAFETY: as `rosser.h` says.
    let call = unsafe { Call::new("rosser_begin", file, line) };
    // SAFETY: as `rosser.h` says.
    let outer = unsafe { call.handle(s) };
    // SAFETY: the scope has not ended, as the caller promises.
    call.run(|| unsafe { Scope::begin(outer, call.at()) })
}

/// `rosser_end`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_end_at(s: *const Handle, file: *const c_char, line: c_uint) {
    // SAFETY: as `rosser.h` says.
    let call = unsafe { Call::new("rosser_end", file, line) };
    // SAFETY: as `rosser.h` says.
    let handle = unsafe { call.handle(s) };
    if handle.ends.is_null() {
        call.fail(
            "rosser_end was given the scope of a finish or of a task: \
             what `rosser_begin` has returned can be ended, and nothing else",
        );
    }
    call.forbid_in_isolated();
    // SAFETY: the handle's life is that of the scope.
    unsafe { Scope::end(handle.ends, call) };
}
