//! The settings as a Markdown page, `docs/settings.md`.

use std::fmt::Write as _;

use crate::settings::table::{Kind, SETTINGS, Setting};

const INTRODUCTION: &str = "\
# Settings of `cargo rosser`

Each setting can be given as a flag, in the environment, in `[package.metadata.rosser]` of the
selected package, or in `[workspace.metadata.rosser]`; the first of these that has it decides.
An unknown key in a manifest is an error.

```toml
[workspace.metadata.rosser]
fail-on = \"order-dependent\"
suppressions = [\"rosser.supp\"]
```

Paths in a manifest are relative to it, elsewhere to the current directory. In the environment,
several paths are separated by `:` and several names by `,`; a flag for several values can be
repeated. A switch is given as `--name` or `--name=false`, in the environment as `true` or `false`.

Two things are no settings of a project. `ROSSER_CACHE_DIR` says where the runtime is kept that is built
once for each compiler; without it that is `rosser` in `XDG_CACHE_HOME` or in `~/.cache`. `ROSSER_CC` and
`ROSSER_CXX` name the compilers for C and C++ in build scripts; without them those are what the crate `cc`
would take: see [build-scripts.md](build-scripts.md).

This page is generated from the table in `crates/cargo-rosser/src/settings/table.rs`.

| setting | values | default | environment |
|---|---|---|---|
";

/// The text of `docs/settings.md`.
pub fn document() -> String {
    let mut page = String::from(INTRODUCTION);
    for setting in SETTINGS {
        let default = match (setting.default_note, setting.default) {
            ("", "") => "none".to_owned(),
            ("", default) => format!("`{default}`"),
            (note, _) => note.to_owned(),
        };
        let variable = setting.variable();
        writeln!(page, "| `{}` | {} | {default} | `{variable}` |", setting.name, values(setting))
            .expect("strings grow");
    }
    for setting in SETTINGS {
        writeln!(page, "\n**`{}`**: {}.", setting.name, setting.help).expect("strings grow");
    }
    page
}

/// What a setting may be, in words.
fn values(setting: &Setting) -> String {
    match setting.kind {
        Kind::Switch => "true, false".to_owned(),
        Kind::Choice(words) => words.join(", "),
        Kind::Number => "a number".to_owned(),
        Kind::Between(least, most) => format!("{least} to {most}"),
        Kind::File => "a path".to_owned(),
        Kind::Files => "paths".to_owned(),
        Kind::Words => "names".to_owned(),
    }
}
