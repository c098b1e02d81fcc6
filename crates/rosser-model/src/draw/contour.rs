//! Tidy placement of trees, after Reingold and Tilford.
//!
//! Every subtree is laid out once and remembered as its *contour*: how far it reaches to the
//! left and to the right on each level. Subtrees are pushed together until their contours touch,
//! and parents are centred over their children. Nothing recurses, because the input may be a
//! chain of thousands of nodes.

/// What the placement needs to know about a node.
pub(crate) struct Extent {
    /// Half of the node's width.
    pub half: f64,
    /// Half of the width to be kept free below the node, down to the last level; only nodes
    /// without children may ask for it.
    pub tail: Option<f64>,
}

/// The reach of a subtree on each level, relative to its root. Level zero is the *last* entry,
/// so that a parent can be added by pushing.
type Contour = Vec<(f64, f64)>;

/// The x coordinates of the centres of all nodes; the leftmost outline is at zero.
pub(crate) fn place(
    children: &[Vec<usize>],
    roots: &[usize],
    extents: &[Extent],
    gap: f64,
) -> Vec<f64> {
    let (order, depth) = top_down(children, roots);
    let deepest = depth.iter().copied().max().unwrap_or(0);
    let mut contours: Vec<Contour> = vec![Vec::new(); children.len()];
    // The position of every node relative to its parent.
    let mut offset = vec![0.0; children.len()];
    for &node in order.iter().rev() {
        let mut contour = join(&children[node], &mut contours, &mut offset, gap);
        if let (true, Some(tail)) = (contour.is_empty(), extents[node].tail) {
            contour = vec![(-tail, tail); deepest - depth[node]];
        }
        contour.push((-extents[node].half, extents[node].half));
        contours[node] = contour;
    }
    let forest = join(roots, &mut contours, &mut offset, gap);
    let left = forest.iter().map(|reach| reach.0).fold(f64::MAX, f64::min);

    let mut x = vec![0.0; children.len()];
    for &root in roots {
        x[root] = offset[root] - left;
    }
    for &node in &order {
        for &child in &children[node] {
            x[child] = x[node] + offset[child];
        }
    }
    x
}

/// The nodes in an order in which parents come before their children, and their levels.
pub(crate) fn top_down(children: &[Vec<usize>], roots: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let mut depth = vec![0; children.len()];
    let mut order = roots.to_vec();
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        next += 1;
        for &child in &children[node] {
            depth[child] = depth[node] + 1;
            order.push(child);
        }
    }
    (order, depth)
}

/// Pushes subtrees together, records the offsets of their roots from the centre between the
/// first and the last of them, and returns their common contour, relative to that centre.
fn join(subtrees: &[usize], contours: &mut [Contour], offset: &mut [f64], gap: f64) -> Contour {
    let mut whole: Contour = Vec::new();
    for &subtree in subtrees {
        let contour = std::mem::take(&mut contours[subtree]);
        let shift = whole
            .iter()
            .rev()
            .zip(contour.iter().rev())
            .map(|(left, right)| left.1 + gap - right.0)
            .fold(f64::MIN, f64::max);
        let shift = if whole.is_empty() { 0.0 } else { shift };
        offset[subtree] = shift;
        let mut merged: Contour =
            contour.iter().map(|reach| (reach.0 + shift, reach.1 + shift)).collect();
        let common = merged.len().min(whole.len());
        for level in 1..=common {
            let (new, old) = (merged.len() - level, whole.len() - level);
            merged[new].0 = whole[old].0;
        }
        if whole.len() > merged.len() {
            let deeper = whole.len() - merged.len();
            merged.splice(0..0, whole[..deeper].iter().copied());
        }
        whole = merged;
    }
    let ends = subtrees.first().zip(subtrees.last());
    let centre = ends.map_or(0.0, |(&first, &last)| offset[first].midpoint(offset[last]));
    for &subtree in subtrees {
        offset[subtree] -= centre;
    }
    for reach in &mut whole {
        *reach = (reach.0 - centre, reach.1 - centre);
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::{Extent, place};

    fn extents(count: usize) -> Vec<Extent> {
        (0..count).map(|_| Extent { half: 5.0, tail: None }).collect()
    }

    #[test]
    fn parents_are_centred_and_siblings_keep_the_gap() {
        let children = vec![vec![1, 2, 3], vec![], vec![4, 5], vec![], vec![], vec![]];
        let x = place(&children, &[0], &extents(6), 2.0);
        assert!((x[0] - x[1].midpoint(x[3])).abs() < 1e-9);
        assert!((x[2] - x[4].midpoint(x[5])).abs() < 1e-9);
        assert!((x[5] - x[4] - 12.0).abs() < 1e-9);
        assert!(x[2] - x[1] >= 12.0 - 1e-9);
    }

    #[test]
    fn a_tail_keeps_the_space_below_a_leaf_free() {
        // The second subtree would tuck its wide lower level under the first leaf.
        let children = vec![vec![1, 2], vec![], vec![3, 4, 5], vec![], vec![], vec![]];
        let free = place(&children, &[0], &extents(6), 2.0);
        assert!(free[3] - 5.0 < free[1]);
        let mut with_tail = extents(6);
        with_tail[1].tail = Some(3.0);
        let kept = place(&children, &[0], &with_tail, 2.0);
        assert!(kept[3] - 5.0 >= kept[1] + 3.0 + 2.0 - 1e-9);
    }

    #[test]
    fn chains_and_forests_are_fine() {
        let count = 5_000;
        let children: Vec<Vec<usize>> =
            (0..count).map(|n| if n + 1 < count { vec![n + 1] } else { vec![] }).collect();
        let x = place(&children, &[0], &extents(count), 2.0);
        assert!(x.iter().all(|&x| (x - 5.0).abs() < 1e-9));
        assert!(place(&[], &[], &[], 2.0).is_empty());
        let x = place(&vec![vec![]; 2], &[0, 1], &extents(2), 2.0);
        assert!((x[1] - x[0] - 12.0).abs() < 1e-9);
    }
}
