//! Writes a set of sample pictures, as SVG and DOT, into the directory given as argument.
//!
//! The samples are the ones to look at after a change of the layout: the running example of a
//! task-parallel program with promises, a wide graph, a deep one, one with many races, and the
//! task tree of the first.

use std::path::Path;

use rosser_model::draw::{
    Edge, EdgeKind, Node, NodeKind, Picture, RaceLink, Tree, TreeKind, TreeNode,
};

fn main() -> std::io::Result<()> {
    let Some(directory) = std::env::args_os().nth(1) else {
        eprintln!("usage: gallery DIRECTORY");
        std::process::exit(2);
    };
    let directory = Path::new(&directory);
    std::fs::create_dir_all(directory)?;
    let pictures = [
        ("promises", promises()),
        ("wide", wide()),
        ("deep", deep()),
        ("races", races()),
        ("kinds", kinds()),
        ("empty", Picture::default()),
    ];
    for (name, picture) in pictures {
        std::fs::write(directory.join(format!("{name}.svg")), picture.to_svg())?;
        std::fs::write(directory.join(format!("{name}.dot")), picture.to_dot())?;
    }
    for (name, tree) in [("tree", tree()), ("big-tree", big_tree())] {
        std::fs::write(directory.join(format!("{name}.svg")), tree.to_svg())?;
        std::fs::write(directory.join(format!("{name}.dot")), tree.to_dot())?;
    }
    Ok(())
}

fn edge(kind: EdgeKind, from: usize, to: usize) -> Edge {
    Edge { from, to, kind }
}

fn race(a: usize, b: usize, label: &str) -> RaceLink {
    RaceLink { a, b, label: label.into() }
}

/// Marks the ends of all race links as racy.
fn mark(mut picture: Picture) -> Picture {
    for link in &picture.races {
        picture.nodes[link.a].racy = true;
        picture.nodes[link.b].racy = true;
    }
    picture
}

/// Three tasks that hand each other promises through a shared location.
fn promises() -> Picture {
    use EdgeKind::{Continue, Fork, Join, Set};
    let nodes = vec![
        Node::step(0, "S1", ["x <- alloc", "y <- new_promise", "fork f"]),
        Node::step(1, "S2", ["p <- new_promise", "store p to x", "y.set"]),
        Node::promise(1, "a"),
        Node::step(1, "S3", ["p.get"]),
        Node::step(0, "S4", ["y.get"]),
        Node::step(0, "S5", ["fork g"]),
        Node::step(2, "S6", ["p <- load x", "p.set"]),
        Node::promise(2, "b"),
        Node::step(1, "S7", ["store null to x"]),
        Node::step(2, "S8", ["q <- load x"]),
        Node::step(0, "S9", ["return"]),
    ];
    let edges = vec![
        edge(Fork, 0, 1),
        edge(Continue, 0, 4),
        edge(Set, 1, 2),
        edge(Continue, 1, 3),
        edge(Join, 2, 5),
        edge(Continue, 4, 5),
        edge(Fork, 5, 6),
        edge(Continue, 5, 10),
        edge(Set, 6, 7),
        edge(Continue, 6, 9),
        edge(Join, 7, 8),
        edge(Continue, 3, 8),
    ];
    mark(Picture {
        title: "Promises handed on through x".into(),
        lanes: vec!["main".into(), "f".into(), "g".into()],
        nodes,
        edges,
        races: vec![race(8, 9, "x")],
    })
}

/// A main task that forks eleven others and awaits each of them.
fn wide() -> Picture {
    let mut lanes = vec!["main".to_string()];
    let mut nodes = vec![Node::step(0, "S0", ["total <- 0"])];
    let (mut edges, mut last, mut ends) = (Vec::new(), 0, Vec::new());
    for task in 1..=11 {
        lanes.push(format!("worker {task}"));
        let fork = nodes.len();
        nodes.push(Node::step(0, format!("S{fork}"), [format!("fork worker({task})")]));
        edges.push(edge(EdgeKind::Continue, last, fork));
        let work = nodes.len();
        nodes.push(Node::step(task, format!("S{work}"), [format!("r{task} <- work {task}")]));
        edges.push(edge(EdgeKind::Fork, fork, work));
        if task % 3 == 0 {
            nodes.push(Node::step(task, format!("S{}", work + 1), ["total <- total + r"]));
            edges.push(edge(EdgeKind::Continue, work, work + 1));
        }
        ends.push(nodes.len() - 1);
        last = fork;
    }
    for end in &ends {
        let join = nodes.len();
        nodes.push(Node::step(0, format!("S{join}"), ["await"]));
        edges.push(edge(EdgeKind::Continue, last, join));
        edges.push(edge(EdgeKind::Join, *end, join));
        last = join;
    }
    let races = vec![race(ends[2], ends[5], "total"), race(ends[5], ends[8], "total")];
    mark(Picture { title: "Twelve tasks".into(), lanes, nodes, edges, races })
}

