//! From addresses to functions, files and lines.
//!
//! Debug information of a module is opened when the first address in it is looked up, mapped rather
//! than read, and parsed compilation unit by compilation unit. Every address of a module is looked
//! up once over all runs, however often and however differently it was loaded.

use std::fmt;
use std::path::{Path, PathBuf};

use addr2line::Loader;
use rustc_hash::FxHashMap;

use crate::frame::{Frame, Origin};
use crate::names;
use crate::paths::Roots;
use crate::runfile::Module;

/// An address of an object file, or one that is in none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AddressId(u32);

/// The number of a loaded object file: the program, or a shared library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct ModuleId(u32);

/// The frames of every address that was asked for; what remains of [`Symbols`] in the end.
#[derive(Debug, Default)]
pub struct FrameTable(Vec<Vec<Frame>>);

impl FrameTable {
    /// The frames at an address, inlined functions first. There is always at least one.
    pub fn frames(&self, address: AddressId) -> &[Frame] {
        &self.0[address.0 as usize]
    }

    /// Adds the frames of an address.
    pub fn add(&mut self, frames: Vec<Frame>) -> AddressId {
        self.0.push(frames);
        AddressId(self.0.len() as u32 - 1)
    }

    /// How many addresses were looked up.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

/// Looks addresses up and remembers them.
pub struct Symbols {
    roots: Roots,
    sync_crates: Vec<String>,
    modules: Vec<ObjectFile>,
    by_path: FxHashMap<PathBuf, ModuleId>,
    by_address: FxHashMap<(Option<ModuleId>, u64), AddressId>,
    table: FrameTable,
}

struct ObjectFile {
    path: PathBuf,
    /// `None` until asked for.
    loader: Option<Result<Loader, String>>,
    /// When the earliest run that used it was started.
    used_since: u64,
}

impl fmt::Debug for Symbols {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Symbols").field("addresses", &self.table.len()).finish_non_exhaustive()
    }
}

/// The modules of one run.
#[derive(Debug)]
pub struct Loaded {
    /// Sorted by start.
    modules: Vec<(u64, u64, u64, ModuleId)>,
}

impl Symbols {
    pub fn new(roots: Roots, sync_crates: &[String]) -> Symbols {
        Symbols {
            roots,
            sync_crates: sync_crates.to_vec(),
            modules: Vec::new(),
            by_path: FxHashMap::default(),
            by_address: FxHashMap::default(),
            table: FrameTable::default(),
        }
    }

    /// Registers the modules of a run.
    pub fn load(&mut self, modules: &[Module], started: u64) -> Loaded {
        let mut loaded: Vec<_> = modules
            .iter()
            .map(|module| {
                let id = *self.by_path.entry(module.path.clone()).or_insert_with(|| {
                    self.modules.push(ObjectFile {
                        path: module.path.clone(),
                        loader: None,
                        used_since: started,
                    });
                    ModuleId(self.modules.len() as u32 - 1)
                });
                let used_since = &mut self.modules[id.0 as usize].used_since;
                *used_since = (*used_since).min(started);
                (module.start, module.end, module.bias, id)
            })
            .collect();
        loaded.sort_unstable_by_key(|module| module.0);
        Loaded { modules: loaded }
    }

    /// The id of an address that is exactly where something happened; `None` for 0.
    pub fn exact(&mut self, loaded: &Loaded, address: u64) -> Option<AddressId> {
        (address != 0).then(|| self.intern(loaded, address))
    }

    /// The id of the call that returns to an address; `None` for 0.
    pub fn call(&mut self, loaded: &Loaded, return_address: u64) -> Option<AddressId> {
        (return_address != 0).then(|| self.intern(loaded, return_address - 1))
    }

    /// The static that an address is in: its name and the offset in it.
    pub fn static_at(&mut self, loaded: &Loaded, address: u64) -> Option<(String, u64)> {
        let (bias, id) = loaded.find(address)?;
        let symbols = self.modules[id.0 as usize].loader().ok()?;
        let address = address.wrapping_sub(bias);
        let in_section = |name: &[u8]| {
            symbols
                .get_section_range(name)
                .is_some_and(|range| (range.begin..range.end).contains(&address))
        };
        let data: [&[u8]; 5] = [b".data", b".bss", b".data.rel.ro", b".rodata", b".tm_clone_table"];
        if !data.into_iter().any(in_section) {
            return None;
        }
        let symbol = symbols.find_symbol_info(address)?;
        let name = names::path(symbol.name());
        // Promoted constants and literals have names that say nothing.
        let anonymous =
            name.starts_with("anon.") || name.starts_with(".L") || name.starts_with("__");
        // The optimiser splits statics and numbers the parts.
        let name = match name.rsplit_once('.') {
            Some((whole, part)) if part.bytes().all(|b| b.is_ascii_digit()) => whole,
            _ => &name,
        };
        (!anonymous).then(|| (names::shown(name), address - symbol.address()))
    }

    /// The frames found so far.
    pub fn table(&self) -> &FrameTable {
        &self.table
    }

