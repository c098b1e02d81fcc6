//! Extending collections that already hold something.

use std::collections::{BTreeMap, HashMap, HashSet, LinkedList, VecDeque};

use rayon::prelude::*;

fn main() {
    let items = || (0..8_u32).into_par_iter();
    let mut vector = vec![9];
    vector.par_extend(items());
    vector.par_extend(items().filter(|item| item % 2 == 0));
    vector.par_extend(&[1, 2, 3]);
    assert_eq!(vector.len(), 16);
    let mut deque = VecDeque::from([9]);
    deque.par_extend(items());
    let mut list = LinkedList::from([9]);
    list.par_extend(items());
    let mut set = HashSet::from([9]);
    set.par_extend(items());
    assert_eq!((deque.len(), list.len(), set.len()), (9, 9, 9));
    let mut map = HashMap::from([(9, 'x')]);
    map.par_extend(items().map(|item| (item, 'y')));
    let mut tree = BTreeMap::from([(9, 'x')]);
    tree.par_extend(items().map(|item| (item, 'y')));
    assert_eq!((map.len(), tree.len()), (9, 9));
    let mut text = String::from("9");
    text.par_extend(items().map(|item| item.to_string()));
    text.par_extend(items().map(|_| 'z'));
    assert_eq!(text, "901234567zzzzzzzz");
}
