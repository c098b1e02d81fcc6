//! Suppressions: findings that the user does not want to hear of.
//!
//! A line is `[class:]kind:pattern`; `docs/suppressions.md` describes it. A finding is suppressed
//! if a line matches any frame of either access. Which lines match is found out once for each
//! address, so that ten thousand findings at the same places cost ten thousand look-ups of small
//! numbers.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::finding::{Class, Finding};
use crate::frame::Frame;
use crate::names;
use crate::pattern::matches;
use crate::read;
use crate::symbols::{AddressId, FrameTable};

const BUILTIN: &str = include_str!("builtin.suppressions");

/// One line of a suppressions file.
#[derive(Clone, Debug)]
pub struct Line {
    /// The file, or `None` for a built-in line.
    pub file: Option<PathBuf>,
    /// The line's number, counted from 1.
    pub number: usize,
    /// The line as written.
    pub text: String,
    /// How many conflicts it suppressed, repetitions included.
    pub uses: u64,
    class: Option<Class>,
    kind: Kind,
    pattern: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Function,
    File,
    Module,
}

/// All lines, and what is known about addresses.
#[derive(Debug, Default)]
pub struct Suppressions {
    lines: Vec<Line>,
    /// The lines that match an address, whatever their class.
    matching: FxHashMap<AddressId, Box<[u32]>>,
}

impl Suppressions {
    /// Reads suppressions of files, and those that are built in if wanted.
    pub fn read(files: &[PathBuf], builtin: bool) -> Result<Suppressions, Error> {
        let mut suppressions = Suppressions::default();
        for file in files {
            let text =
                read::text(file).map_err(|source| Error::Read { path: file.clone(), source })?;
            suppressions.add(&text, Some(file))?;
        }
        if builtin {
            suppressions.add(BUILTIN, None)?;
        }
        Ok(suppressions)
    }

    fn add(&mut self, text: &str, file: Option<&Path>) -> Result<(), Error> {
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let number = index + 1;
            let (class, kind, pattern) = parse(line).map_err(|what| Error::Suppression {
                path: file.unwrap_or(Path::new("built-in suppressions")).to_owned(),
                line: number,
                what,
            })?;
            self.lines.push(Line {
                file: file.map(Path::to_owned),
                number,
                text: line.to_owned(),
                uses: 0,
                class,
                kind,
                pattern,
            });
        }
        Ok(())
    }

    /// Whether a finding is suppressed. The first line that matches is credited with `count` uses.
    pub fn suppresses(&mut self, finding: &Finding, count: u64, table: &FrameTable) -> bool {
        let mut best: Option<u32> = None;
        let first = [&finding.first, &finding.first_inlined_caller, &finding.first_caller];
        for address in first.into_iter().flatten().chain(&finding.stack) {
            let lines = self.matching.entry(*address).or_insert_with(|| {
                let frames = table.frames(*address);
                let lines = self.lines.iter().enumerate();
                lines
                    .filter(|(_, line)| frames.iter().any(|frame| line.matches(frame)))
                    .map(|(index, _)| index as u32)
                    .collect()
            });
            let applies = |line: &&u32| {
                self.lines[**line as usize].class.is_none_or(|class| class == finding.class)
            };
            if let Some(line) = lines.iter().find(applies) {
                best = Some(best.map_or(*line, |best| best.min(*line)));
            }
        }
        if let Some(line) = best {
            let uses = &mut self.lines[line as usize].uses;
            *uses = uses.saturating_add(count);
        }
        best.is_some()
    }

    /// All lines with their uses.
    pub fn into_lines(self) -> Vec<Line> {
        self.lines
    }
}

impl Line {
    /// Whether a line of the user's matched nothing.
    pub fn is_stale(&self) -> bool {
        self.uses == 0 && self.file.is_some()
    }

    fn matches(&self, frame: &Frame) -> bool {
        let pattern = self.pattern.as_str();
        match self.kind {
            Kind::Function => {
                let whole = names::without_closures(&frame.path);
                let spellings = [frame.path.as_str(), whole, frame.shown.as_str()];
                spellings.into_iter().any(|name| matches(pattern, name))
            }
            Kind::File => {
                let real = frame.source.as_ref().map(|path| path.to_string_lossy());
                frame.file.as_deref().is_some_and(|file| matches(pattern, file))
                    || real.is_some_and(|file| matches(pattern, &file))
            }
            Kind::Module => [frame.module.as_str(), names::parent(&frame.path)]
                .into_iter()
                .any(|module| in_module(pattern, module)),
        }
    }
}

