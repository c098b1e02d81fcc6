//! Breaks long remarks into lines.

use crate::harmless;

/// What stands before a remark: `   = note: ` and line numbers of up to four digits.
const MARGIN: usize = 14;

/// Breaks lines at spaces so that a remark fits into a width. Words that are too long stay whole, and
/// so do indented lines: they are lists of places, one on each line.
pub fn wrapped(text: &str, width: usize) -> String {
    let room = width.saturating_sub(MARGIN).max(40);
    let text = harmless(text);
    let lines: Vec<String> = text.lines().map(|line| wrapped_line(line, room)).collect();
    lines.join("\n")
}

fn wrapped_line(line: &str, room: usize) -> String {
    if line.starts_with(' ') {
        return line.to_owned();
    }
    let mut out = String::with_capacity(line.len());
    let mut column = 0;
    for (index, word) in line.split(' ').enumerate() {
        let length = word.chars().count();
        if index > 0 && column + 1 + length > room {
            out.push('\n');
            column = 0;
        } else if index > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn lines_are_broken_at_spaces() {
        let text = "one two three four five six seven eight nine ten\n  an indented line that is much too long for so little room";
        let expected = "one two three four five six seven eight\nnine ten\n  an indented line that is much too long for so little room";
        assert_eq!(wrapped(text, 54), expected);
        assert_eq!(wrapped("red \x1b[31m", 60), "red \\u{1b}[31m");
        let long = "a".repeat(100);
        assert_eq!(wrapped(&format!("x {long} y"), 60), format!("x\n{long}\ny"));
    }
}
