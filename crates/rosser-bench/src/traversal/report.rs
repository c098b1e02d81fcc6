//! Our counts beside the published ones.

use rosser_detect::Detector;
use rosser_detect::papers::drdp::{Drdp, DrdpOptions, JoinOrder, Search, Traversal};

use super::depend::Program;
use super::poisson::Poisson;
use super::published::{find, joins_name, search_name};
use super::sparselu::SparseLu;
use super::strassen::Strassen;
use crate::emit::Emitter;
use crate::format::Table;

/// A program of a certain size.
#[derive(Clone, Copy, Debug)]
enum Graph {
    Strassen(Strassen),
    SparseLu(SparseLu),
    Poisson(Poisson),
}

/// The programs at the sizes of the paper.
const GRAPHS: [Graph; 3] = [
    Graph::Strassen(Strassen { size: 512, base: 16 }),
    // The second number of the input, 8, is the size of a block, which is one location here.
    Graph::SparseLu(SparseLu { blocks: 32 }),
    Graph::Poisson(Poisson { blocks: 2048 / 128, cells: 16, iterations: 3 }),
];

/// In the order of the paper's table.
const TRAVERSALS: [Traversal; 4] = [
    Traversal { search: Search::Dfs, joins: JoinOrder::BackToFront },
    Traversal { search: Search::Dfs, joins: JoinOrder::FrontToBack },
    Traversal { search: Search::Bfs, joins: JoinOrder::BackToFront },
    Traversal { search: Search::Bfs, joins: JoinOrder::FrontToBack },
];

/// What the searches of a run visited.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Visited {
    searches: u64,
    min: u64,
    max: u64,
    average: f64,
}

impl Graph {
    fn name(self) -> &'static str {
        match self {
            Self::Strassen(_) => "strassen",
            Self::SparseLu(_) => "sparselu",
            Self::Poisson(_) => "poisson",
        }
    }

    fn drive<D: Detector>(self, detector: &mut D, reverse_gets: bool) {
        let mut emitter = Emitter::new(detector);
        let mut program = Program::new(&mut emitter, reverse_gets);
        match self {
            Self::Strassen(strassen) => strassen.run(&mut program),
            Self::SparseLu(sparse_lu) => sparse_lu.run(&mut program),
            Self::Poisson(poisson) => poisson.run(&mut program),
        }
        emitter.finish();
    }

    fn visited(self, traversal: Traversal, reverse_gets: bool) -> Visited {
        let mut drdp = Drdp::with_options(DrdpOptions { traversal, ..DrdpOptions::default() });
        self.drive(&mut drdp, reverse_gets);
        let races = drdp.findings().races();
        assert!(races.is_empty(), "{} has no races, yet: {:?}", self.name(), &races[..1]);
        let visits = drdp.visits();
        Visited {
            searches: visits.searches,
            min: visits.min,
            max: visits.max,
            average: visits.total as f64 / visits.searches as f64,
        }
    }
}

/// Runs every program in every order of traversal.
pub fn table(reverse_gets: bool) -> Table {
    let mut table = Table::new(
        4,
        [
            "program",
            "input",
            "search",
            "joins",
            "searches",
            "min",
            "max",
            "average",
            "published min",
            "published max",
            "published average",
        ],
    );
    for graph in GRAPHS {
        for traversal in TRAVERSALS {
            let visited = graph.visited(traversal, reverse_gets);
            let published = find(graph.name(), traversal).expect("the paper has every order");
            let ours = [
                graph.name().to_string(),
                published.input.to_string(),
                search_name(traversal.search).to_string(),
                joins_name(traversal.joins).to_string(),
                visited.searches.to_string(),
                visited.min.to_string(),
                visited.max.to_string(),
                format!("{:.2}", visited.average),
            ];
            table.row([ours.to_vec(), published.visited.map(String::from).to_vec()].concat());
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use rosser_detect::Detail;
    use rosser_detect::Detector;
    use rosser_detect::oracle::Oracle;
    use rosser_model::Auto;

    use super::{GRAPHS, Graph, Poisson, SparseLu, Strassen, TRAVERSALS};

    #[test]
    fn small_graphs_are_free_of_races_for_the_oracle() {
        let graphs = [
            Graph::Strassen(Strassen { size: 64, base: 16 }),
            Graph::SparseLu(SparseLu { blocks: 8 }),
            Graph::Poisson(Poisson { blocks: 4, cells: 3, iterations: 3 }),
        ];
        for graph in graphs {
            let mut oracle = Oracle::new(Detail::Locations);
            graph.drive(&mut oracle, false);
            assert_eq!(oracle.findings().races(), [], "{}", graph.name());
            let mut auto = Auto::new(Detail::Locations);
            graph.drive(&mut auto, false);
            assert_eq!(auto.findings().races(), [], "{}", graph.name());
        }
    }

    /// The finding of the paper: breadth-first with the newest joins first is best in every
    /// program, both on average and at worst.
    #[test]
    fn breadth_first_back_to_front_visits_the_fewest_tasks() {
        for graph in GRAPHS {
            let [dfs_back, dfs_front, best, bfs_front] =
                TRAVERSALS.map(|traversal| graph.visited(traversal, false));
            for other in [dfs_back, dfs_front, bfs_front] {
                assert!(best.average <= other.average, "{}: {best:?} {other:?}", graph.name());
                assert!(best.max <= other.max, "{}: {best:?} {other:?}", graph.name());
            }
            assert_eq!(best.min, 1);
            assert!(best.average < 4.0, "{}: {best:?}", graph.name());
        }
    }
}
