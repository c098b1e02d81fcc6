//! Which checks are of bytes that adjoin, and can be made as one.

/// Something that is checked.
pub trait Bytes {
    /// What two have to have in common to be made as one.
    type Like: Ord;

    fn like(&self) -> Self::Like;

    /// Where it begins, counted from the same place for all that are alike, and how long it is, if that is
    /// known.
    fn extent(&self) -> (i64, Option<i64>);
}

/// Some that adjoin or overlap, the first of which begins first, and how long they are together, if that is known.
pub struct Group<T> {
    pub members: Vec<T>,
    pub len: Option<i64>,
}

/// Puts those together that adjoin.
pub fn groups<T: Bytes>(mut all: Vec<T>) -> Vec<Group<T>> {
    all.sort_by_cached_key(|it| (it.like(), it.extent().0));
    let mut groups: Vec<Group<T>> = Vec::new();
    for next in all {
        if let Some(last) = groups.last_mut()
            && let Some(len) = last.len_with(&next)
        {
            last.len = Some(len);
            last.members.push(next);
        } else {
            let len = next.extent().1;
            groups.push(Group { members: vec![next], len });
        }
    }
    groups
}

impl<T: Bytes> Group<T> {
    /// How long it would be with another, which begins no earlier; nothing if that does not adjoin.
    fn len_with(&self, next: &T) -> Option<i64> {
        let first = &self.members[0];
        let (start, next_len) = next.extent();
        let (len, next_len) = (self.len?, next_len?);
        let apart = start.checked_sub(first.extent().0)?;
        (first.like() == next.like() && apart <= len)
            .then(|| len.max(apart.saturating_add(next_len)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Bytes, Group, groups};

    /// A line, a start and a length.
    struct One(u32, i64, Option<i64>);

    impl Bytes for One {
        type Like = u32;
        fn like(&self) -> u32 {
            self.0
        }
        fn extent(&self) -> (i64, Option<i64>) {
            (self.1, self.2)
        }
    }

    #[test]
    fn those_that_touch_are_put_together() {
        let all = [(1, 8), (1, 0), (2, 16), (1, 4), (1, 20), (1, 21)];
        let mut all: Vec<One> = all.map(|(line, start)| One(line, start, Some(4))).into();
        all.push(One(1, 24, None));
        all.push(One(1, 25, Some(4)));
        let found: Vec<(u32, i64, usize, Option<i64>)> = groups(all)
            .into_iter()
            .map(|Group { members, len }| (members[0].0, members[0].1, members.len(), len))
            .collect();
        let expected = [
            (1, 0, 3, Some(12)),
            (1, 20, 2, Some(5)),
            (1, 24, 1, None),
            (1, 25, 1, Some(4)),
            (2, 16, 1, Some(4)),
        ];
        assert_eq!(found, expected);
    }
}
