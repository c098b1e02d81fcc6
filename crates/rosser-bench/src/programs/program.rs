//! The programs, and what papers have published about them.

use std::sync::OnceLock;

use rosser_detect::DetectorKind;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The package under `examples`, which is also the name of the executable.
    pub package: &'static str,
    /// Its name in that package.
    pub name: String,
    /// The paper it is from, if it is from one, or another group.
    pub paper: Option<String>,
    /// Whether the schedule decides something that does not matter, which Rosser reports.
    pub is_order_dependent: bool,
}

impl Program {
    /// From a line of what the package lists: the name, then the paper, then properties.
    pub fn parse(package: &'static str, line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let name = words.next()?.to_owned();
        let paper = words.next().map(str::to_owned);
        Some(Self { package, name, paper, is_order_dependent: words.any(|word| word == "order") })
    }

    /// What does nothing but start.
    pub fn nothing(package: &'static str) -> Self {
        Self { package, name: "nothing".to_owned(), paper: None, is_order_dependent: false }
    }

    /// The name with its paper.
    pub fn full_name(&self) -> String {
        match &self.paper {
            Some(paper) => format!("{paper}/{}", self.name),
            None => format!("{}/{}", self.package, self.name),
        }
    }

    /// The algorithm of its paper for one worker, or the one that the paper measures itself by, as `--detector` names
    /// it.
    pub fn detector(&self) -> Option<&'static str> {
        let name = match self.paper.as_deref()? {
            "nondeterminator" => DetectorKind::SpBags.name(),
            "sf-order" => DetectorKind::MultiBags.name(),
            other => other,
        };
        let found = DetectorKind::of_papers().find(|kind| kind.name() == name);
        found.map(DetectorKind::name)
    }

    /// How many times as long as the program itself its paper's detector took, on one core.
    pub fn published(&self) -> Option<f64> {
        let paper = self.paper.as_deref()?;
        let found = |figure: &&Figure| figure.paper == paper && figure.program == self.name;
        figures().iter().find(found).map(|figure| figure.slowdown)
    }
}

/// A published slowdown.
struct Figure {
    paper: &'static str,
    program: String,
    slowdown: f64,
}

fn figures() -> &'static [Figure] {
    static FIGURES: OnceLock<Vec<Figure>> = OnceLock::new();
    FIGURES.get_or_init(|| {
        let mut figures = Vec::new();
        let mut add = |paper, text: &str, slowdown: &dyn Fn(&Line) -> Option<f64>| {
            for line in lines(text) {
                // Inputs of several sizes are told apart by a letter.
                let name = line.text("program").split('-').next().unwrap_or_default().to_owned();
                if let Some(slowdown) = slowdown(&line) {
                    figures.push(Figure { paper, program: name, slowdown });
                }
            }
        };
        add("nondeterminator", include_str!("../../published/nondeterminator.csv"), &|line| {
            line.number("slowdown")
        });
        add("esp-bags", include_str!("../../published/esp-bags.csv"), &|line| {
            line.number("slowdown_optimised")
        });
        add("drdp", include_str!("../../published/drdp.csv"), &|line| line.number("overhead"));
        add("sf-order", include_str!("../../published/sf-order.csv"), &|line| {
            let is_full = line.text("config") == "full";
            is_full.then(|| Some(line.number("sforder_t1")? / line.number("base_t1")?)).flatten()
        });
        figures
    })
}

/// A line of comma-separated values, under its header.
struct Line<'a> {
    header: Vec<&'a str>,
    cells: Vec<&'a str>,
}

fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    lines.map(move |line| Line { header: header.clone(), cells: line.split(',').collect() })
}

impl Line<'_> {
    fn text(&self, column: &str) -> &str {
        let at = self.header.iter().position(|name| *name == column);
        at.and_then(|at| self.cells.get(at)).copied().unwrap_or_default()
    }

    fn number(&self, column: &str) -> Option<f64> {
        self.text(column).parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::Program;

    fn published(line: &str) -> Option<f64> {
        Program::parse("papers", line).unwrap().published()
    }

    #[test]
    fn each_paper_is_read_as_it_is_written() {
        assert_eq!(published("lu nondeterminator racy"), Some(8.87));
        assert_eq!(published("crypt esp-bags racy"), Some(7.29));
        assert_eq!(published("poisson drdp"), Some(46.10));
        let mm = published("mm sf-order").unwrap();
        assert!((mm - 447.28 / 8.02).abs() < 1e-9);
        assert_eq!(published("nqueens nondeterminator"), None);
        assert_eq!(published("saxpy"), None);
    }

    #[test]
    fn each_paper_has_an_algorithm() {
        let judge = |line| Program::parse("papers", line).unwrap().detector();
        assert_eq!(judge("lu nondeterminator racy"), Some("sp-bags"));
        assert_eq!(judge("crypt esp-bags racy"), Some("esp-bags"));
        assert_eq!(judge("mm sf-order"), Some("multi-bags"));
        assert_eq!(judge("saxpy"), None);
    }

    #[test]
    fn programs_say_whether_they_are_order_dependent() {
        let parse = |line| Program::parse("papers", line).unwrap().is_order_dependent;
        assert_eq!(
            ["lu nondeterminator racy", "raytracer esp-bags racy order"].map(parse),
            [false, true]
        );
    }
}
