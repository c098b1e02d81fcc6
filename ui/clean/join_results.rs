//! Results of joined closures are moved to the caller: strings and vectors that were allocated
//! and filled in a task are the caller's afterwards.

fn words(from: u32, to: u32) -> Vec<String> {
    if to - from == 1 {
        return vec![format!("word {from}")];
    }
    let middle = u32::midpoint(from, to);
    let (mut left, right) = rayon::join(|| words(from, middle), || words(middle, to));
    left.extend(right);
    left
}

fn main() {
    let mut words = words(0, 16);
    words[3].push('!');
    assert_eq!(words[3], "word 3!");
    assert_eq!(words.len(), 16);
}
