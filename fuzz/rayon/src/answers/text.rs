//! A program as text.

use std::fmt;

use crate::program::{Access, Block, Lock, Object, Program, Scope, Site, Slot, Statement};

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        block(f, &self.main, 0)
    }
}

impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Array => write!(f, "array"),
            Self::Slot(Slot(slot)) => write!(f, "slot{slot}"),
        }
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} of {} at place {}", self.op, self.width.bytes(), self.place)
    }
}

fn block(f: &mut fmt::Formatter<'_>, statements: &Block, level: usize) -> fmt::Result {
    statements.iter().try_for_each(|inner| statement(f, inner, level))
}

fn statement(f: &mut fmt::Formatter<'_>, statement: &Statement, level: usize) -> fmt::Result {
    let title = match statement {
        Statement::Access(Access { object, offset, site }) => {
            let (op, end) = (format!("{:?}", site.op).to_lowercase(), offset + site.width.bytes());
            return line(f, level, &format!("{op} {object}[{offset}..{end}]  // {}", site.place));
        }
        Statement::Pause(time) => return line(f, level, &format!("pause {time}")),
        Statement::Join(..) => "join".to_owned(),
        Statement::Scope(Scope(scope), _) => format!("scope s{scope}"),
        Statement::Spawn(Scope(scope), ..) => format!("s{scope}.spawn"),
        Statement::ForEach(_) => "for each".to_owned(),
        Statement::Locked(Lock(lock), _) => format!("lock{lock}"),
        Statement::Stack(Slot(slot), _) => format!("let slot{slot}"),
        Statement::Heap(slot, made, freed, body) => {
            let slot = Object::Slot(*slot);
            let title = format!("{slot} = box");
            match made {
                None => line(f, level, &title)?,
                Some((own, other)) => {
                    parts(f, level, "join", &[(&title, own, ""), ("", other, "")])?;
                }
            }
            parts(f, level, &format!("with {slot}"), &[("", body, "")])?;
            let title = format!("free {slot}");
            return match freed {
                None => line(f, level, &title),
                Some((own, other)) => {
                    parts(f, level, "join", &[("", own, &title), ("", other, "")])
                }
            };
        }
    };
    let blocks: Vec<_> = statement.blocks().into_iter().map(|block| ("", block, "")).collect();
    parts(f, level, &title, &blocks)
}

/// Blocks in braces, each with a line before and one after.
fn parts(
    f: &mut fmt::Formatter<'_>,
    level: usize,
    title: &str,
    parts: &[(&str, &Block, &str)],
) -> fmt::Result {
    for (index, (first, statements, last)) in parts.iter().enumerate() {
        line(f, level, &if index == 0 { format!("{title} {{") } else { "} and {".to_owned() })?;
        if !first.is_empty() {
            line(f, level + 1, first)?;
        }
        block(f, statements, level + 1)?;
        if !last.is_empty() {
            line(f, level + 1, last)?;
        }
    }
    line(f, level, "}")
}

fn line(f: &mut fmt::Formatter<'_>, level: usize, text: &str) -> fmt::Result {
    writeln!(f, "{:1$}{text}", "", level * 4)
}
