//! Names and texts of others, as they can be shown: a file or a setting may be called anything, and a terminal or a
//! log would obey what is in there.

use std::borrow::Cow;
use std::fmt::Write as _;

/// A text in which what controls terminals is spelled out, and what reverses the direction of writing. Ends of
/// lines stay.
pub fn harmless(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_harmful) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_harmful(c) {
            write!(out, "\\u{{{:x}}}", u32::from(c)).expect("strings grow");
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

fn is_harmful(c: char) -> bool {
    let reverses = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    reverses || c.is_control() && !matches!(c, '\n' | '\t')
}

#[cfg(test)]
mod tests {
    use super::harmless;

    #[test]
    fn what_controls_terminals_is_spelled_out() {
        assert_eq!(harmless("src/ä.rs\n\tx"), "src/ä.rs\n\tx");
        assert_eq!(harmless("\x1b]0;x\x07\u{9b}1m\r"), "\\u{1b}]0;x\\u{7}\\u{9b}1m\\u{d}");
        assert_eq!(harmless("a\u{202e}b"), "a\\u{202e}b");
    }
}
