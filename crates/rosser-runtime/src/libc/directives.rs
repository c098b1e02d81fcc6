//! The directives of a format: `%-8.3ld` and the like.

use std::ffi::c_char;

/// How much of something there is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// As much as there is.
    Any,
    /// So much.
    Fixed(usize),
    /// The next argument tells.
    Argument,
}

/// The size of what is printed or scanned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// The one without a letter.
    Usual,
    /// `hh`
    Byte,
    /// `h`
    Short,
    /// `l`
    Long,
    /// `L`, and `ll`, `j`, `z`, `t` and `q`, which are the same for whole numbers.
    Longest,
}

impl Size {
    /// Of a whole number.
    pub fn of_whole(self) -> usize {
        match self {
            Self::Byte => 1,
            Self::Short => 2,
            Self::Usual => 4,
            Self::Long | Self::Longest => 8,
        }
    }

    /// Of a floating-point number.
    pub fn of_float(self) -> usize {
        match self {
            Self::Longest => 16,
            Self::Long => 8,
            _ => 4,
        }
    }
}

/// One directive that is not `%%`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Directive {
    /// The width, or `Fixed` for the most characters to be scanned.
    pub width: Amount,
    pub precision: Amount,
    pub size: Size,
    /// The letter. `[` is a set of characters.
    pub letter: u8,
    /// A `*` right after the `%`: what is scanned is not kept.
    pub is_dropped: bool,
    /// An `m`: memory is allocated for what is scanned.
    pub allocates: bool,
}

/// Which functions a format is for: the signs differ.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    Printing,
    Scanning,
}

/// The directives of a format. Ends at the first one whose argument is given by number, since then the
/// arguments are in another order.
pub struct Directives {
    at: *const c_char,
    purpose: Purpose,
}

impl Directives {
    /// # Safety
    /// The format is a string for as long as its directives are asked for.
    pub unsafe fn of(format: *const c_char, purpose: Purpose) -> Self {
        Self { at: format, purpose }
    }

    fn peek(&self) -> u8 {
        // SAFETY: by the promise made to `of`, and the zero at the end is never passed.
        unsafe { *self.at as u8 }
    }

    fn take(&mut self) -> Option<u8> {
        let byte = self.peek();
        if byte == 0 {
            return None;
        }
        self.at = self.at.wrapping_add(1);
        Some(byte)
    }

    fn take_if(&mut self, is_wanted: impl Fn(u8) -> bool) -> Option<u8> {
        if is_wanted(self.peek()) { self.take() } else { None }
    }

    fn number(&mut self) -> Option<usize> {
        let mut number = None;
        while let Some(digit) = self.take_if(|byte| byte.is_ascii_digit()) {
            let before: usize = number.unwrap_or(0);
            number = Some(before.saturating_mul(10).saturating_add(usize::from(digit - b'0')));
        }
        number
    }

    fn amount(&mut self) -> Amount {
        if self.purpose == Purpose::Printing && self.take_if(|byte| byte == b'*').is_some() {
            return Amount::Argument;
        }
        self.number().map_or(Amount::Any, Amount::Fixed)
    }

    fn size(&mut self) -> Size {
        let mut size = Size::Usual;
        loop {
            size = match (self.peek(), size) {
                (b'h', Size::Short) => Size::Byte,
                (b'h', _) => Size::Short,
                (b'l', Size::Usual) => Size::Long,
                (b'l' | b'L' | b'j' | b'z' | b't' | b'q', _) => Size::Longest,
                _ => return size,
            };
            self.take();
        }
    }

    /// A set of characters: `]` is one of them if it is the first.
    fn skip_set(&mut self) {
        self.take_if(|byte| byte == b'^');
        self.take_if(|byte| byte == b']');
        while self.take().is_some_and(|byte| byte != b']') {}
    }

    /// The one after a `%`.
    fn directive(&mut self) -> Option<Directive> {
        let scans = self.purpose == Purpose::Scanning;
        let is_dropped = scans && self.take_if(|byte| byte == b'*').is_some();
        let flags: &[u8] = if scans { b"'" } else { b"-+ #0'I" };
        while self.take_if(|byte| flags.contains(&byte)).is_some() {}
        let width = self.amount();
        if self.peek() == b'$' {
            return None;
        }
        let mut precision = Amount::Any;
        if !scans && self.take_if(|byte| byte == b'.').is_some() {
            precision = self.amount();
            // A point alone means none at all.
            if precision == Amount::Any {
                precision = Amount::Fixed(0);
            }
        }
        let allocates = scans && self.take_if(|byte| byte == b'm').is_some();
        let size = self.size();
        let letter = self.take()?;
        if scans && letter == b'[' {
            self.skip_set();
        }
        Some(Directive { width, precision, size, letter, is_dropped, allocates })
    }
}

impl Iterator for Directives {
    type Item = Directive;

    fn next(&mut self) -> Option<Directive> {
        loop {
            if self.take()? == b'%' {
                let directive = self.directive()?;
                if directive.letter != b'%' {
                    return Some(directive);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::CStr;

    use super::{Amount, Directive, Directives, Purpose, Size};

    fn of(format: &CStr, purpose: Purpose) -> Vec<Directive> {
        // SAFETY: it is a string.
        unsafe { Directives::of(format.as_ptr(), purpose) }.collect()
    }

    fn letters(format: &CStr, purpose: Purpose) -> String {
        of(format, purpose).iter().map(|directive| char::from(directive.letter)).collect()
    }

    #[test]
    fn every_part_of_a_directive_is_found() {
        let plain = Directive {
            width: Amount::Any,
            precision: Amount::Any,
            size: Size::Usual,
            letter: b'd',
            is_dropped: false,
            allocates: false,
        };
        assert_eq!(of(c"no %% at all", Purpose::Printing), []);
        assert_eq!(of(c"%d", Purpose::Printing), [plain]);
        assert_eq!(
            of(c"a%-08.3lxb%+*.*hhd", Purpose::Printing),
            [
                Directive {
                    width: Amount::Fixed(8),
                    precision: Amount::Fixed(3),
                    size: Size::Long,
                    letter: b'x',
                    ..plain
                },
                Directive {
                    width: Amount::Argument,
                    precision: Amount::Argument,
                    size: Size::Byte,
                    ..plain
                },
            ]
        );
        assert_eq!(
            of(c"%.s", Purpose::Printing),
            [Directive { precision: Amount::Fixed(0), letter: b's', ..plain }]
        );
        assert_eq!(
            of(c"%*3d%5ms", Purpose::Scanning),
            [
                Directive { width: Amount::Fixed(3), is_dropped: true, ..plain },
                Directive { width: Amount::Fixed(5), allocates: true, letter: b's', ..plain },
            ]
        );
    }

    #[test]
    fn what_is_odd_does_not_lead_astray() {
        assert_eq!(letters(c"%[]a%d]%s", Purpose::Scanning), "[s");
        assert_eq!(letters(c"%[^]%]%lld", Purpose::Scanning), "[d");
        assert_eq!(letters(c"%d%", Purpose::Printing), "d");
        assert_eq!(letters(c"%d%2$s", Purpose::Printing), "d");
        assert_eq!(letters(c"%d%[a", Purpose::Scanning), "d[");
        assert_eq!(letters(c"%Lf%zu%jd%s", Purpose::Printing), "fuds");
    }
}
