//! Patterns with `*`, which stands for any text, the empty one included.

/// Whether a pattern matches a whole text.
pub fn matches(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let Some(last) = pieces.next_back() else {
        return rest.is_empty();
    };
    // Taking the leftmost place for each piece leaves the most for those that follow.
    for piece in pieces {
        let Some(at) = rest.find(piece) else {
            return false;
        };
        rest = &rest[at + piece.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn stars_stand_for_any_text() {
        for (pattern, text) in [
            ("", ""),
            ("*", ""),
            ("*", "a::b"),
            ("a::*", "a::b::c"),
            ("*::c", "a::b::c"),
            ("a*b*c", "a_b_b_c"),
            ("**", "x"),
            ("ab*ba", "abba"),
        ] {
            assert!(matches(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in
            [("", "a"), ("a", "ab"), ("a", "ba"), ("a*a", "a"), ("*b*b", "ab"), ("ab*ba", "aba")]
        {
            assert!(!matches(pattern, text), "{pattern} {text}");
        }
    }
}
