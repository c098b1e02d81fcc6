//! Numbers of variable length, seven bits to a byte, the lowest first; strings with their length.

/// Bytes that do not make sense.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Malformed;

/// Bytes that are being written.
#[derive(Clone, Debug, Default)]
pub struct Out(pub Vec<u8>);

impl Out {
    /// A number.
    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// The difference of a number to the one before, either way.
    pub fn difference(&mut self, number: u64, last: &mut u64) {
        let signed = number.wrapping_sub(*last).cast_signed();
        self.number(((signed << 1) ^ (signed >> 63)).cast_unsigned());
        *last = number;
    }

    /// A text.
    pub fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }
}

/// Bytes that are being read.
#[derive(Clone, Copy, Debug)]
pub struct In<'a>(pub &'a [u8]);

impl<'a> In<'a> {
    /// One byte.
    pub fn byte(&mut self) -> Result<u8, Malformed> {
        let (first, rest) = self.0.split_first().ok_or(Malformed)?;
        self.0 = rest;
        Ok(*first)
    }

    /// So many bytes.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(Malformed)?;
        self.0 = rest;
        Ok(taken)
    }

    /// A number.
    pub fn number(&mut self) -> Result<u64, Malformed> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                return Err(Malformed);
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Malformed)
    }

    /// A number of 32 bits.
    pub fn small(&mut self) -> Result<u32, Malformed> {
        u32::try_from(self.number()?).map_err(|_| Malformed)
    }

    /// A number by its difference to the one before.
    pub fn difference(&mut self, last: &mut u64) -> Result<u64, Malformed> {
        let coded = self.number()?;
        let signed = (coded >> 1).cast_signed() ^ -(coded & 1).cast_signed();
        *last = last.wrapping_add(signed.cast_unsigned());
        Ok(*last)
    }

    /// A text.
    pub fn text(&mut self) -> Result<String, Malformed> {
        let length = usize::try_from(self.number()?).map_err(|_| Malformed)?;
        let bytes = self.take(length)?;
        String::from_utf8(bytes.to_vec()).map_err(|_| Malformed)
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::{In, Malformed, Out};

    #[test]
    fn numbers_come_back() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX - 1, u64::MAX];
        let mut out = Out::default();
        let mut last = 0;
        for number in numbers {
            out.number(number);
            out.difference(number, &mut last);
        }
        let mut read = In(&out.0);
        let mut last = 0;
        for number in numbers {
            assert_eq!(read.number(), Ok(number));
            assert_eq!(read.difference(&mut last), Ok(number));
        }
        assert!(read.is_empty());
    }

    #[test]
    fn what_is_too_long_or_too_short_is_refused() {
        assert_eq!(In(&[0xff; 10]).number(), Err(Malformed));
        assert_eq!(In(&[0x80]).number(), Err(Malformed));
        assert_eq!(In(&[5, b'a']).text(), Err(Malformed));
        assert_eq!(In(&[1, 0xff]).text(), Err(Malformed));
    }
}