/// Whether a module is one that the pattern means, or is below one.
fn in_module(pattern: &str, module: &str) -> bool {
    let ends = module.match_indices("::").map(|(at, _)| at).chain([module.len()]);
    ends.into_iter().any(|end| matches(pattern, &module[..end]))
}

fn parse(line: &str) -> Result<(Option<Class>, Kind, String), String> {
    let class_of = |text| match text {
        "data-race" => Some(Class::DataRace),
        "order-dependent" => Some(Class::OrderDependent),
        _ => None,
    };
    let first = line.split(':').next().unwrap_or_default();
    let (class, rest) = match class_of(first) {
        Some(class) => (Some(class), line[first.len()..].trim_start_matches(':')),
        None => (None, line),
    };
    let Some((kind, pattern)) = rest.split_once(':') else {
        return Err(format!(
            "`{line}` is not a suppression; write `kind:pattern` with a kind of function, file or \
             module, such as `module:my_crate::cache`"
        ));
    };
    let kind = match kind.trim() {
        "function" => Kind::Function,
        "file" => Kind::File,
        "module" => Kind::Module,
        other => {
            return Err(format!(
                "`{other}` is neither a class (data-race, order-dependent) nor a kind (function, \
                 file, module)"
            ));
        }
    };
    let pattern = pattern.trim();
    if pattern.is_empty() || pattern.chars().all(|c| c == '*') {
        return Err(format!("the pattern of `{line}` matches everything; name what it is for"));
    }
    Ok((class, kind, pattern.to_owned()))
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::{Suppressions, in_module};
    use crate::frame::Frame;
    use crate::paths::Roots;

    fn parsed(text: &str) -> Result<Suppressions, String> {
        let mut suppressions = Suppressions::default();
        suppressions.add(text, Some(Path::new("s"))).map_err(|error| error.to_string())?;
        Ok(suppressions)
    }

    fn line_matches(line: &str, function: &str, file: &str) -> bool {
        let roots = Roots::new(&[PathBuf::from("/ws")]);
        let frame = Frame::new(function.to_owned(), Some((roots.locate(file), 3, 1)), &[]);
        let suppressions = parsed(line).expect("the line is valid");
        suppressions.lines[0].matches(&frame)
    }

    #[test]
    fn kinds() {
        let file = "/ws/src/cache/mod.rs";
        for line in [
            "function:app::cache::get",
            "function: app::cache::g*",
            "data-race:function:*::get # why",
            "file:src/cache/mod.rs",
            "file:src/cache/*",
            "file:/ws/*",
            "module:app",
            "module:app::cache",
            "module:*::cache",
        ] {
            assert!(line_matches(line, "app::cache::get::{closure#0}", file), "{line}");
        }
        for line in [
            "function:app::cache",
            "function:get",
            "file:src/cache",
            "file:mod.rs",
            "module:app::ca",
            "module:cache",
        ] {
            assert!(!line_matches(line, "app::cache::get::{closure#0}", file), "{line}");
        }
    }

    #[test]
    fn modules_match_as_prefixes() {
        assert!(in_module("a::*::c", "a::b::c::d"));
        assert!(!in_module("b", "a::b"));
    }

    #[test]
    fn mistakes_are_named() {
        let error = |text| parsed(text).expect_err("the line is invalid");
        assert_eq!(
            error("# fine\n\nfunktion:x"),
            "s:3: `funktion` is neither a class (data-race, order-dependent) nor a kind (function, \
             file, module)"
        );
        assert_eq!(
            error("module:*"),
            "s:1: the pattern of `module:*` matches everything; name what it is for"
        );
        assert!(error("data-race").starts_with("s:1: `data-race` is not a suppression;"));
    }

    #[test]
    fn the_built_in_lines_are_valid_and_never_stale() {
        let builtin = Suppressions::read(&[], true).expect("they are valid");
        assert_eq!(builtin.lines.len(), 6);
        assert!(builtin.lines.iter().all(|line| !line.is_stale()));
    }
}
