//! A build: each target is made by a task as soon as all that it needs is there. A promise for each
//! target says that it is. The rules are in the order of their names, so many have to wait.
//!
//! The bug: the parser includes a header that its rule does not list, as in many a makefile.
//! Whether the header is there in time is a matter of luck.

use rosser::{Promise, finish};
use shared::Shared;

struct Rule {
    target: &'static str,
    /// What is waited for.
    needs: &'static [&'static str],
    /// What is read.
    reads: &'static [&'static str],
}

const COUNT: usize = 8;

static RULES: [Rule; COUNT] = [
    Rule {
        target: "app",
        needs: &["lexer.o", "main.o", "parser.o"],
        reads: &["lexer.o", "main.o", "parser.o"],
    },
    Rule { target: "lexer.c", needs: &["tokens.h"], reads: &["tokens.h"] },
    Rule { target: "lexer.o", needs: &["lexer.c", "tokens.h"], reads: &["lexer.c", "tokens.h"] },
    Rule { target: "main.o", needs: &["version.h"], reads: &["version.h"] },
    Rule { target: "parser.c", needs: &[], reads: &[] },
    Rule { target: "parser.o", needs: &["parser.c"], reads: &["parser.c", "tokens.h"] },
    Rule { target: "tokens.h", needs: &[], reads: &[] },
    Rule { target: "version.h", needs: &[], reads: &[] },
];

fn index(target: &str) -> usize {
    RULES.iter().position(|rule| rule.target == target).expect("there is a rule")
}

/// What a target consists of: here a number in which all that it was made from is mixed.
fn make(rule: &Rule, files: Shared<u64>) -> u64 {
    let mut content = rule.target.bytes().fold(7, |hash, byte| mix(hash, byte.into()));
    for file in rule.reads {
        // SAFETY: the index is in bounds. That the file may not be there is the bug.
        let read = unsafe { *files.at(index(file)) }; //~ race 1
        content = mix(content, read);
    }
    content
}

fn mix(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
}

/// What a target should consist of.
fn right(target: &str) -> u64 {
    let rule = &RULES[index(target)];
    let start = target.bytes().fold(7, |hash, byte| mix(hash, byte.into()));
    rule.reads.iter().fold(start, |content, file| mix(content, right(file)))
}

fn main() {
    let mut contents = [0_u64; COUNT];
    let files = Shared::slice(&mut contents);
    let made = [const { Promise::new() }; COUNT];
    finish(|s| {
        for (i, rule) in RULES.iter().enumerate() {
            let made = &made;
            s.spawn(move |_| {
                for target in rule.needs {
                    made[index(target)].get();
                }
                let content = make(rule, files);
                // SAFETY: as above, and no other task writes the file.
                unsafe { *files.at(i) = content } //~ race 1
                made[i].set(());
            });
        }
    });
    println!("the program is {:x}, and should be {:x}", contents[index("app")], right("app"));
}
