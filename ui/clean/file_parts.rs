//! Tasks read parts of a file into parts of a buffer, and no further than there is something to read.

use std::fs::File;
use std::io::Write;
use std::os::unix::fs::FileExt;

use rayon::prelude::*;
use shared::Shared;

fn main() {
    let path = std::env::temp_dir().join(format!("rosser-ui-{}", std::process::id()));
    let mut file = File::create_new(&path).expect("it can be made");
    file.write_all(&[7; 1000]).expect("it can be written");
    let file = File::open(&path).expect("it can be opened");
    std::fs::remove_file(&path).expect("it can be removed");
    let mut buffer = vec![0_u8; 1000];
    buffer.par_chunks_mut(100).enumerate().for_each(|(index, part)| {
        file.read_exact_at(part, 100 * index as u64).expect("it can be read");
    });
    assert_eq!(buffer, [7; 1000]);
    let byte = Shared::slice(&mut buffer);
    rayon::join(
        || {
            // SAFETY: the file ends after 600 bytes, and then nothing more is written.
            let bytes = unsafe { std::slice::from_raw_parts_mut(byte.get(), 1000) };
            assert_eq!(file.read_at(bytes, 400).expect("it can be read"), 600);
        },
        || {
            // SAFETY: as above.
            unsafe { *byte.at(600) = 1 }
        },
    );
    assert_eq!(buffer[600], 1);
}
