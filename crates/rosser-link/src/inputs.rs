//! What is linked: files of machine code, which the linker gets as they are, and of bitcode.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use object::read::archive::ArchiveFile;

use crate::checks;
use crate::llvm::Module;

/// How bitcode begins.
const MAGIC: &[u8] = b"BC\xc0\xde";

/// What is in an archive of the compiler beside code.
const METADATA: &str = "lib.rmeta";

/// Prepares the files of one program.
pub struct Inputs {
    /// Where new files go.
    pub directory: PathBuf,
    files: usize,
}

impl Inputs {
    /// New files go into this directory, which exists.
    pub fn new(directory: PathBuf) -> Self {
        Self { directory, files: 0 }
    }

    /// What the linker gets in place of a file.
    pub fn prepare(&mut self, path: &Path) -> Result<Vec<OsString>, String> {
        let unchanged = || Ok(vec![path.into()]);
        // What cannot be read is for the linker to complain of.
        let Ok(bytes) = fs::read(path) else { return unchanged() };
        if bytes.starts_with(MAGIC) {
            return Ok(vec![self.prepare_bitcode(&bytes)?]);
        }
        let Ok(archive) = ArchiveFile::parse(&*bytes) else { return unchanged() };
        let mut members = Vec::new();
        for member in archive.members().filter_map(Result::ok) {
            if member.name() != METADATA.as_bytes() {
                members.push(member.data(&*bytes).map_err(|error| error.to_string())?);
            }
        }
        if !members.iter().any(|member| member.starts_with(MAGIC)) {
            return unchanged();
        }
        // As in an archive, only those that are needed.
        let mut arguments = vec!["-Wl,--start-lib".into()];
        for member in members {
            arguments.push(if member.starts_with(MAGIC) {
                self.prepare_bitcode(member)?
            } else {
                let path = self.new_file();
                fs::write(&path, member).map_err(|error| cannot_write(&path, &error))?;
                path.into()
            });
        }
        arguments.push("-Wl,--end-lib".into());
        Ok(arguments)
    }

    /// Takes checks out of loops.
    fn prepare_bitcode(&mut self, bitcode: &[u8]) -> Result<OsString, String> {
        let module = Module::read(bitcode).ok_or("the compiler's LLVM cannot read its bitcode")?;
        checks::make_fewer(&module)?;
        if cfg!(debug_assertions) {
            module.verify()?;
        }
        let path = self.new_file();
        module.write(&path)?;
        Ok(path.into())
    }

    fn new_file(&mut self) -> PathBuf {
        self.files += 1;
        self.directory.join(format!("{}.o", self.files))
    }
}

/// Says which file, and why.
pub fn cannot_write(path: &Path, error: &std::io::Error) -> String {
    format!("cannot write {}: {error}", path.display())
}