/// Sixty steps in three lanes, with a hand-over every few steps.
fn deep() -> Picture {
    let lanes = vec!["producer".to_string(), "filter".to_string(), "consumer".to_string()];
    let mut nodes: Vec<Node> = Vec::new();
    let mut edges = Vec::new();
    let mut last: [Option<usize>; 3] = [None; 3];
    for round in 0..20 {
        let mut handed: Option<usize> = None;
        for lane in 0..3 {
            let step = nodes.len();
            let text = match lane {
                0 => vec![format!("v <- next {round}"), "box.set v".to_string()],
                1 => vec!["v <- box.get".to_string(), "if v < limit { out.set v }".to_string()],
                _ => vec![format!("sum[{round}] <- out.get")],
            };
            nodes.push(Node::step(lane, format!("S{step}"), text));
            if let Some(before) = last[lane] {
                edges.push(edge(EdgeKind::Continue, before, step));
            }
            if let Some(promise) = handed.take() {
                edges.push(edge(EdgeKind::Join, promise, step));
            }
            if round == 0 && lane > 0 {
                edges.push(edge(EdgeKind::Fork, 0, step));
            }
            last[lane] = Some(step);
            if lane < 2 {
                nodes.push(Node::promise(lane, format!("p{round}{}", ['a', 'b'][lane])));
                edges.push(edge(EdgeKind::Set, step, step + 1));
                handed = Some(step + 1);
            }
            if round % 5 == 4 && lane == 2 {
                edges.push(edge(EdgeKind::Weak, step - 12, step));
            }
        }
    }
    let races = vec![race(20, 14, "limit"), race(60, 64, "sum[12]")];
    mark(Picture { title: "A pipeline, sixty steps deep".into(), lanes, nodes, edges, races })
}

/// Four tasks that share everything and synchronise on nothing but a lock.
fn races() -> Picture {
    use EdgeKind::{Continue, Fork, Join, Weak};
    let nodes = vec![
        Node::step(0, "S1", ["count <- 0", "fork a; fork b; fork c"]),
        Node::step(1, "S2", ["count <- count + 1"]),
        Node::step(2, "S3", ["count <- count + 1", "cache[\"key\"] <- 1 & 3"]),
        Node::step(3, "S4", ["print cache[\"key\"]"]),
        Node::step(1, "S5", ["lock m", "size <- 3"]),
        Node::step(2, "S6", ["lock m", "size <- 4"]),
        Node::step(3, "S7", ["print size, count"]),
        Node::step(0, "S8", ["print count"]),
        Node::step(0, "S9", ["await a; await b; await c"]),
    ];
    let edges = vec![
        edge(Fork, 0, 1),
        edge(Fork, 0, 2),
        edge(Fork, 0, 3),
        edge(Continue, 0, 7),
        edge(Continue, 1, 4),
        edge(Continue, 2, 5),
        edge(Continue, 3, 6),
        edge(Weak, 4, 5),
        edge(Continue, 7, 8),
        edge(Join, 4, 8),
        edge(Join, 5, 8),
        edge(Join, 6, 8),
    ];
    let races = vec![
        race(1, 2, "count"),
        race(2, 3, "cache[\"key\"]"),
        race(1, 7, "count"),
        race(2, 7, "count"),
        race(5, 6, "size"),
        race(4, 6, "size"),
        race(1, 6, "count"),
    ];
    mark(Picture {
        title: "Seven races".into(),
        lanes: vec!["main".into(), "a".into(), "b".into(), "c".into()],
        nodes,
        edges,
        races,
    })
}

