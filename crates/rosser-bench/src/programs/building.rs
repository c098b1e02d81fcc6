//! What building takes: each package once more from scratch, while its dependencies are there already.
//!
//! All programs of a package are in one executable, so it is a figure for each package, not for each program:
//! the processor time of the whole command, in which Rosser's own stage and the linker are.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::SystemTime;

use wait4::Wait4;

use super::summary::two;
use super::variant::Build;
use crate::format::{Format, Table};

/// What building the packages took, in seconds.
#[derive(Clone, Debug, Default)]
pub struct Building(Vec<(&'static str, Build, f64)>);

impl Building {
    /// Adds a package in one of its builds.
    pub fn add(&mut self, package: &'static str, build: Build, seconds: f64) {
        self.0.push((package, build, seconds));
    }

    fn seconds(&self, package: &str, build: Build) -> Option<f64> {
        let found = self.0.iter().find(|one| (one.0, one.1) == (package, build));
        found.map(|one| one.2)
    }

    /// A line for each package, with the builds that are compared; nothing if none was measured.
    pub fn markdown(&self) -> String {
        let mut table = Table::new(1, ["package", "build s", "full build", "tsan build"]);
        let plain = self.0.iter().filter(|one| one.1 == Build::Plain);
        for &(package, _, seconds) in plain.clone() {
            let ratio = |build| two(self.seconds(package, build).map(|other| other / seconds));
            let ratios = [ratio(Build::Checked), ratio(Build::Sanitizer)];
            table.row(
                [package.to_string(), format!("{seconds:.1}")].into_iter().chain(ratios).collect(),
            );
        }
        if plain.count() == 0 { String::new() } else { table.render(Format::Markdown) }
    }
}

/// Makes cargo believe that a package has changed, and measures the command that builds it then.
pub fn again(package: &Path, command: &mut Command) -> Result<f64, String> {
    let file = package.join("src/main.rs");
    let changed = File::options().append(true).open(&file);
    changed
        .and_then(|file| file.set_modified(SystemTime::now()))
        .map_err(|error| format!("{}: {error}", file.display()))?;
    let program = command.get_program().to_string_lossy().into_owned();
    let child = command.stdout(Stdio::null()).spawn();
    let ended = child.and_then(|mut child| child.wait4());
    let ended = ended.map_err(|error| format!("{program}: {error}"))?;
    if !ended.status.success() {
        return Err(format!("{program}: {}", ended.status));
    }
    Ok((ended.rusage.utime + ended.rusage.stime).as_secs_f64())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;
    use std::time::{Duration, SystemTime};

    use super::{Building, again};
    use crate::programs::variant::Build;

    #[test]
    fn builds_are_compared_with_the_plain_one() {
        let mut building = Building::default();
        assert_eq!(building.markdown(), "");
        building.add("users", Build::Plain, 4.0);
        building.add("users", Build::Checked, 10.0);
        building.add("papers", Build::Plain, 5.0);
        building.add("papers", Build::Sanitizer, 6.0);
        let expected = "\
| package | build s | full build | tsan build |
| --- | ---: | ---: | ---: |
| users   |     4.0 |       2.50 |            |
| papers  |     5.0 |            |       1.20 |
";
        assert_eq!(building.markdown(), expected);
    }

    #[test]
    fn the_package_has_changed_and_time_of_children_counts() {
        let package = std::env::temp_dir().join(format!("rosser-building-{}", std::process::id()));
        fs::create_dir_all(package.join("src")).unwrap();
        let file = package.join("src/main.rs");
        fs::write(&file, "fn main() {}").unwrap();
        let long_ago = SystemTime::now() - Duration::from_secs(1000);
        fs::File::options().append(true).open(&file).unwrap().set_modified(long_ago).unwrap();

        let mut command = Command::new("sh");
        command.args(["-c", "sh -c 'i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done'; true"]);
        let seconds = again(&package, &mut command).unwrap();
        assert!(seconds > 0.005, "{seconds}");
        assert!(fs::metadata(&file).unwrap().modified().unwrap() > long_ago);
        assert_eq!(fs::read_to_string(&file).unwrap(), "fn main() {}");
        assert!(again(&package, &mut Command::new("false")).is_err());
        fs::remove_dir_all(&package).unwrap();
        assert!(again(&package, &mut Command::new("true")).is_err(), "there is no such package");
    }
}
