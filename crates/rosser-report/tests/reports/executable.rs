//! This executable: where it is loaded, and the addresses of its lines and functions.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex, PoisonError};

use addr2line::Loader;

use crate::fixture;

/// How far beyond its first byte a function of the fixture reaches at most.
const REACH: u64 = 4096;

/// Where this executable is loaded.
pub struct Executable {
    pub path: PathBuf,
    pub start: u64,
    pub end: u64,
    pub bias: u64,
}

/// Where this executable is loaded. It is position-independent and starts at 0 in its file, so the
/// bias is its first address.
pub static EXECUTABLE: LazyLock<Executable> = LazyLock::new(|| {
    assert_ne!(fixture::run(), 0);
    let path = std::env::current_exe().expect("the executable has a path");
    let maps = std::fs::read_to_string("/proc/self/maps").expect("Linux has /proc");
    let name = path.to_str().expect("the path is UTF-8");
    let ranges: Vec<(u64, u64)> = maps
        .lines()
        .filter(|line| line.ends_with(name))
        .map(|line| {
            let (start, rest) = line.split_once('-').expect("a range");
            let (end, _) = rest.split_once(' ').expect("a range");
            let number = |text| u64::from_str_radix(text, 16).expect("hexadecimal");
            (number(start), number(end))
        })
        .collect();
    let start = ranges.iter().map(|range| range.0).min().expect("it is mapped");
    let end = ranges.iter().map(|range| range.1).max().expect("it is mapped");
    Executable { path, start, end, bias: start }
});

/// Addresses that were found, since opening the debug information takes its time.
static FOUND: LazyLock<Mutex<HashMap<String, u64>>> = LazyLock::new(Mutex::default);

fn remembered(what: &str, find: impl FnOnce() -> u64) -> u64 {
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    *found.entry(what.to_owned()).or_insert_with(find)
}

/// The first address of the line that the fixture names `@name`.
pub fn address_of(name: &str) -> u64 {
    remembered(name, || find_line(name, line_of(name)))
}

/// The first address of the line after that.
pub fn address_after(name: &str) -> u64 {
    find_line(name, line_of(name) + 1)
}

/// A return address in the first function whose demangled name contains a text.
pub fn call_in(part: &str) -> u64 {
    remembered(part, || find_function(part)) + 1
}

/// The first address of a line in the function that `name` is in.
fn find_line(name: &str, line: u32) -> u64 {
    let function = match name {
        "deposit" => fixture::deposit as *const () as u64,
        "audit" => fixture::audit as *const () as u64,
        "bump" | "count" => fixture::count as *const () as u64,
        "repeat" => fixture::repeat as *const () as u64,
        "publish" | "observe" => fixture::publish as *const () as u64,
        "allocate" | "join" | "bank" => fixture::bank as *const () as u64,
        other => panic!("no function for @{other}"),
    };
    let loader = Loader::new(&EXECUTABLE.path).expect("the executable has debug information");
    let first = function - EXECUTABLE.bias;
    // Preferably the line's own code; but of an inlined library function only an outer frame has it.
    let is_at = |address: &u64, innermost: bool| {
        let mut frames = loader.find_frames(*address).expect("it is well-formed");
        let frames = std::iter::from_fn(|| frames.next().expect("it is well-formed"));
        frames.take(if innermost { 1 } else { usize::MAX }).any(|frame| {
            frame.location.is_some_and(|location| {
                location.line == Some(line)
                    && location.file.is_some_and(|file| file.ends_with("fixture.rs"))
            })
        })
    };
    let reach = || first..first + REACH;
    let address = reach()
        .find(|address| is_at(address, true))
        .or_else(|| reach().find(|address| is_at(address, false)));
    address.unwrap_or_else(|| panic!("no instruction at @{name}")) + EXECUTABLE.bias
}

/// An address at the same line, but at another column of it.
pub fn another_column(name: &str) -> u64 {
    let loader = Loader::new(&EXECUTABLE.path).expect("the executable has debug information");
    let place = |address: u64| {
        let location = loader.find_location(address).expect("it is well-formed");
        location.map(|location| (location.line, location.column))
    };
    let first = address_of(name) - EXECUTABLE.bias;
    let (line, column) = place(first).expect("the line has code");
    let is_other = |address: &u64| place(*address).is_some_and(|p| p.0 == line && p.1 != column);
    let found = (first..first + REACH).find(is_other);
    found.unwrap_or_else(|| panic!("@{name} has one column")) + EXECUTABLE.bias
}

/// The return address of a call at that line.
pub fn call_at(name: &str) -> u64 {
    address_of(name) + 1
}

fn find_function(part: &str) -> u64 {
    let loader = Loader::new(&EXECUTABLE.path).expect("the executable has debug information");
    let text = loader.get_section_range(b".text").expect("it has code");
    let named = |address: &u64| {
        let symbol = loader.find_symbol(*address);
        symbol
            .is_some_and(|symbol| format!("{:#}", rustc_demangle::demangle(symbol)).contains(part))
    };
    let address = (text.begin..text.end).step_by(16).find(named);
    address.unwrap_or_else(|| panic!("no function named {part}")) + EXECUTABLE.bias
}

/// The number of the line that has `@name` at its end.
pub fn line_of(name: &str) -> u32 {
    let text = include_str!("fixture.rs");
    let mark = format!("// @{name}");
    let index = text.lines().position(|line| line.ends_with(&mark));
    index.unwrap_or_else(|| panic!("no line @{name}")) as u32 + 1
}
