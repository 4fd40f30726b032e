//! A finding: what a check found, what it does to figures, and the remedy.

use assay_base::io::shell::quoted;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CheckOutcome {
    /// In order.
    Ok,
    /// The system does not say, as many virtual machines.
    Unknown,
    /// It may disturb figures, or takes possibilities away.
    Warning,
    /// It distorts figures, or the experiment can't be carried out.
    Problem,
}

impl CheckOutcome {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            CheckOutcome::Ok => "ok",
            CheckOutcome::Unknown => "unknown",
            CheckOutcome::Warning => "warning",
            CheckOutcome::Problem => "problem",
        }
    }
}

/// What to do about a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Remedy {
    /// Commands for a shell, in order; none if no command can help.
    pub commands: Vec<String>,
    /// Commands that undo these; none if nothing needs to be undone.
    pub undo: Vec<String>,
    /// What to do, in words: what the commands are for, or what helps instead of commands.
    pub advice: Option<String>,
}

impl Remedy {
    /// One command, and the one that undoes it.
    pub(crate) fn command(command: impl Into<String>, undo: Option<String>) -> Self {
        Remedy { commands: vec![command.into()], undo: undo.into_iter().collect(), advice: None }
    }

    /// Something that no command can do.
    pub fn advice(advice: impl Into<String>) -> Self {
        Remedy { commands: Vec::new(), undo: Vec::new(), advice: Some(advice.into()) }
    }

    /// Writes a value to a file of the system, and the earlier value to undo it. The path may be a pattern of
    /// the shell.
    pub(crate) fn write(path: &str, value: &str, before: Option<&str>) -> Self {
        let write = |value: &str| format!("echo {} | sudo tee {path} >/dev/null", quoted(value));
        Remedy::command(write(value), before.map(write))
    }

    /// Sets a parameter of the kernel, and to its earlier value to undo it.
    pub(crate) fn sysctl(name: &str, value: i64, before: i64) -> Self {
        Remedy::command(format!("sudo sysctl {name}={value}"), Some(format!("sudo sysctl {name}={before}")))
    }
}

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Name of the check.
    pub name: &'static str,
    /// How it ended.
    pub outcome: CheckOutcome,
    /// What was found.
    pub found: String,
    /// What this does to figures, or to what can be measured; `None` if it is in order or unknown.
    pub effect: Option<String>,
    /// What to do about it.
    pub remedy: Option<Remedy>,
}

impl Finding {
    /// It is in order.
    pub fn ok(name: &'static str, found: impl Into<String>) -> Self {
        Finding { name, outcome: CheckOutcome::Ok, found: found.into(), effect: None, remedy: None }
    }

    /// The system does not say.
    pub fn unknown(name: &'static str, found: impl Into<String>) -> Self {
        Finding { outcome: CheckOutcome::Unknown, ..Finding::ok(name, found) }
    }

    /// It may disturb figures.
    pub fn warning(
        name: &'static str,
        found: impl Into<String>,
        effect: impl Into<String>,
        remedy: Remedy,
    ) -> Self {
        let (outcome, effect) = (CheckOutcome::Warning, Some(effect.into()));
        Finding { outcome, effect, remedy: Some(remedy), ..Finding::ok(name, found) }
    }

    /// It distorts figures.
    pub fn problem(
        name: &'static str,
        found: impl Into<String>,
        effect: impl Into<String>,
        remedy: Remedy,
    ) -> Self {
        Finding { outcome: CheckOutcome::Problem, ..Finding::warning(name, found, effect, remedy) }
    }

    /// What is kept of it with a run.
    pub fn record(&self) -> CheckRecord {
        CheckRecord { name: self.name.to_owned(), outcome: self.outcome, found: self.found.clone() }
    }
}

/// A finding as it is kept with a run.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct CheckRecord {
    /// Name of the check, as `assay doctor` prints it.
    pub name: String,
    /// How it ended.
    pub outcome: CheckOutcome,
    /// What was found.
    pub found: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_gets_its_value_back() {
        let remedy = Remedy::write("/sys/x*", "0", Some("1"));
        assert_eq!(remedy.commands, ["echo 0 | sudo tee /sys/x* >/dev/null"]);
        assert_eq!(remedy.undo, ["echo 1 | sudo tee /sys/x* >/dev/null"]);
    }
}
