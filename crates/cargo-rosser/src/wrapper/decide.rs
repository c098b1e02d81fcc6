//! What the compiler is called with. No function here touches anything but its arguments, except
//! that sources of rayon, and of rayon-core's own tests, are prepared on the way.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::runtime_cache::{AS_BITCODE, Runtime, WORKERS};
use crate::wrapper::configuration::Configuration;
use crate::wrapper::unit::Unit;
use crate::wrapper::{rayon, rayon_tests};

/// Lets options be used that are not stable: the runtime is linked by one.
const UNSTABLE: &str = "-Zunstable-options";

/// Has a crate compile the generic functions that it uses. At low levels rustc would otherwise take what another crate
/// has made of them, which may be one without checks, like those that come with the standard library for backtraces.
const OWN_GENERICS: &str = "-Zshare-generics=no";

/// Names of functions in the one scheme that the runtime and the stage know.
const NAMED: &str = "-Csymbol-mangling-version=v0";

/// Leaves bitcode as it was made, for the stage to put checks in.
const FOR_STAGE: &[&str] =
    &[AS_BITCODE, "-Cno-prepopulate-passes", "-Ccodegen-units=1", NAMED, DETECTED];

/// Leaves bitcode, optimised, beside the machine code.
const WITH_BITCODE: &str = "-Cembed-bitcode=yes";

/// Without an LLVM for the stage: the compiler's `ThreadSanitizer` pass, with callbacks that are ours, before
/// anything is optimised.
///
/// The pass ignores accesses of other sizes than 1 to 16 bytes. Function entries and exits are not needed: stacks
/// are walked by frame pointers. Equal functions stay apart, or one would be reported for the other.
const BY_COMPILER: &[&str] = &[
    "-Cunsafe-allow-abi-mismatch=sanitizer",
    "-Zsanitizer=thread",
    "-Zexternal-clangrt",
    "-Cllvm-args=-tsan-handle-cxx-exceptions=0",
    "-Cllvm-args=-tsan-instrument-func-entry-exit=0",
    "-Cno-prepopulate-passes",
    "-Cpasses=default<O3>",
    "-Zmerge-functions=disabled",
    NAMED,
    DETECTED,
];

/// For crates that are not instrumented, among others that are, by the compiler.
const AMONG_OTHERS: &str = "-Cunsafe-allow-abi-mismatch=sanitizer";

/// Tells the task library, and any crate that asks, that there is a detector to talk to.
const DETECTED: &str = "--cfg=rosser";

/// The task library and what it switches stacks with. They tell the detector what tasks do; how they do
/// it is not for the detector to see.
const TASK_LIBRARY: &[&str] = &["rosser", "corosensei"];

/// What the compiler links with if nobody says otherwise.
const DEFAULT_LINKER: &str = "cc";

/// For crates that tasks' stacks go through.
const WALKABLE: &str = "-Cforce-frame-pointers=yes";

/// The edition of rayon-core's replacement, and of the original's tests that may become part of
/// it: old versions of the original have an older one.
const SHIM_EDITION: &str = "--edition=2021";

/// A program to call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The program to start: the compiler, or another wrapper of the user's.
    pub program: OsString,
    /// The arguments, with what Rosser adds.
    pub arguments: Vec<OsString>,
    /// Whether flags among them are unstable.
    pub unstable: bool,
    /// What the user would link with, if we are to do it.
    pub linker: Option<OsString>,
    /// Libraries that the stage has something to do with, after the compiler.
    pub libraries: Vec<PathBuf>,
    /// Whether it puts checks into them. If not, it has them use what is not seen of the standard library.
    pub is_seen: bool,
    /// How far the stage is to optimise.
    pub level: u8,
}

impl Call {
    fn new(program: OsString, arguments: Vec<OsString>) -> Self {
        Self {
            program,
            arguments,
            unstable: false,
            linker: None,
            libraries: Vec::new(),
            is_seen: true,
            level: 3,
        }
    }
}

/// The same call, through the user's own wrapper if there is one.
pub fn chained(mut arguments: Vec<OsString>, configuration: &Configuration) -> Call {
    let program = match &configuration.chain {
        Some(wrapper) => wrapper.clone(),
        None => arguments.remove(0),
    };
    Call::new(program, arguments)
}

