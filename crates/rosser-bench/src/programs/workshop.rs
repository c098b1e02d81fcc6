//! Where the programs are built: a target directory for each build, below the workspace's own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::building::{self, Building};
use super::instructions;
use super::program::Program;
use super::run::{self, NoOutcome, Outcome};
use super::variant::{Build, Variant};

/// The only platform there is.
const TARGET: &str = "x86_64-unknown-linux-gnu";
/// What makes stock rustc build with `ThreadSanitizer`, without rebuilding the standard library.
const SANITIZER_FLAGS: &str = "-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer";
/// The packages of programs, by their names under `examples`.
pub const PACKAGES: [&str; 3] = ["papers", "kernels", "users"];

/// The built programs.
pub struct Workshop {
    directory: PathBuf,
    /// By package and build.
    executables: Vec<(&'static str, Build, PathBuf)>,
    /// What building took, if it was measured.
    pub building: Building,
}

impl Workshop {
    /// Builds `cargo rosser`, then the packages that are wanted in all builds that are needed.
    pub fn build(
        package: Option<&str>,
        variants: &[Variant],
        counts_instructions: bool,
        measures_building: bool,
    ) -> Result<Self, String> {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let this = std::env::current_exe().map_err(|error| error.to_string())?;
        let target = this.ancestors().nth(2).ok_or("this executable is in no target directory")?;
        let directory = target.join("programs");

        eprintln!("building cargo-rosser");
        let mut command = cargo(&workspace.join("Cargo.toml"), target);
        finish(command.args(["--package", "cargo-rosser"]))?;
        let cargo_rosser = target.join("release/cargo-rosser");

        let (mut executables, mut building) = (Vec::new(), Building::default());
        for name in PACKAGES.into_iter().filter(|name| package.is_none_or(|only| only == *name)) {
            let package = workspace.join("examples").join(name);
            let manifest = package.join("Cargo.toml");
            for build in Build::ALL {
                let is_needed = |variant: &Variant| {
                    variant.build() == build
                        || counts_instructions && variant.counted_build() == Some(build)
                };
                let is_listed = build == Build::Plain;
                if !is_listed && !variants.iter().any(is_needed) {
                    continue;
                }
                eprintln!("building {name}: {}", build.name());
                let directory = directory.join(build.name());
                let command = || building_command(build, &cargo_rosser, &manifest, &directory);
                let said = finish(&mut command())?;
                let executable = match build {
                    Build::Plain => directory.join("release").join(name),
                    Build::Sanitizer => directory.join(TARGET).join("release").join(name),
                    Build::Checked | Build::Parallel | Build::Counted => said.trim_end().into(),
                };
                executables.push((name, build, executable));
                if measures_building && is_compared(build) {
                    building.add(name, build, building::again(&package, &mut command())?);
                }
            }
        }
        if executables.is_empty() {
            return Err(format!("the packages are {}", PACKAGES.join(", ")));
        }
        Ok(Self { directory, executables, building })
    }

    /// All programs.
    pub fn programs(&self) -> Result<Vec<Program>, String> {
        let mut programs = Vec::new();
        for (package, _, executable) in
            self.executables.iter().filter(|(_, build, _)| *build == Build::Plain)
        {
            let list = finish(Command::new(executable).arg("list"))?;
            programs.extend(list.lines().filter_map(|line| Program::parse(package, line)));
        }
        Ok(programs)
    }

    /// Runs a program once, for a limited time.
    pub fn run(
        &self,
        variant: Variant,
        program: &Program,
        size: &str,
        patience: Duration,
    ) -> Result<Outcome, NoOutcome> {
        let mut command = Command::new("timeout");
        command.arg(patience.as_secs().to_string());
        if variant == Variant::Helgrind {
            // Reports cost nothing: the standard library's locks are unknown to it.
            let quiet = ["--error-limit=no", "--quiet", "--log-file=/dev/null"];
            command.args(["valgrind", "--tool=helgrind"]).args(quiet);
        }
        self.run_under(command, variant.build(), variant, program, size)
    }

