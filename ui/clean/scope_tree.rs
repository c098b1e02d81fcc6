//! Tasks that spawn tasks into the same scope, as a tree: every node writes its own element.

use rayon::Scope;

fn grow<'scope>(scope: &Scope<'scope>, values: &'scope mut [u32], depth: u32) {
    let Some((root, rest)) = values.split_first_mut() else { return };
    let (left, right) = rest.split_at_mut(rest.len() / 2);
    scope.spawn(move |scope| grow(scope, left, depth + 1));
    scope.spawn(move |scope| grow(scope, right, depth + 1));
    *root = depth;
}

fn main() {
    let mut values = vec![0; 31];
    rayon::scope(|scope| grow(scope, &mut values, 1));
    assert_eq!(values.iter().filter(|&&depth| depth == 5).count(), 16);
}
