//! Numbers in sentences.

/// With commas: `4,096`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 task`, `2 tasks`: the noun takes an `s` unless there is one.
pub fn counted(number: u64, noun: &str) -> String {
    match (number, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{} {stem}ies", grouped(number)),
        _ if noun.ends_with('s') => format!("{} {noun}es", grouped(number)),
        _ => format!("{} {noun}s", grouped(number)),
    }
}

#[cfg(test)]
mod tests {
    use super::{counted, grouped};

    #[test]
    fn commas_and_plurals() {
        let numbers = [0, 999, 1000, 12_345, 1_234_567].map(grouped);
        assert_eq!(numbers, ["0", "999", "1,000", "12,345", "1,234,567"]);
        assert_eq!(counted(1, "access"), "1 access");
        assert_eq!(counted(2, "access"), "2 accesses");
        assert_eq!(counted(0, "entry"), "0 entries");
        assert_eq!(counted(4096, "task"), "4,096 tasks");
    }
}
