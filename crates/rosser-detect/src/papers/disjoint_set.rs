//! Disjoint sets with union by rank and path halving (Tarjan 1975).
//!
//! What a set *means* (an S-bag, a P-bag, a task with its non-tree joins) is the caller's, kept in
//! a table indexed by the set's representative.

/// A collection of disjoint sets over the elements `0..len`.
#[derive(Clone, Debug, Default)]
pub struct DisjointSets {
    parent: Vec<u32>,
    rank: Vec<u8>,
}

impl DisjointSets {
    /// Adds a new element in a set of its own and returns it.
    pub fn make_set(&mut self) -> u32 {
        let element = self.parent.len() as u32;
        self.parent.push(element);
        self.rank.push(0);
        element
    }

    /// The representative of the set that holds `element`.
    #[inline]
    pub fn find(&mut self, mut element: u32) -> u32 {
        loop {
            let up = self.parent[element as usize];
            if up == element {
                return element;
            }
            let above = self.parent[up as usize];
            self.parent[element as usize] = above;
            element = above;
        }
    }

    /// Merges the sets of two elements and returns the representative of the result.
    pub fn union(&mut self, a: u32, b: u32) -> u32 {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return a;
        }
        let (low, high) =
            if self.rank[a as usize] < self.rank[b as usize] { (a, b) } else { (b, a) };
        if self.rank[low as usize] == self.rank[high as usize] {
            self.rank[high as usize] += 1;
        }
        self.parent[low as usize] = high;
        high
    }
}

#[cfg(test)]
mod tests {
    use super::DisjointSets;

    #[test]
    fn union_joins_and_leaves_the_rest_apart() {
        let mut sets = DisjointSets::default();
        let elements: Vec<u32> = (0..6).map(|_| sets.make_set()).collect();
        sets.union(elements[0], elements[3]);
        sets.union(elements[3], elements[5]);
        assert_eq!(sets.find(0), sets.find(5));
        assert_ne!(sets.find(0), sets.find(1));
        let root = sets.find(0);
        assert_eq!(sets.union(0, 5), root, "joining a set with itself changes nothing");
    }
}
