//! Links between documents lead somewhere.

use std::fs;
use std::path::{Path, PathBuf};

use super::root;

/// All documents of the repository.
fn documents() -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(&root(), &mut found);
    found
}

fn collect(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_symlink() || name == "target" || name.starts_with('.') {
            continue;
        }
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|end| end == "md") {
            found.push(path);
        }
    }
}

/// The targets of links, outside of blocks and spans of code.
fn links(text: &str) -> Vec<String> {
    let mut links = Vec::new();
    let mut is_block = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_block = !is_block;
        }
        if !is_block {
            let targets = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
            links.extend(targets.map(str::to_owned));
        }
    }
    links
}

/// The name by which a heading is linked.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter_map(|it| match it {
        ' ' => Some('-'),
        '-' | '_' => Some(it),
        _ if it.is_alphanumeric() => Some(it.to_ascii_lowercase()),
        _ => None,
    });
    kept.collect()
}

fn leads_somewhere(document: &Path, link: &str) -> bool {
    if link.contains("://") || link.starts_with("mailto:") {
        return true;
    }
    let (file, heading) = link.split_once('#').unwrap_or((link, ""));
    let target = if file.is_empty() {
        document.to_owned()
    } else {
        document.parent().unwrap_or(document).join(file)
    };
    if heading.is_empty() || !target.exists() {
        return target.exists();
    }
    let text = fs::read_to_string(&target).unwrap_or_default();
    let mut headings = text.lines().filter(|line| line.starts_with('#'));
    headings.any(|line| anchor(line.trim_start_matches('#')) == heading)
}

#[test]
fn every_link_leads_somewhere() {
    let documents = documents();
    assert!(documents.len() > 20, "{documents:?}");
    let mut dead = Vec::new();
    for document in documents {
        let text = fs::read_to_string(&document).unwrap();
        let links = links(&text).into_iter().filter(|link| !leads_somewhere(&document, link));
        dead.extend(links.map(|link| format!("{}: {link}", document.display())));
    }
    assert_eq!(dead, [""; 0]);
}

#[test]
fn a_dead_link_is_noticed() {
    let readme = root().join("README.md");
    assert!(leads_somewhere(&readme, "docs/model.md"));
    assert!(!leads_somewhere(&readme, "docs/no-such-document.md"));
    assert!(!leads_somewhere(&readme, "docs/model.md#no-such-heading"));
    assert!(leads_somewhere(&readme, "#licence"));
    assert_eq!(links("see [a](b.md), [c](d.md#e)"), ["b.md", "d.md#e"]);
}
