//! Collecting into every other collection.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::sync::Arc;

use rayon::prelude::*;

fn main() {
    let items = || (0..16_u32).into_par_iter();
    let pairs = || items().map(|item| (item, item.to_string()));
    assert_eq!(items().collect::<VecDeque<_>>().back(), Some(&15));
    assert_eq!(items().collect::<LinkedList<_>>().back(), Some(&15));
    assert_eq!(items().collect::<BinaryHeap<_>>().peek(), Some(&15));
    assert_eq!(items().collect::<HashSet<_>>().len(), 16);
    assert_eq!(items().collect::<BTreeSet<_>>().last(), Some(&15));
    assert_eq!(pairs().collect::<HashMap<_, _>>()[&7], "7");
    assert_eq!(pairs().collect::<BTreeMap<_, _>>()[&7], "7");
    assert_eq!(items().collect::<Arc<[u32]>>().len(), 16);
    assert_eq!(items().collect::<Cow<'_, [u32]>>().len(), 16);
    assert_eq!(pairs().map(|(_, text)| text).collect::<String>().len(), 22);
    assert_eq!(items().filter_map(char::from_u32).collect::<String>().len(), 16);
    items().map(|_| ()).collect::<()>();
}
