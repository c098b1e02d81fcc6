//! The environment in which cargo is called: all that makes an ordinary build an instrumented
//! one. `show-env` prints exactly this.

use std::env;
use std::ffi::OsString;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::thread;

use crate::cache;
use crate::cargo_config::CargoConfig;
use crate::cli::{Invocation, Subcommand};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::message::Terminal;
use crate::runtime_cache::{self, Build, Checks, Runtime};
use crate::settings::Mode;
use crate::toolchain::{HOST, Toolchain, WORKS_WITH};
use crate::wrapper::{Configuration, c_compiler};

/// Variables and their values, in the order in which they are shown.
pub type Variables = Vec<(String, OsString)>;

/// Everything that is set.
pub fn variables(
    context: &Context,
    invocation: &Invocation,
    run_directory: &Path,
    terminal: Terminal,
) -> Result<Variables> {
    let config = CargoConfig::read(&invocation.common);
    let toolchain = Toolchain::new(&config)?;
    let targets = invocation.target.clone().map_or_else(|| config.targets(), |target| vec![target]);
    if let Some(other) = targets.iter().find(|target| *target != HOST) {
        return Err(Error::usage(format!("cannot check programs for {other}\n{WORKS_WITH}")));
    }
    let llvm = toolchain.llvm();
    let settings = &context.settings;
    check_stack(settings.stack_size)?;
    let build = Build {
        mode: context.mode,
        checks: match &llvm {
            Some(_) if settings.is_std_seen => Checks::StagedWithStd,
            Some(_) => Checks::Staged,
            None => Checks::ByCompiler,
        },
        has_workers: settings.has_workers(),
        // For measurements only.
        is_for_valgrind: env::var_os("ROSSER_FOR_VALGRIND").is_some(),
    };
    let runtime = runtime_cache::prepare(&toolchain, build, terminal)?;
    let executable = env::current_exe()
        .map_err(|error| Error::usage(format!("cannot find this executable: {error}")))?;
    let wrapper = Configuration {
        llvm,
        ..configuration(context, &config, &toolchain, &runtime, &executable)
    };
    let mut variables: Variables = vec![
        ("RUSTC_WRAPPER".into(), executable.clone().into()),
        // The compiler's version, with our key in it, must not be cached: settings change it.
        ("CARGO_CACHE_RUSTC_INFO".into(), "0".into()),
        ("CARGO_TARGET_DIR".into(), context.build_directory().into()),
        // With an explicit target cargo keeps build scripts and proc-macros apart.
        ("CARGO_BUILD_TARGET".into(), HOST.into()),
        ("CARGO_INCREMENTAL".into(), "0".into()),
    ];
    if settings.doctests {
        variables.push(("RUSTDOC".into(), executable.into()));
    }
    variables.extend(c_compiler::variables()?);
    variables.extend(wrapper.variables());
    variables.extend(profiles(context, invocation, build));
    variables.extend([
        ("ROSSER_RUN_DIR".into(), run_directory.into()),
        ("ROSSER_GRAIN".into(), settings.grain.clone().into()),
        ("ROSSER_ITEMS".into(), settings.items.clone().into()),
        ("ROSSER_DETECTOR".into(), settings.detector.name().into()),
        ("ROSSER_WORKERS".into(), settings.workers.to_string().into()),
        // A finding belongs to the test that ran when it was found.
        ("RUST_TEST_THREADS".into(), "1".into()),
        ("RUST_MIN_STACK".into(), settings.stack_size.to_string().into()),
    ]);
    // Tasks with stacks of their own get what threads would have got.
    if let Some(size) = env::var_os("RUST_MIN_STACK") {
        variables.push(("ROSSER_TASK_STACK".into(), size));
    }
    // A relative path means another directory where cargo calls compilers.
    if env::var_os("ROSSER_CACHE_DIR").is_some_and(|value| Path::new(&value).is_relative()) {
        let cache = cache::root()?;
        variables.push(("ROSSER_CACHE_DIR".into(), cache.parent().unwrap_or(&cache).into()));
    }
    if let Some(color) = settings.color {
        let word = if color { "always" } else { "never" };
        variables.push(("CARGO_TERM_COLOR".into(), word.into()));
    }
    Ok(variables)
}

/// Whether threads can have so large a stack. Those of cargo get one, too, and would fail without saying why.
pub fn check_stack(bytes: u64) -> Result<()> {
    let thread = usize::try_from(bytes)
        .map_err(|_| std::io::ErrorKind::OutOfMemory.into())
        .and_then(|bytes| thread::Builder::new().stack_size(bytes).spawn(|| ()));
    match thread {
        Ok(thread) => {
            let _ = thread.join();
            Ok(())
        }
        Err(_) => Err(Error::usage(format!(
            "this system has no room for a stack of {} MiB: choose a smaller `stack-size`",
            bytes >> 20
        ))),
    }
}

/// What the wrapper has to know.
fn configuration(
    context: &Context,
    config: &CargoConfig,
    toolchain: &Toolchain,
    runtime: &Runtime,
    executable: &Path,
) -> Configuration {
    let not_us = |program: &OsString| Path::new(program) != executable;
    let chain = config.program("RUSTC_WRAPPER", "rustc-wrapper");
    let chain = chain.filter(not_us).or_else(Configuration::chain_of_environment);
    let rustdoc = config.program("RUSTDOC", "rustdoc").filter(not_us);
    let rustdoc = rustdoc
        .or_else(Configuration::rustdoc_of_environment)
        .unwrap_or_else(|| beside(toolchain).map_or_else(|| "rustdoc".into(), PathBuf::into));
    let mut uninstrumented: Vec<String> =
        context.settings.uninstrumented.iter().map(|name| name.replace('-', "_")).collect();
    uninstrumented.sort();
    let mut hasher = DefaultHasher::new();
    (&runtime.key, &uninstrumented).hash(&mut hasher);
    Configuration {
        runtime: runtime.directory.clone(),
        build: context.build_directory(),
        key: format!("{:016x}", hasher.finish()),
        chain,
        rustdoc,
        uninstrumented,
        llvm: None,
        is_quick: context.mode == Mode::Quick,
    }
}

/// The rustdoc of the same toolchain.
fn beside(toolchain: &Toolchain) -> Option<PathBuf> {
    Some(toolchain.sysroot()?.join("bin/rustdoc")).filter(|rustdoc| rustdoc.is_file())
}

/// Overrides for the profiles in use. What the program means (debug assertions, overflow checks,
/// panics) stays as the profile says.
fn profiles(context: &Context, invocation: &Invocation, build: Build) -> Variables {
    let default_level = match build.mode {
        Mode::Fast => "3",
        Mode::Quick => "2",
    };
    let own = [
        ("OPT_LEVEL", context.settings.opt_level.as_deref().unwrap_or(default_level)),
        ("LTO", "off"),
        // What is inlined before checks are put in, and optimised away, needs none.
        ("CODEGEN_UNITS", "1"),
        // Line tables, and names of inlined functions with their crates and modules.
        ("DEBUG", "limited"),
        ("STRIP", "none"),
        ("SPLIT_DEBUGINFO", "off"),
    ];
    let names: Vec<&str> = match (&invocation.profile, invocation.subcommand) {
        (Some(profile), _) => vec![profile],
        (None, Subcommand::Bench) => vec!["release", "bench"],
        (None, _) => vec!["dev", "test"],
    };
    let mut variables = Vec::new();
    for name in names {
        let name = name.to_uppercase().replace('-', "_");
        for (key, value) in own {
            variables.push((format!("CARGO_PROFILE_{name}_{key}"), value.into()));
        }
    }
    variables
}
