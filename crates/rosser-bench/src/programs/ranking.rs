//! Whether two measurements put the programs into the same order.

use std::collections::HashMap;

/// How many times as long as itself each program takes, by name. Of the least times: a shared machine only ever adds to
/// them.
pub type Slowdowns = HashMap<String, f64>;

/// Pairs whose slowdowns were closer than this are not told apart by one measurement.
const APART: f64 = 1.25;

/// The slowdowns of a variant, from all figures of a measurement as they were written.
pub fn read(csv: &str, variant: &str) -> Slowdowns {
    let mut lines = csv.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let column = |name: &str| header.iter().position(|it| *it == name);
    let columns = [column("program"), column("variant"), column("cpu_min_s")];
    let [Some(program), Some(way), Some(seconds)] = columns else { return Slowdowns::new() };
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let times = |wanted: &str| -> HashMap<&str, f64> {
        let rows = rows.iter().filter(|row| row.get(way) == Some(&wanted));
        rows.filter_map(|row| Some((*row.get(program)?, row.get(seconds)?.parse().ok()?))).collect()
    };
    let base = times("base");
    let slowdown = |(name, time): (&str, f64)| Some((name.to_string(), time / base.get(name)?));
    times(variant).into_iter().filter_map(slowdown).collect()
}

/// How many pairs of programs have changed places, in words.
pub fn compare(before: &Slowdowns, now: &Slowdowns) -> String {
    let mut both: Vec<(f64, f64)> =
        before.iter().filter_map(|(name, before)| Some((*before, *now.get(name)?))).collect();
    both.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut pairs = [0_u32; 2];
    let mut changed = [0_u32; 2];
    for (i, low) in both.iter().enumerate() {
        for high in &both[i + 1..] {
            let far = usize::from(high.0 >= low.0 * APART);
            pairs[far] += 1;
            changed[far] += u32::from(high.1 < low.1);
        }
    }
    format!(
        "Of {} pairs of programs, {} have changed places; of the {} that were {APART} times apart or more, {}",
        pairs[0] + pairs[1],
        changed[0] + changed[1],
        pairs[1],
        changed[1]
    )
}

#[cfg(test)]
mod tests {
    use super::{compare, read};
    use crate::programs::summary::tests::sample;

    #[test]
    fn what_was_written_is_read() {
        let slowdowns = read(&sample().csv(), "full");
        let mut slowdowns: Vec<(&str, f64)> =
            slowdowns.iter().map(|(name, slowdown)| (name.as_str(), *slowdown)).collect();
        slowdowns.sort_by(|a, b| a.1.total_cmp(&b.1));
        assert_eq!(slowdowns, [("nondeterminator/lu", 2.0), ("esp-bags/crypt", 8.0)]);
        assert!(read("something,else\n1,2\n", "full").is_empty());
    }

    #[test]
    fn pairs_that_change_places_are_counted() {
        let slowdowns = |figures: [f64; 3]| {
            ["a", "b", "c"].map(String::from).into_iter().zip(figures).collect()
        };
        let text = compare(&slowdowns([1.0, 1.1, 4.0]), &slowdowns([1.2, 1.1, 1.15]));
        let expected = "Of 3 pairs of programs, 2 have changed places; of the 2 that were 1.25 times \
                        apart or more, 1";
        assert_eq!(text, expected);
    }
}
