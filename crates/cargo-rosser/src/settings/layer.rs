//! One place where settings were given, with everything in it checked against the table.

use std::collections::BTreeMap;
use std::env;
use std::path::Path;

use serde_json::Value;

use crate::error::{Error, Result};
use crate::settings::suggest::suggestion;
use crate::settings::table::{self, Kind, SETTINGS, Setting};

/// The settings of one place, by name. Lists have several values, others one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layer {
    values: BTreeMap<&'static str, Vec<String>>,
}

impl Layer {
    /// The values of a setting, if it was given here.
    pub fn get(&self, name: &str) -> Option<&[String]> {
        self.values.get(name).map(Vec::as_slice)
    }

    /// Adds a setting from the place that `origin` names.
    pub fn set(&mut self, setting: &Setting, values: Vec<String>, origin: &str) -> Result<()> {
        for value in &values {
            check(setting, value).map_err(|wrong| Error::usage(format!("{origin}: {wrong}")))?;
        }
        self.values.insert(setting.name, values);
        Ok(())
    }

    /// The settings that `ROSSER_*` variables give.
    pub fn from_environment() -> Result<Self> {
        Self::from_variables(|name| env::var(name).ok())
    }

    /// From something like the environment. An empty variable counts as not set.
    pub fn from_variables(get: impl Fn(&str) -> Option<String>) -> Result<Self> {
        let mut layer = Self::default();
        for setting in SETTINGS {
            let name = setting.variable();
            let Some(text) = get(&name).filter(|text| !text.is_empty()) else { continue };
            let values = match setting.separator() {
                Some(separator) => text.split(separator).map(|part| part.trim().into()).collect(),
                None => vec![if setting.kind == Kind::Switch { spelled(&text) } else { text }],
            };
            layer.set(setting, values, &name)?;
        }
        Ok(layer)
    }

    /// From the metadata table of a manifest, which is in `directory`.
    pub fn from_metadata(metadata: &Value, directory: &Path, origin: &str) -> Result<Self> {
        let mut layer = Self::default();
        let table = match &metadata["rosser"] {
            Value::Null => return Ok(layer),
            Value::Object(table) => table,
            _ => return Err(Error::usage(format!("{origin}: `rosser` must be a table"))),
        };
        for (key, value) in table {
            let Some(setting) = table::find(key) else {
                let names = SETTINGS.iter().map(|setting| setting.name);
                let near = suggestion(key, names)
                    .map_or_else(String::new, |name| format!("; did you mean `{name}`?"));
                return Err(Error::usage(format!("{origin}: unknown setting `{key}`{near}")));
            };
            let mut values = plain(setting, value).ok_or_else(|| {
                let wanted = match setting.kind {
                    Kind::Switch => "true or false",
                    Kind::Number | Kind::Between(..) => "a number",
                    Kind::Files | Kind::Words => "a list of strings",
                    Kind::Choice(_) | Kind::File => "a string",
                };
                Error::usage(format!("{origin}: `{key}` must be {wanted}"))
            })?;
            if matches!(setting.kind, Kind::File | Kind::Files) {
                for value in &mut values {
                    *value = directory.join(&*value).display().to_string();
                }
            }
            layer.set(setting, values, origin)?;
        }
        Ok(layer)
    }
}

/// The other ways to spell a switch in the environment.
fn spelled(text: &str) -> String {
    match text {
        "1" | "yes" | "on" => "true".to_owned(),
        "0" | "no" | "off" => "false".to_owned(),
        _ => text.to_owned(),
    }
}

/// A value of a manifest as strings, if it is of the right type.
fn plain(setting: &Setting, value: &Value) -> Option<Vec<String>> {
    match (setting.kind, value) {
        (Kind::Switch, Value::Bool(switch)) => Some(vec![switch.to_string()]),
        // `opt-level = 3` is how cargo's own profiles write it.
        (Kind::Number | Kind::Between(..) | Kind::Choice(_), Value::Number(number)) => {
            Some(vec![number.to_string()])
        }
        (Kind::Switch | Kind::Number | Kind::Between(..), _) => None,
        (_, Value::String(text)) => Some(vec![text.clone()]),
        (Kind::Files | Kind::Words, Value::Array(items)) => {
            items.iter().map(|item| item.as_str().map(str::to_owned)).collect()
        }
        _ => None,
    }
}

/// Whether a value is possible, and if not why.
fn check(setting: &Setting, value: &str) -> std::result::Result<(), String> {
    let name = setting.name;
    match setting.kind {
        Kind::Switch if value != "true" && value != "false" => {
            Err(format!("{name} is true or false, not `{value}`"))
        }
        Kind::Choice(words) if !words.contains(&value) => {
            Err(format!("{name} is one of {}, not `{value}`", words.join(", ")))
        }
        Kind::Number if value.parse::<u64>().is_err() => {
            Err(format!("{name} is a whole number, not `{value}`"))
        }
        Kind::Between(least, most)
            if !value.parse().is_ok_and(|number| (least..=most).contains(&number)) =>
        {
            Err(format!("{name} is a whole number from {least} to {most}, not `{value}`"))
        }
        _ => Ok(()),
    }
}
