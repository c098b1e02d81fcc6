
/// Added by Rosser: leaves of parallel iterators tell where one item ends and the next begins.
mod rosser_items {
    use super::{
        Consumer, Folder, LengthSplitter, Producer, Splitter, UnindexedConsumer, UnindexedProducer,
    };

    /// Whether a piece is to be split.
    #[inline]
    pub(super) fn splits(splitter: &mut LengthSplitter, len: usize, migrated: bool) -> bool {
        if splitter.min > 1 || !rayon_core::items::are_told() {
            return splitter.try_split(len, migrated);
        }
        len >= 2 && rayon_core::items::are_split(migrated)
    }

    /// The same, of a producer that does not know its length.
    #[inline]
    pub(super) fn splits_unindexed<P>(splitter: &mut Splitter, migrated: bool) -> bool {
        if !have_items::<P>() || !rayon_core::items::are_told() {
            return splitter.try_split(migrated);
        }
        rayon_core::items::are_split(migrated)
    }

    /// Whether the leaves of a producer that does not know its length have nothing that is older than they are and
    /// changes from one item to the next. Those of rayon's own that do are known.
    #[inline]
    fn have_items<P>() -> bool {
        let name = std::any::type_name::<P>().trim_start_matches('&');
        (name.starts_with("rayon::") || name.starts_with("hashbrown::"))
            && !name.starts_with("rayon::iter::walk_tree::")
            && !name.starts_with("rayon::iter::par_bridge::")
    }

    /// Folds a leaf.
    #[inline]
    pub(super) fn fold<P, C>(len: usize, min: usize, producer: P, consumer: C) -> C::Result
    where
        P: Producer,
        C: Consumer<P::Item>,
    {
        if len <= 1 || min > 1 || !rayon_core::items::are_told() {
            rayon_core::items::skip(len);
            return producer.fold_with(consumer.into_folder()).complete();
        }
        let folder = rayon_core::items::leaf(move || producer.fold_with(Items(consumer.into_folder())));
        folder.complete()
    }

    /// Folds a leaf of a producer that does not know its length.
    #[inline]
    pub(super) fn fold_unindexed<P, C>(producer: P, consumer: C) -> C::Result
    where
        P: UnindexedProducer,
        C: UnindexedConsumer<P::Item>,
    {
        if !have_items::<P>() || !rayon_core::items::are_told() {
            return producer.fold_with(consumer.into_folder()).complete();
        }
        let folder = rayon_core::items::leaf(move || producer.fold_with(Items(consumer.into_folder())));
        folder.complete()
    }

    /// A folder that tells of the end of each item.
    struct Items<F>(F);

    impl<T, F: Folder<T>> Folder<T> for Items<F> {
        type Result = F::Result;

        #[inline]
        fn consume(self, item: T) -> Self {
            let folder = self.0.consume(item);
            rayon_core::items::next_item();
            Items(folder)
        }

        #[inline]
        fn consume_iter<I>(self, iter: I) -> Self
        where
            I: IntoIterator<Item = T>,
        {
            Items(self.0.consume_iter(Marked { items: iter.into_iter(), is_first: true }))
        }

        #[inline]
        fn complete(self) -> F::Result {
            self.0.complete()
        }

        #[inline]
        fn full(&self) -> bool {
            self.0.full()
        }
    }

    /// An iterator that tells of the end of the item before, whenever it is asked for the next.
    struct Marked<I> {
        items: I,
        is_first: bool,
    }

    impl<I: Iterator> Iterator for Marked<I> {
        type Item = I::Item;

        #[inline]
        fn next(&mut self) -> Option<I::Item> {
            if !std::mem::replace(&mut self.is_first, false) {
                rayon_core::items::next_item();
            }
            self.items.next()
        }

        #[inline]
        fn size_hint(&self) -> (usize, Option<usize>) {
            self.items.size_hint()
        }

        #[inline]
        fn fold<A, G: FnMut(A, I::Item) -> A>(self, init: A, mut fold: G) -> A {
            if !self.is_first {
                rayon_core::items::next_item();
            }
            self.items.fold(init, move |accumulated, item| {
                let accumulated = fold(accumulated, item);
                rayon_core::items::next_item();
                accumulated
            })
        }
    }
}