    /// Ends looking up: the frames, and what the user should know about the modules.
    pub fn finish(self) -> (FrameTable, Vec<String>) {
        let mut problems = Vec::new();
        for module in &self.modules {
            match &module.loader {
                Some(Err(error)) => problems
                    .push(format!("no names and lines from {}: {error}", module.path.display())),
                Some(Ok(_)) if module.is_newer() => problems.push(format!(
                    "{} was built again after the run: names and lines may be wrong",
                    module.path.display()
                )),
                _ => {}
            }
        }
        (self.table, problems)
    }

    fn intern(&mut self, loaded: &Loaded, address: u64) -> AddressId {
        let found = loaded.find(address);
        let key = match found {
            Some((bias, id)) => (Some(id), address.wrapping_sub(bias)),
            None => (None, address),
        };
        if let Some(id) = self.by_address.get(&key) {
            return *id;
        }
        let frames = match key.0 {
            Some(module) => self.look_up(module, key.1),
            None => vec![Frame::unknown(format!("{address:#x}"))],
        };
        let id = self.table.add(frames);
        self.by_address.insert(key, id);
        id
    }

    fn look_up(&mut self, module: ModuleId, address: u64) -> Vec<Frame> {
        let object = &mut self.modules[module.0 as usize];
        let unknown = format!("{address:#x} in {}", file_name(&object.path));
        let Ok(loader) = object.loader() else {
            return vec![Frame::unknown(unknown)];
        };
        let recorded = |at| recorded_frames(loader, at, &self.roots, &self.sync_crates);
        let mut frames = recorded(address);
        if let Some(frame) = frames.first_mut()
            && frame.line == 0
            && frame.file.is_some()
        {
            // An instruction that stands for several lines at once has none. The last line before it
            // in the same function is one of them, or near.
            let before = (1..=NEARBY).filter_map(|back| address.checked_sub(back));
            let same = |other: &Frame| other.path == frame.path && other.file == frame.file;
            let lined = |other: &Frame| other.line != 0 && same(other);
            if let Some(other) = before.flat_map(recorded).find(lined) {
                (frame.line, frame.column) = (other.line, other.column);
            }
        }
        if frames.is_empty() {
            let name = loader.find_symbol(address).map(names::path);
            frames.push(match name {
                Some(name) => Frame::new(name, None, &self.sync_crates),
                None => Frame::unknown(unknown),
            });
        }
        let last = frames.len() - 1;
        for frame in &mut frames[..last] {
            frame.inlined = true;
        }
        frames
    }
}

impl Loaded {
    fn find(&self, address: u64) -> Option<(u64, ModuleId)> {
        let after = self.modules.partition_point(|module| module.0 <= address);
        let (_, end, bias, id) = self.modules[..after].last()?;
        (address < *end).then_some((*bias, *id))
    }
}

impl ObjectFile {
    fn loader(&mut self) -> Result<&Loader, &String> {
        let path = &self.path;
        self.loader
            .get_or_insert_with(|| Loader::new(path).map_err(|error| error.to_string()))
            .as_ref()
    }

    /// Whether the file was written after the run that used it began. A second is the precision of
    /// the run file's clock.
    fn is_newer(&self) -> bool {
        let modified = std::fs::metadata(&self.path).and_then(|data| data.modified());
        let since_epoch =
            modified.ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        self.used_since != 0 && since_epoch.is_some_and(|time| time.as_secs() > self.used_since + 1)
    }
}

/// How many bytes before an address its line is looked for if it has none.
const NEARBY: u64 = 64;

/// The frames that debug information tells of, innermost first.
fn recorded_frames(loader: &Loader, address: u64, roots: &Roots, sync: &[String]) -> Vec<Frame> {
    let mut found = Vec::new();
    let Ok(mut frames) = loader.find_frames(address) else {
        return found;
    };
    let mut next = frames.next().ok().flatten();
    while let Some(frame) = next {
        next = frames.next().ok().flatten();
        let name = frame.function.as_ref().and_then(|name| name.raw_name().ok());
        let name = name.map_or_else(|| "?".to_owned(), |name| names::path(&name));
        // The last is the compiled function, which has a symbol.
        let name = if next.is_none() { symbol_name(loader, address, name) } else { name };
        let place = frame.location.and_then(|location| {
            let located = roots.locate(location.file?);
            Some((located, location.line.unwrap_or(0), location.column.unwrap_or(0)))
        });
        found.push(Frame::new(name, place, sync));
    }
    // A lone frame without name and place tells less than the symbol table.
    if let [frame] = found.as_slice()
        && frame.path == "?"
        && frame.file.is_none()
        && frame.origin == Origin::Library
    {
        found.clear();
    }
    found
}

/// The path of a compiled function. With little debug information the recorded name is only its last
/// segment, and the symbol table knows better, unless the symbol is another function's.
fn symbol_name(loader: &Loader, address: u64, recorded: String) -> String {
    if recorded.contains("::") {
        return recorded;
    }
    let symbol = loader.find_symbol(address).map(names::path);
    let fits = |symbol: &String| {
        let last = symbol.rsplit("::").next().unwrap_or_default();
        recorded == "?" || recorded.starts_with('{') && last.starts_with('{') || last == recorded
    };
    symbol.filter(fits).unwrap_or(recorded)
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| "?".to_owned(), |name| name.to_string_lossy().into_owned())
}
