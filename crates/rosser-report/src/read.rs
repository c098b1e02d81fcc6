//! Reading text files that others name: of a length that is expected, and never a device or a pipe, which may have
//! no end.

use std::fs::{self, File};
use std::io::{self, Error, ErrorKind, Read};
use std::path::Path;

/// Longer files are refused.
pub const MAX_BYTES: u64 = 16 << 20;

/// The text of a file.
pub fn text(path: &Path) -> io::Result<String> {
    let about = fs::metadata(path)?;
    if !about.is_file() {
        return Err(Error::new(ErrorKind::InvalidInput, "it is no ordinary file"));
    }
    let mut text = String::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MAX_BYTES {
        return Err(Error::new(ErrorKind::FileTooLarge, "it is longer than 16 MiB"));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{MAX_BYTES, text};

    #[test]
    fn neither_devices_nor_long_files_are_read() {
        assert!(text(Path::new("/dev/zero")).is_err());
        let directory = tempfile::tempdir().expect("there is a temporary directory");
        let file = directory.path().join("file");
        std::fs::write(&file, "text").unwrap();
        assert_eq!(text(&file).unwrap(), "text");
        std::fs::File::create(&file).unwrap().set_len(MAX_BYTES + 1).unwrap();
        assert!(text(&file).is_err());
    }
}
