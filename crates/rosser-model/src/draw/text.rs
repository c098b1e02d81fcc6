//! Measuring, clipping and escaping text.
//!
//! Without a font engine the only text whose width is known is monospace text, so everything
//! is set in a monospace font and measured by counting characters.

/// The font stack of the pictures. Every member has an advance of about 0.6 em.
pub(crate) const FONT: &str =
    "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace";

/// Size of body text in pixels.
pub(crate) const SIZE: f64 = 12.0;
/// Distance between two base lines of body text.
pub(crate) const LINE: f64 = 16.0;

/// The advance of a character in em; slightly generous, so that a font that is a little wider
/// than the usual 0.60 still fits its box.
const ADVANCE: f64 = 0.61;

/// The number of terminal-style cells a text takes; East Asian wide characters take two.
fn cells(text: &str) -> usize {
    text.chars().map(cells_of).sum()
}

fn cells_of(c: char) -> usize {
    if matches!(u32::from(c), 0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3
        | 0xf900..=0xfaff | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0x1f000..)
    {
        2
    } else {
        1
    }
}

/// The width of a text in pixels.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    cells(text) as f64 * size * ADVANCE
}

/// Makes a text fit for one line: control characters become spaces, trailing space goes away,
/// and what does not fit into `max` cells is replaced by an ellipsis.
pub(crate) fn one_line(text: &str, max: usize) -> String {
    let clean: String = text
        .trim_end()
        .chars()
        .map(|c| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c })
        .collect();
    if cells(&clean) <= max {
        return clean;
    }
    let mut clipped = String::new();
    let mut used = 1;
    for c in clean.chars() {
        used += cells_of(c);
        if used > max {
            break;
        }
        clipped.push(c);
    }
    clipped.push('…');
    clipped
}

/// Makes a list of lines fit for a box of at most `max_lines` lines.
pub(crate) fn block(lines: &[String], max_lines: usize, max: usize) -> Vec<String> {
    let keep = if lines.len() > max_lines { max_lines.saturating_sub(1) } else { lines.len() };
    let mut shown: Vec<String> = lines.iter().take(keep).map(|l| one_line(l, max)).collect();
    if keep < lines.len() {
        shown.push(format!("… {} more", lines.len() - keep));
    }
    shown
}

/// Escapes a text for XML content and attribute values. Characters that XML 1.0 cannot carry at
/// all become U+FFFD.
pub(crate) fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' => out.push('\n'),
            '\t' => out.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Quotes a text as a Graphviz string. Backslashes are doubled because Graphviz would read
/// `\N` or `\G` in a label as a substitution.
pub(crate) fn dot_quoted(text: &str) -> String {
    format!("\"{}\"", dot_escaped(text))
}

/// The inside of a Graphviz string, for callers that add line breaks of their own.
pub(crate) fn dot_escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\\""),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push(' '),
            // Graphviz decodes HTML entities in plain labels too.
            '&' => out.push_str("&amp;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{block, dot_quoted, one_line, width, xml};

    #[test]
    fn xml_is_escaped() {
        assert_eq!(xml("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
        assert_eq!(xml("bell\u{7}\ttab\u{ffff}"), "bell\u{fffd} tab\u{fffd}");
    }

    #[test]
    fn dot_strings_are_escaped() {
        assert_eq!(dot_quoted("say \"hi\"\\N\nx\u{1}"), "\"say \\\"hi\\\"\\\\N\\nx \"");
    }

    #[test]
    fn long_lines_are_clipped_to_the_limit() {
        assert_eq!(one_line("abcdef", 6), "abcdef");
        assert_eq!(one_line("abcdefg", 6), "abcde…");
        assert_eq!(one_line("a\tb\n", 6), "a b");
        assert_eq!(one_line("abc", 0), "…");
        assert!(width(&one_line("漢字漢字漢字", 6), 10.0) <= width("123456", 10.0));
    }

    #[test]
    fn long_blocks_say_how_much_is_missing() {
        let lines: Vec<String> = (0..10).map(|i| i.to_string()).collect();
        assert_eq!(block(&lines, 4, 9), ["0", "1", "2", "… 7 more"]);
        assert_eq!(block(&lines[..4], 4, 9).len(), 4);
    }
}