/// Every kind of node and edge once, with some of the awkward cases.
fn kinds() -> Picture {
    use EdgeKind::{Continue, Fork, Join, NewPromise, Set, Weak};
    let mut nodes = vec![
        Node::step(0, "S1", ["p <- new_promise", "q <- new_promise", "async f"]),
        Node::step(1, "S2", ["if a < b && c > \"d\" then p.set 1"]),
        Node::promise(1, "p"),
        Node::promise(0, "q"),
        Node::step(0, "S3", ["p.get"]),
        Node::promise(0, ""),
        Node::step(
            1,
            "S4",
            ["a statement that is very much longer than any box should ever be, so it is clipped"],
        ),
    ];
    nodes[3].kind = NodeKind::UnfulfilledPromise;
    nodes[5] = Node { kind: NodeKind::Join, title: "end".into(), ..nodes[5].clone() };
    let edges = vec![
        edge(Fork, 0, 1),
        edge(NewPromise, 0, 2),
        edge(NewPromise, 0, 3),
        edge(Set, 1, 2),
        edge(Continue, 0, 4),
        edge(Join, 2, 4),
        edge(Continue, 1, 6),
        edge(Weak, 6, 5),
        edge(Continue, 4, 5),
        edge(Join, 6, 5),
        edge(Weak, 99, 0),
    ];
    let lanes = vec!["main".into(), "a task with a rather long name".into()];
    Picture { title: "All kinds of nodes and edges".into(), lanes, nodes, edges, races: vec![] }
}

fn tree_node(parent: Option<usize>, kind: TreeKind, title: &str, line: &str) -> TreeNode {
    let lines = line.split("; ").filter(|part| !part.is_empty()).map(String::from).collect();
    TreeNode { parent, kind, title: title.into(), lines, racy: false }
}

/// The task tree of the promise example.
fn tree() -> Tree {
    use TreeKind::{Async, Finish, Step};
    let mut nodes = vec![
        tree_node(None, Finish, "F0", ""),
        tree_node(Some(0), Step, "S1", "x <- alloc; y <- new_promise"),
        tree_node(Some(0), Async, "A1", ""),
        tree_node(Some(2), Step, "S2", "p <- new_promise; store p to x; y.set"),
        tree_node(Some(2), Step, "S3", "p.get"),
        tree_node(Some(2), Step, "S7", "store null to x"),
        tree_node(Some(0), Step, "S4", "y.get"),
        tree_node(Some(0), Step, "S5", "fork g"),
        tree_node(Some(0), Async, "A2", ""),
        tree_node(Some(8), Step, "S6", "p <- load x; p.set"),
        tree_node(Some(8), Step, "S8", "q <- load x"),
        tree_node(Some(0), Step, "S9", "return"),
    ];
    nodes[5].racy = true;
    nodes[10].racy = true;
    Tree {
        title: "Task tree of the promise example".into(),
        nodes,
        joins: vec![(3, 7), (9, 5)],
        races: vec![race(5, 10, "x")],
    }
}

/// A deeper tree with several races.
fn big_tree() -> Tree {
    use TreeKind::{Async, Finish, Step};
    let mut nodes = vec![tree_node(None, Finish, "F0", "")];
    for branch in 0..3 {
        let task = nodes.len();
        nodes.push(tree_node(Some(0), Async, &format!("A{branch}"), ""));
        for _ in 0..=branch {
            let scope = nodes.len();
            nodes.push(tree_node(Some(task), Step, &format!("S{scope}"), "i <- i + 1"));
            nodes.push(tree_node(Some(task), Finish, &format!("F{}", scope + 1), ""));
            for _ in 0..2 {
                let inner = nodes.len();
                nodes.push(tree_node(Some(scope + 1), Async, &format!("A{inner}"), ""));
                let leaf = format!("S{}", inner + 1);
                nodes.push(tree_node(Some(inner), Step, &leaf, "x <- f y"));
            }
        }
        nodes.push(tree_node(Some(0), Step, &format!("S{}", nodes.len()), "work"));
    }
    let links =
        [(2, 5, "x"), (5, 7, "x"), (7, 24, "counter"), (2, 10, "i"), (10, 30, "i"), (13, 15, "x")];
    let races: Vec<RaceLink> = links.into_iter().map(|(a, b, label)| race(a, b, label)).collect();
    for link in &races {
        nodes[link.a].racy = true;
        nodes[link.b].racy = true;
    }
    Tree { title: "Several races in one tree".into(), nodes, joins: vec![(7, 8)], races }
}
