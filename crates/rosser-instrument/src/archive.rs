//! Libraries: archives of object files, of which those that are bitcode become machine code.

use std::fs;
use std::io::Cursor;
use std::path::Path;

use ar_archive_writer::{
    ArchiveKind, DEFAULT_OBJECT_READER, NewArchiveMember, write_archive_to_stream,
};
use object::read::archive::ArchiveFile;

/// How bitcode begins.
pub const BITCODE: &[u8] = b"BC\xc0\xde";

/// The member of a library that tells the compiler what is in it.
const METADATA: &str = "lib.rmeta";

/// Looks at the bytes of every member.
pub fn each_member(path: &Path, mut look: impl FnMut(&[u8])) -> Result<(), String> {
    change_members(path, |_, bytes| {
        look(bytes);
        Ok(None)
    })
}

/// Replaces members of an archive; those of which nothing is left are left out. `change` gets the name and the bytes
/// of each, and returns what takes its place, or nothing if it stays. An archive without such a member is not written
/// again.
pub fn change_members(
    path: &Path,
    mut change: impl FnMut(&str, &[u8]) -> Result<Option<Vec<u8>>, String>,
) -> Result<(), String> {
    let bytes =
        fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let broken = |error: object::Error| format!("{} is no archive: {error}", path.display());
    let archive = ArchiveFile::parse(&*bytes).map_err(broken)?;
    let mut members = Vec::new();
    let mut is_changed = false;
    for member in archive.members() {
        let member = member.map_err(broken)?;
        let data = member.data(&*bytes).map_err(broken)?;
        let name = String::from_utf8_lossy(member.name()).into_owned();
        let new = change(&name, data)?;
        is_changed |= new.is_some();
        if new.as_ref().is_some_and(Vec::is_empty) {
            continue;
        }
        members.push(new_member(name, new.unwrap_or_else(|| data.to_vec())));
    }
    if is_changed { write(path, &members) } else { Ok(()) }
}

/// Adds the object files of one archive to another, all as one member's name.
pub fn add_objects(from: &Path, to: &Path, name: &str) -> Result<(), String> {
    const ELF: &[u8] = b"\x7fELF";
    let mut objects = Vec::new();
    change_members(from, |own_name, bytes| {
        if bytes.starts_with(ELF) && own_name != METADATA {
            objects.push((name.to_owned(), bytes.to_vec()));
        }
        Ok(None)
    })?;
    add_members(to, objects)
}

/// Adds members to an archive, by their names.
pub fn add_members(to: &Path, added: Vec<(String, Vec<u8>)>) -> Result<(), String> {
    let mut members = Vec::new();
    change_members(to, |name, bytes| {
        members.push(new_member(name.to_owned(), bytes.to_vec()));
        Ok(None)
    })?;
    members.extend(added.into_iter().map(|(name, bytes)| new_member(name, bytes)));
    write(to, &members)
}

fn new_member(member_name: String, bytes: Vec<u8>) -> NewArchiveMember<'static> {
    NewArchiveMember {
        buf: Box::new(bytes),
        object_reader: &DEFAULT_OBJECT_READER,
        member_name,
        mtime: 0,
        uid: 0,
        gid: 0,
        perms: 0o644,
    }
}

fn write(path: &Path, members: &[NewArchiveMember<'_>]) -> Result<(), String> {
    let mut written = Cursor::new(Vec::new());
    write_archive_to_stream(&mut written, members, ArchiveKind::Gnu, false, None)
        .map_err(|error| cannot_write(path, &error))?;
    replace(path, &written.into_inner())
}

/// Replaces a file in one step: a process that is reading it keeps the old one.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let mut new = path.as_os_str().to_owned();
    new.push(format!(".rosser-{}", std::process::id()));
    fs::write(&new, bytes)
        .and_then(|()| fs::rename(&new, path))
        .map_err(|error| cannot_write(path, &error))
}

/// Says which file, and why.
pub fn cannot_write(path: &Path, error: &std::io::Error) -> String {
    format!("cannot write {}: {error}", path.display())
}