/// The call of a compiler; the first argument is the compiler.
pub fn rustc(arguments: Vec<OsString>, unit: &Unit, with: &Configuration) -> Result<Call> {
    let mut call = chained(arguments, with);
    if !unit.is_checked {
        return Ok(call);
    }
    call.unstable = true;
    call.arguments.extend([UNSTABLE, OWN_GENERICS].map(OsString::from));
    call.arguments.extend(sysroot(with));
    if with.llvm.is_none() {
        call.arguments.push(AMONG_OTHERS.into());
    }
    if unit.name == "rayon_core" {
        replace_rayon_core(&mut call, unit, with)?;
        return Ok(call);
    }
    if unit.is_shared_library() && with.llvm.is_none() {
        // What it depends on is instrumented all the same, and brings the runtime along.
        call.arguments.extend(searched(&with.runtime));
        return Ok(call);
    }
    if unit.name == "rayon" {
        use_copy_of_rayon(&mut call, unit, with)?;
    }
    call.arguments.push(WALKABLE.into());
    if TASK_LIBRARY.contains(&unit.name.as_str()) {
        call.arguments.extend([DETECTED, NAMED].map(OsString::from));
        if Runtime::has_workers(&with.runtime) {
            call.arguments.push(WORKERS.into());
        }
        use_twins(&mut call, unit, with);
    } else if with.uninstrumented.contains(&unit.name) {
        use_twins(&mut call, unit, with);
    } else {
        instrument(&mut call, with);
        if with.llvm.is_some() {
            call.libraries = unit.libraries();
            call.level = unit.level;
        }
    }
    link_with_runtime(&mut call, with);
    Ok(call)
}

/// Has a crate be instrumented, by the stage or else by the compiler.
fn instrument(call: &mut Call, with: &Configuration) {
    let flags = if with.llvm.is_some() { FOR_STAGE } else { BY_COMPILER };
    call.arguments.extend(flags.iter().map(OsString::from));
}

/// Has a library that is not seen use what is not seen of the standard library, if there is such a thing.
fn use_twins(call: &mut Call, unit: &Unit, with: &Configuration) {
    if Runtime::twins(&with.runtime).is_some() {
        call.arguments.push(WITH_BITCODE.into());
        call.libraries = unit.libraries();
        call.is_seen = false;
    }
}

/// Has a program be linked with the runtime: by us, or else by the compiler, which is told of it as of a crate.
fn link_with_runtime(call: &mut Call, with: &Configuration) {
    if with.llvm.is_some() {
        link_by_us(call);
    } else {
        call.arguments.extend(linked(&with.runtime));
    }
}

/// The call of rustdoc, which compiles and runs doctests all by itself. `can_split` says whether
/// it knows how to make a program of each, whatever the edition: merged ones are compiled from a
/// file that nobody has written.
pub fn rustdoc(arguments: Vec<OsString>, can_split: bool, with: &Configuration) -> Call {
    let program = with.rustdoc.clone();
    let mut call = Call::new(program, arguments);
    if runs_doctests(&call.arguments) {
        call.unstable = true;
        call.arguments.extend([UNSTABLE, OWN_GENERICS].map(OsString::from));
        call.arguments.extend(sysroot(with));
        instrument(&mut call, with);
        call.arguments.push(WALKABLE.into());
        link_with_runtime(&mut call, with);
        // Profiles say nothing to rustdoc.
        call.arguments.push("-Cdebuginfo=limited".into());
        // The report needs the executables, which would be deleted after they ran.
        call.arguments.push("--persist-doctests".into());
        call.arguments.push(with.build.join("doctests").into());
        if can_split {
            call.arguments.push("--merge-doctests=no".into());
        }
    }
    call
}

/// Has programs be compiled and linked with the standard library that is seen.
fn sysroot(with: &Configuration) -> Option<OsString> {
    let mut flag = OsString::from("--sysroot=");
    flag.push(Runtime::sysroot(&with.runtime)?);
    Some(flag)
}

/// The linker is this executable.
fn link_by_us(call: &mut Call) {
    let Ok(us) = env::current_exe() else { return };
    let linker = linker(&call.arguments).unwrap_or_else(|| DEFAULT_LINKER.into());
    call.linker = Some(linker);
    let mut flag = OsString::from("-Clinker=");
    flag.push(us);
    call.arguments.push(flag);
}

/// What the user links with, if that is something that calls the linker and knows the C library: a C compiler.
fn linker(arguments: &[OsString]) -> Option<OsString> {
    let mut found = None;
    let mut after_c = false;
    for argument in arguments {
        let text = argument.to_string_lossy();
        let option = if after_c { Some(&*text) } else { text.strip_prefix("-C") };
        after_c = text == "-C";
        if let Some(linker) = option.and_then(|option| option.strip_prefix("linker=")) {
            found = Some(OsString::from(linker));
        }
    }
    found.filter(|linker| {
        let name = Path::new(linker).file_stem().unwrap_or_default().to_string_lossy();
        ["cc", "c++", "g++", "clang"].iter().any(|compiler| name.contains(compiler))
    })
}