    /// How many instructions a program takes that way.
    pub fn count(&self, variant: Variant, program: &Program) -> Result<u64, NoOutcome> {
        let (Some(build), counts) = (variant.counted_build(), self.directory.join("callgrind"))
        else {
            return Err(NoOutcome::NotAdmitted);
        };
        let mut command = Command::new("valgrind");
        command.args(["--tool=callgrind", "--quiet", "--log-file=/dev/null"]);
        command.arg(format!("--callgrind-out-file={}", counts.display()));
        self.run_under(command, build, variant, program, instructions::SIZE)?;
        let counted = fs::read_to_string(&counts).map_err(|error| error.to_string())?;
        Ok(instructions::total(&counted).ok_or("callgrind tells no total")?)
    }

    /// Lets a command run a program once.
    fn run_under(
        &self,
        mut command: Command,
        build: Build,
        variant: Variant,
        program: &Program,
        size: &str,
    ) -> Result<Outcome, NoOutcome> {
        let failed = |why: String| {
            NoOutcome::Failed(format!("{}, {}: {why}", program.full_name(), variant.name()))
        };
        let wanted = (program.package, build);
        let found = self.executables.iter().find(|built| (built.0, built.1) == wanted);
        let executable = &found.ok_or_else(|| failed("it was not built".to_owned()))?.2;
        command.arg(executable).args([&program.name, size]);
        let workers = variant.workers().to_string();
        // Not even reports cost ThreadSanitizer anything: std is not instrumented, so that it takes
        // some of what rayon does for races.
        command.env("RAYON_NUM_THREADS", &workers).env("TSAN_OPTIONS", "report_bugs=0");
        match variant {
            Variant::Tasks => command.env("ROSSER_FOLLOW", "tasks"),
            Variant::Paper => command.env("ROSSER_DETECTOR", program.detector().unwrap_or("auto")),
            Variant::Parallel => {
                command.env("ROSSER_DETECTOR", "sf-order").env("ROSSER_WORKERS", &workers)
            }
            _ => &mut command,
        };
        if !variant.is_checked() {
            return run::unchecked(command).map_err(failed);
        }
        // Whatever an earlier run has left must not be taken for this one's.
        let runs = self.directory.join("runs");
        let _ = fs::remove_dir_all(&runs);
        fs::create_dir_all(&runs).map_err(|error| failed(error.to_string()))?;
        command.env("ROSSER_RUN_DIR", &runs);
        let has_findings = program.is_order_dependent && variant != Variant::Tasks;
        run::checked(command, &runs, has_findings).map_err(|nothing| match nothing {
            NoOutcome::Failed(why) => failed(why),
            NoOutcome::NotAdmitted => nothing,
        })
    }
}

/// Whether Helgrind can be run, and instructions counted.
pub fn has_valgrind() -> bool {
    Command::new("valgrind").arg("--version").output().is_ok()
}

/// The builds that are compared with each other.
fn is_compared(build: Build) -> bool {
    matches!(build, Build::Plain | Build::Checked | Build::Sanitizer)
}

/// What builds a package. For Rosser, it prints where the executable is.
fn building_command(
    build: Build,
    cargo_rosser: &Path,
    manifest: &Path,
    directory: &Path,
) -> Command {
    match build {
        Build::Plain => cargo(manifest, directory),
        Build::Sanitizer => {
            let mut command = cargo(manifest, directory);
            command.args(["--target", TARGET]).env("RUSTC_BOOTSTRAP", "1");
            command.env("RUSTFLAGS", SANITIZER_FLAGS);
            command
        }
        Build::Checked | Build::Parallel | Build::Counted => {
            let mut command = Command::new(cargo_rosser);
            command.args(["rosser", "build", "--fast"]);
            if build == Build::Counted {
                command.env("ROSSER_FOR_VALGRIND", "1");
            }
            if build == Build::Parallel {
                command.args(["--workers", &Variant::Parallel.workers().to_string()]);
            }
            in_release(&mut command, manifest, directory);
            command
        }
    }
}

fn cargo(manifest: &Path, target: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.arg("build");
    in_release(&mut command, manifest, target);
    command
}

fn in_release(command: &mut Command, manifest: &Path, target: &Path) {
    command.args(["--release", "--locked", "--quiet", "--manifest-path"]).arg(manifest);
    command.arg("--target-dir").arg(target);
}

/// Waits for a command that must succeed, and returns what it prints.
fn finish(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let failed = |why: &dyn std::fmt::Display| format!("{program}: {why}");
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| failed(&error))?;
    if !output.status.success() {
        return Err(failed(&output.status));
    }
    String::from_utf8(output.stdout).map_err(|error| failed(&error))
}
