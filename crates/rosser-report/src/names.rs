//! Names of functions, fit for people.
//!
//! A demangled name carries generic arguments, which in rayon programs run to kilobytes, and comes
//! in two dialects (`{{closure}}` and `{closure#0}`, `S<T>::get` and `<S<T>>::get`). What remains
//! here is the path that someone would write: `queue::Queue::push`, `solve::{closure#0}`, and
//! `<Queue as Drop>::drop` where the trait is needed to tell which function is meant.

use std::borrow::Cow;

const PRIMITIVES: &[&str] = &[
    "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "str", "u8", "u16",
    "u32", "u64", "u128", "usize",
];

/// Demangles and takes off hashes and generic arguments: the path that patterns are matched with.
pub fn path(mangled: &str) -> String {
    // Not everything is mangled: a C variable called `x` is no abbreviation of a type.
    let is_mangled = mangled.starts_with("_Z") || mangled.starts_with("_R");
    let name = Cow::from(mangled);
    let demangled = if is_mangled { addr2line::demangle_auto(name, None) } else { name };
    without_generics(&demangled.replace("{{", "{").replace("}}", "}"))
}

/// The path with types in `<… as …>` cut to their last segments.
pub fn shown(path: &str) -> String {
    let Some((qualified, rest)) = path.strip_prefix('<').and_then(split_at_closing) else {
        return path.to_owned();
    };
    match split_as(qualified) {
        Some((ty, of)) => format!("<{} as {}>{rest}", last_segment(ty), last_segment(of)),
        None => path.to_owned(),
    }
}

/// The crate of a function's path; `None` for C functions.
pub fn krate(path: &str) -> Option<&str> {
    let start = bare(path);
    let (krate, _) = start.split_once("::")?;
    // Methods of primitive types have no crate in their names.
    if PRIMITIVES.contains(&krate) {
        return Some("core");
    }
    (!krate.is_empty() && krate.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'))
        .then_some(krate)
}

/// The path without its last segment and without closures: the module, or the type in it.
pub fn parent(path: &str) -> &str {
    let path = without_closures(bare(path));
    let path = path.split(" as ").next().unwrap_or(path);
    path.rsplit_once("::").map_or("", |(parent, _)| parent)
}

/// The path of the function that a closure is in.
pub fn without_closures(path: &str) -> &str {
    let mut path = path;
    while let Some((outer, last)) = path.rsplit_once("::") {
        if !last.starts_with("{closure") {
            break;
        }
        path = outer;
    }
    path
}

/// The last segment that is not a closure: `for_each` of `rayon::iter::Iter::for_each::{closure}`.
pub fn last_segment(path: &str) -> &str {
    let path = without_closures(path);
    path.rsplit_once("::").map_or(path, |(_, last)| last)
}

/// Without numbers of closures, which change when another closure is written before them.
pub fn without_closure_numbers(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut rest = path;
    while let Some(at) = rest.find("{closure#") {
        let end = rest[at..].find('}').map_or(rest.len(), |end| at + end + 1);
        out.push_str(&rest[..at]);
        out.push_str("{closure}");
        rest = &rest[end..];
    }
    out + rest
}

/// Skips what stands before the first path of a type.
fn bare(path: &str) -> &str {
    let mut path = path;
    loop {
        let trimmed = ["<", "&", "*const ", "*mut ", "mut ", "dyn ", "[", "("]
            .iter()
            .find_map(|prefix| path.strip_prefix(prefix));
        match trimmed {
            Some(rest) => path = rest,
            None => return path,
        }
    }
}

fn without_generics(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        let Some((inside, after)) = split_at_closing(&rest[at + 1..]) else {
            break;
        };
        rest = after;
        let opens_a_path = out.is_empty() || out.ends_with(['(', '&', '[', ' ', '<']);
        if !opens_a_path {
            // Arguments of a type or function, or `<impl Trait for Type>` in a path.
            if out.ends_with("::") {
                out.truncate(out.len() - 2);
            }
        } else if let Some((ty, of)) = split_as(inside) {
            out.push('<');
            out.push_str(&without_generics(ty));
            out.push_str(" as ");
            out.push_str(&without_generics(of));
            out.push('>');
        } else {
            out.push_str(&without_generics(inside));
        }
    }
    out + rest
}

/// Splits after the opening bracket of a pair: what is inside, and what follows.
fn split_at_closing(text: &str) -> Option<(&str, &str)> {
    let mut depth = 1_usize;
    let mut previous = b' ';
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'<' => depth += 1,
            // The arrow of a function type closes nothing.
            b'>' if previous != b'-' && previous != b'=' => {
                depth -= 1;
                if depth == 0 {
                    return Some((&text[..at], &text[at + 1..]));
                }
            }
            _ => {}
        }
        previous = byte;
    }
    None
}

/// The type and the trait of `Type as Trait`.
fn split_as(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0_usize;
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'<' | b'(' | b'[' => depth += 1,
            b'>' if at > 0 && bytes[at - 1] == b'-' => {}
            b'>' | b')' | b']' => depth = depth.saturating_sub(1),
            b' ' if depth == 0 && bytes[at..].starts_with(b" as ") => {
                return Some((&text[..at], &text[at + 4..]));
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{krate, parent, path, shown, without_closure_numbers};

    #[test]
    fn legacy_names_lose_hash_and_arguments() {
        assert_eq!(
            path("_ZN1t4main28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE"),
            "t::main::{closure}"
        );
        assert_eq!(path("_ZN1t10S$LT$T$GT$3get17h0123456789abcdefE"), "t::S::get");
    }

    #[test]
    fn new_names_lose_hash_and_arguments() {
        let name =
            "_RINvMNtCsgEmfK2I1SDS_4core3stre18trim_start_matchesReECsgY6Mt91CT9J_14rustc_demangle";
        assert_eq!(path(name), "str::trim_start_matches");
        assert_eq!(krate("str::trim_start_matches"), Some("core"));
    }

    #[test]
    fn qualified_paths() {
        let cases = [
            (
                "<a::S<T> as core::ops::drop::Drop>::drop",
                "<a::S as core::ops::drop::Drop>::drop",
                "<S as Drop>::drop",
            ),
            ("<a::S<b::T>>::get", "a::S::get", "a::S::get"),
            (
                "a::f::<fn(u8) -> u8, (a::B<C>,)>::{closure#0}",
                "a::f::{closure#0}",
                "a::f::{closure#0}",
            ),
            (
                "core::ops::impls::<impl core::ops::FnOnce<A> for &F>::call_once",
                "core::ops::impls::call_once",
                "core::ops::impls::call_once",
            ),
            ("<<a::P<X> as a::Q>::R as a::S>::t", "<<a::P as a::Q>::R as a::S>::t", "<R as S>::t"),
            ("malloc", "malloc", "malloc"),
            ("x", "x", "x"),
        ];
        for (name, expected_path, expected_shown) in cases {
            assert_eq!(path(name), expected_path);
            assert_eq!(shown(expected_path), expected_shown);
        }
    }

    #[test]
    fn crates_and_modules() {
        assert_eq!(krate("a::b::c"), Some("a"));
        assert_eq!(krate("<&mut a::S as b::T>::c"), Some("a"));
        assert_eq!(krate("malloc"), None);
        assert_eq!(parent("a::b::f::{closure#0}::{closure#1}"), "a::b");
        assert_eq!(parent("<a::b::S as c::T>::f"), "a::b");
        assert_eq!(without_closure_numbers("a::f::{closure#12}::g"), "a::f::{closure}::g");
    }
}
