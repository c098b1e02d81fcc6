//! CRC-32 as in gzip and PNG: a block with one is whole.

const TABLE: [u32; 256] = table();

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut at = 0;
    while at < 256 {
        let mut value = at as u32;
        let mut bit = 0;
        while bit < 8 {
            value = if value & 1 == 1 { (value >> 1) ^ 0xEDB8_8320 } else { value >> 1 };
            bit += 1;
        }
        table[at] = value;
        at += 1;
    }
    table
}

/// The checksum of some bytes.
pub fn of(bytes: &[u8]) -> u32 {
    let step = |sum: u32, byte: &u8| (sum >> 8) ^ TABLE[((sum ^ u32::from(*byte)) & 0xff) as usize];
    !bytes.iter().fold(u32::MAX, step)
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_is_the_usual_one() {
        assert_eq!(super::of(b"123456789"), 0xCBF4_3926);
        assert_eq!(super::of(b""), 0);
    }
}
