//! Tables as text, CSV or Markdown.

use clap::ValueEnum;

/// How a table is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// Aligned columns.
    Table,
    /// Comma-separated values.
    Csv,
    /// A Markdown table.
    Markdown,
}

/// Rows of text under a header. The first columns are names, the rest are figures.
pub struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
    names: usize,
}

impl Table {
    /// An empty table whose first `names` columns are names.
    pub fn new<S: Into<String>>(names: usize, header: impl IntoIterator<Item = S>) -> Self {
        Self { header: header.into_iter().map(Into::into).collect(), rows: Vec::new(), names }
    }

    /// Adds a row, which must be as long as the header.
    pub fn row(&mut self, row: Vec<String>) {
        assert_eq!(row.len(), self.header.len(), "every column has a value");
        self.rows.push(row);
    }

    /// The whole table, with a newline at its end.
    pub fn render(&self, format: Format) -> String {
        match format {
            Format::Table => self.lines("", "  ", "", None),
            Format::Markdown => self.lines("| ", " | ", " |", Some(self.rule())),
            Format::Csv => {
                let lines = std::iter::once(&self.header).chain(&self.rows);
                lines.map(|row| row.join(",") + "\n").collect()
            }
        }
    }

    /// The line under a Markdown header; figures are aligned to the right.
    fn rule(&self) -> String {
        let dashes = (0..self.header.len()).map(|i| if i < self.names { "---" } else { "---:" });
        format!("| {} |", dashes.collect::<Vec<_>>().join(" | "))
    }

    fn lines(&self, open: &str, between: &str, close: &str, rule: Option<String>) -> String {
        let all = || std::iter::once(&self.header).chain(&self.rows);
        let width = |i: usize| all().map(|row| row[i].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.header.len()).map(width).collect();
        let mut lines: Vec<String> = all()
            .map(|row| {
                let cells = row.iter().zip(&widths).enumerate().map(|(i, (cell, &width))| {
                    if i < self.names {
                        format!("{cell:width$}")
                    } else {
                        format!("{cell:>width$}")
                    }
                });
                format!("{open}{}{close}", cells.collect::<Vec<_>>().join(between))
            })
            .collect();
        if let Some(rule) = rule {
            lines.insert(1, rule);
        }
        let mut text = String::new();
        for line in lines {
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::{Format, Table};

    fn sample() -> Table {
        let mut table = Table::new(1, ["name", "ns"]);
        table.row(vec!["a".into(), "12.5".into()]);
        table.row(vec!["longer".into(), "3".into()]);
        table
    }

    #[test]
    fn names_go_left_and_figures_right() {
        assert_eq!(sample().render(Format::Table), "name      ns\na       12.5\nlonger     3\n");
    }

    #[test]
    fn csv_is_bare() {
        assert_eq!(sample().render(Format::Csv), "name,ns\na,12.5\nlonger,3\n");
    }

    #[test]
    fn markdown_has_a_rule() {
        let lines = sample().render(Format::Markdown);
        assert_eq!(
            lines,
            "| name   |   ns |\n| --- | ---: |\n| a      | 12.5 |\n| longer |    3 |\n"
        );
    }
}
