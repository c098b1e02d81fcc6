//! Builds trees of boxes and takes them apart again, subtrees in parallel: hardly anything but
//! allocation.

use rayon::join;

use crate::size::Size;

/// Trees no higher than this are built by one task.
const CUT_OFF: u32 = 8;

struct Tree {
    children: Option<Box<(Tree, Tree)>>,
}

/// Builds trees, one after the other, and counts their nodes.
pub fn run(size: Size) -> u64 {
    let (height, trees) = size.pick((10, 2), (16, 80));
    let mut nodes = 0;
    for _ in 0..trees {
        let tree = build(height);
        nodes += count(&tree, height);
    }
    assert_eq!(nodes, trees * ((2 << height) - 1));
    nodes
}

fn build(height: u32) -> Tree {
    if height == 0 {
        return Tree { children: None };
    }
    let children = if height <= CUT_OFF {
        (build(height - 1), build(height - 1))
    } else {
        join(|| build(height - 1), || build(height - 1))
    };
    Tree { children: Some(Box::new(children)) }
}

fn count(tree: &Tree, height: u32) -> u64 {
    let Some(children) = &tree.children else { return 1 };
    let (left, right) = &**children;
    let (left, right) = if height <= CUT_OFF {
        (count(left, height - 1), count(right, height - 1))
    } else {
        join(|| count(left, height - 1), || count(right, height - 1))
    };
    1 + left + right
}
