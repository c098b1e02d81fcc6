//! Where the programs are built: a target directory for each variant, below the workspace's own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::run::{self, Outcome};
use super::variant::{PerVariant, Variant};

/// The only platform there is.
const TARGET: &str = "x86_64-unknown-linux-gnu";
/// What makes stock rustc build with `ThreadSanitizer`, without rebuilding the standard library.
const SANITIZER_FLAGS: &str = "-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer";

/// The built programs.
pub struct Workshop {
    programs: PerVariant<PathBuf>,
    run_directory: PathBuf,
}

impl Workshop {
    /// Builds `cargo rosser`, then the programs in all variants.
    pub fn build() -> Result<Self, String> {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let this = std::env::current_exe().map_err(|error| error.to_string())?;
        let target = this.ancestors().nth(2).ok_or("this executable is in no target directory")?;
        let manifest = workspace.join("examples/kernels/Cargo.toml");
        let directory = target.join("overhead");

        eprintln!("building cargo-rosser");
        let mut command = cargo(&workspace.join("Cargo.toml"), target);
        finish(command.args(["--package", "cargo-rosser"]))?;
        let cargo_rosser = target.join("release/cargo-rosser");

        let mut programs = PerVariant::<PathBuf>::default();
        for variant in Variant::ALL {
            eprintln!("building the programs: {}", variant.name());
            let directory = directory.join(variant.name());
            *programs.of_mut(variant) = match variant {
                Variant::Base => {
                    finish(&mut cargo(&manifest, &directory))?;
                    directory.join("release/kernels")
                }
                Variant::Sanitizer => {
                    let mut command = cargo(&manifest, &directory);
                    command.args(["--target", TARGET]).env("RUSTC_BOOTSTRAP", "1");
                    finish(command.env("RUSTFLAGS", SANITIZER_FLAGS))?;
                    directory.join(TARGET).join("release/kernels")
                }
                Variant::Fast | Variant::Quick => {
                    let mut command = Command::new(&cargo_rosser);
                    command.args(["rosser", "build", &format!("--{}", variant.name())]);
                    in_release(&mut command, &manifest, &directory);
                    finish(&mut command)?.trim_end().into()
                }
            };
        }
        Ok(Self { programs, run_directory: directory.join("runs") })
    }

    /// The names of the programs.
    pub fn programs(&self) -> Result<Vec<String>, String> {
        let list = finish(Command::new(self.programs.of(Variant::Base)).arg("list"))?;
        Ok(list.lines().map(str::to_owned).collect())
    }

    /// Runs a program once.
    pub fn run(&self, variant: Variant, name: &str) -> Result<Outcome, String> {
        let failed = |why: String| format!("{name}, {}: {why}", variant.name());
        // Whatever an earlier run has left must not be taken for this one's.
        let _ = fs::remove_dir_all(&self.run_directory);
        fs::create_dir_all(&self.run_directory).map_err(|error| failed(error.to_string()))?;
        let mut command = Command::new(self.programs.of(variant));
        command.args([name, "small"]);
        // Not even reports cost ThreadSanitizer anything: std is not instrumented, so that it takes
        // some of what rayon does for races.
        command.env("RAYON_NUM_THREADS", "1").env("TSAN_OPTIONS", "report_bugs=0");
        if variant.is_checked() {
            command.env("ROSSER_RUN_DIR", &self.run_directory);
            run::checked(command, &self.run_directory).map_err(failed)
        } else {
            run::unchecked(command).map_err(failed)
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