/// Whether rustdoc is called to run doctests, not to write documentation.
pub fn runs_doctests(arguments: &[OsString]) -> bool {
    arguments.iter().any(|argument| argument == "--test")
}

/// Links the runtime although the crate does not mention it, and without its name becoming
/// visible there.
fn linked(runtime: &Path) -> [OsString; 4] {
    let mut library = OsString::from("noprelude,nounused,force:rosser_runtime=");
    library.push(Runtime::library(runtime));
    let [flag, directory] = searched(runtime);
    ["--extern".into(), library, flag, directory]
}

/// Lets the runtime be found for crates that need it.
fn searched(runtime: &Path) -> [OsString; 2] {
    let mut directory = OsString::from("dependency=");
    directory.push(runtime);
    ["-L".into(), directory]
}

/// Where among the arguments the root of the crate is, if it is called `lib.rs`.
fn root_of(call: &Call) -> Option<usize> {
    call.arguments.iter().position(|argument| {
        let bytes = argument.as_encoded_bytes();
        bytes.ends_with(b"lib.rs") && bytes[0] != b'-'
    })
}

/// Compiles a copy of rayon whose leaves tell their items apart, if it is not worked on: cargo would not notice when the
/// original changes. Reports show the original's files.
fn use_copy_of_rayon(call: &mut Call, unit: &Unit, with: &Configuration) -> Result<()> {
    let is_dependency = call.arguments.iter().any(|argument| argument == "--cap-lints");
    let Some(root) = root_of(call) else { return Ok(()) };
    if unit.is_test || !is_dependency || Runtime::has_workers(&with.runtime) {
        return Ok(());
    }
    let original = PathBuf::from(&call.arguments[root]);
    let copy = with.build.join(format!("rayon-{}{}", unit.version, unit.suffix));
    let Some(edited) = rayon::prepare(&original, &copy)? else { return Ok(()) };
    call.arguments[root] = edited.into();
    let mut remapped = OsString::from("--remap-path-prefix=");
    remapped.push(copy);
    remapped.push("=");
    remapped.push(original.parent().unwrap_or(&original));
    call.arguments.push(remapped);
    Ok(())
}

/// Compiles our own crate instead of rayon-core, un-instrumented.
fn replace_rayon_core(call: &mut Call, unit: &Unit, with: &Configuration) -> Result<()> {
    if !is_supported(&unit.version) {
        return Err(Error::usage(format!(
            "rayon-core {} is not supported: Rosser replaces rayon-core 1.9 and later versions \
             of 1 (rayon 1.5 and later)",
            unit.version
        )));
    }
    let Some(root) = root_of(call) else {
        return Err(Error::usage("rayon-core is compiled in an unknown way: no lib.rs"));
    };
    let replacement = Runtime::rayon_core(&with.runtime);
    let original = std::mem::replace(&mut call.arguments[root], replacement.into());
    // Reports show the replacement's frames as if they were the original's.
    let mut remapped = OsString::from("--remap-path-prefix=");
    remapped.push(with.runtime.join("rayon-core"));
    remapped.push(format!("=/registry/src/rosser/rayon-core-{}", unit.version));
    call.arguments.push(remapped);
    if unit.is_test {
        let tests = with.build.join("rayon-core-tests");
        call.arguments[root] =
            rayon_tests::prepare(Path::new(&original), &with.runtime, &tests)?.into();
    }
    for argument in &mut call.arguments {
        if argument.as_encoded_bytes().starts_with(b"--edition=") {
            *argument = SHIM_EDITION.into();
        }
    }
    call.arguments.push(WALKABLE.into());
    if with.llvm.is_some() {
        call.arguments.push("--cfg=rosser_staged".into());
    } else if Runtime::can_hide_functions(&with.runtime) {
        call.arguments.push("--cfg=rosser_unseen".into());
    }
    // Where it is a member of the workspace, that one's lints are for the original.
    call.arguments.push("--cap-lints=allow".into());
    if Runtime::has_workers(&with.runtime) {
        call.arguments.push(WORKERS.into());
    }
    use_twins(call, unit, with);
    link_with_runtime(call, with);
    Ok(())
}

/// Whether our replacement has the API of that version.
fn is_supported(version: &str) -> bool {
    let mut parts = version.split('.').map(str::parse::<u32>);
    matches!((parts.next(), parts.next()), (Some(Ok(1)), Some(Ok(minor))) if minor >= 9)
}
