//! The project: what `cargo metadata` says of it, its settings, and where Rosser keeps things.
//!
//! ```text
//! <target directory>/rosser/fast             instrumented build with checks inlined
//! <target directory>/rosser/quick            instrumented build without
//! <target directory>/rosser/fast-workers    the same two for several workers
//! <target directory>/rosser/quick-workers
//! <target directory>/rosser/runs/…           one directory of run files for each run
//! ```

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::cli::Invocation;
use crate::error::{Error, Result};
use crate::runs::Runs;
use crate::settings::{Layer, Mode, Settings};

/// How the name of a build's directory ends if tasks run on several workers.
const WORKERS: &str = "-workers";

/// The project, as cargo and the settings describe it.
#[derive(Debug)]
pub struct Context {
    /// The cargo that called us.
    pub cargo: OsString,
    /// Root of the workspace.
    pub workspace_root: PathBuf,
    /// Where Rosser keeps things.
    pub directory: PathBuf,
    /// The settings, each from the decisive place.
    pub settings: Settings,
    /// How the project is built.
    pub mode: Mode,
}

impl Context {
    /// Asks cargo for the project's metadata and resolves the settings.
    pub fn new(invocation: &Invocation) -> Result<Self> {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let metadata = metadata(&cargo, invocation)?;
        let workspace_root = path(&metadata, "workspace_root")?;
        let target = match &invocation.target_dir {
            Some(directory) => absolute(directory)?,
            None => path(&metadata, "target_directory")?,
        };
        let settings = Settings::resolve(&layers(&metadata, &workspace_root, invocation)?)?;
        let default = if invocation.subcommand.is_fast() { Mode::Fast } else { Mode::Quick };
        Ok(Self {
            cargo,
            workspace_root,
            directory: outermost(&target).join("rosser"),
            mode: settings.mode.unwrap_or(default),
            settings,
        })
    }

    /// Where the instrumented build goes.
    pub fn build_directory(&self) -> PathBuf {
        let workers = if self.settings.has_workers() { WORKERS } else { "" };
        self.directory.join(format!("{}{workers}", self.mode.name()))
    }

    /// The runs of the project.
    pub fn runs(&self) -> Runs {
        Runs::new(self.directory.join("runs"), &self.workspace_root)
    }
}

/// The target directory itself, if the environment of `show-env` has made one inside it.
fn outermost(target: &Path) -> &Path {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let mode = name.strip_suffix(WORKERS).unwrap_or(&name);
    let is_ours = Mode::ALL.iter().any(|known| known.name() == mode);
    match target.parent() {
        Some(directory) if is_ours && directory.ends_with("rosser") => {
            directory.parent().unwrap_or(target)
        }
        _ => target,
    }
}

fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).map_err(|error| Error::file("find", path, &error))
}

fn metadata(cargo: &OsString, invocation: &Invocation) -> Result<Value> {
    let output = Command::new(cargo)
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .args(&invocation.common)
        .output()
        .map_err(|error| Error::file("run", Path::new(cargo), &error))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        let message = message.trim().trim_start_matches("error: ").to_owned();
        let code = output.status.code().and_then(|code| u8::try_from(code).ok());
        return Err(Error { message, code: code.unwrap_or(crate::exit::CARGO) });
    }
    serde_json::from_slice(&output.stdout)
        .map_err(|error| Error::usage(format!("`cargo metadata` is not understood: {error}")))
}

fn path(metadata: &Value, key: &str) -> Result<PathBuf> {
    let path = metadata[key].as_str().map(PathBuf::from);
    path.ok_or_else(|| Error::usage(format!("`cargo metadata` does not say `{key}`")))
}

/// All places of settings, the decisive one first.
fn layers(metadata: &Value, root: &Path, invocation: &Invocation) -> Result<Vec<Layer>> {
    let mut layers = vec![invocation.flags.clone(), Layer::from_environment()?];
    let packages = metadata["packages"].as_array().map_or(&[][..], Vec::as_slice);
    if let Some(package) = selected(packages, invocation) {
        let manifest = package["manifest_path"].as_str().unwrap_or_default();
        let directory = Path::new(manifest).parent().unwrap_or(root);
        let origin = format!("{manifest}, [package.metadata.rosser]");
        layers.push(Layer::from_metadata(&package["metadata"], directory, &origin)?);
    }
    let origin = format!("{}, [workspace.metadata.rosser]", root.join("Cargo.toml").display());
    layers.push(Layer::from_metadata(&metadata["metadata"], root, &origin)?);
    Ok(layers)
}

/// The package whose settings count: the only one that was named, else the one that cargo would
/// take, which is the one around the manifest or the current directory.
fn selected<'a>(packages: &'a [Value], invocation: &Invocation) -> Option<&'a Value> {
    match &invocation.packages[..] {
        [] => {}
        [name] => return packages.iter().find(|package| package["name"] == **name),
        _ => return None,
    }
    let directory = match &invocation.manifest_path {
        Some(manifest) => absolute(manifest).ok()?.parent()?.to_owned(),
        None => env::current_dir().ok()?,
    };
    let home = |package: &Value| -> Option<PathBuf> {
        Some(Path::new(package["manifest_path"].as_str()?).parent()?.to_owned())
    };
    packages
        .iter()
        .filter(|package| home(package).is_some_and(|home| directory.starts_with(home)))
        .max_by_key(|package| home(package).map(|home| home.components().count()))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::outermost;

    #[test]
    fn a_build_directory_of_ours_is_inside_of_the_target_directory() {
        for name in ["fast", "quick", "fast-workers", "quick-workers"] {
            let directory = Path::new("/target/rosser").join(name);
            assert_eq!(outermost(&directory), Path::new("/target"));
        }
        for other in ["/target", "/target/fast", "/target/rosser/runs", "/target/rosser/-workers"] {
            assert_eq!(outermost(Path::new(other)), Path::new(other));
        }
    }
}
