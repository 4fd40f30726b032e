//! The findings of `assay doctor` for people and for programs.

use assay_base::io::console::counted;
use assay_base::io::fold::for_output;
use assay_base::io::numbers::grouped;
use assay_base::io::table::{Datum, Table};
use assay_doctor::memory::size;
use assay_doctor::{CheckOutcome, Finding};
use serde_json::json;

use crate::estimate::Estimate;

/// Width of the column of the outcomes: that of the longest, `unknown`, and two blanks.
const OUTCOME: usize = 9;

/// Findings as lines for people: the outcome, the name and what was found; below it, if it is not in order,
/// what it does to figures, and each command.
pub(super) fn text(findings: &[Finding], estimate: Option<&Estimate>) -> String {
    let planned: Vec<(&str, String)> = estimate.map(planned).unwrap_or_default();
    let names = findings.iter().map(|finding| finding.name).chain(planned.iter().map(|(name, _)| *name));
    let width = names.map(|name| name.chars().count()).max().unwrap_or(0) + 2;
    let margin = OUTCOME + width;
    let mut lines = Vec::new();
    for (name, found) in &planned {
        lines.push(for_output(&format!("{:OUTCOME$}{name:width$}{found}", "planned"), margin));
    }
    for finding in findings {
        let Finding { name, outcome, found, effect, remedy } = finding;
        lines.push(for_output(&format!("{:OUTCOME$}{name:width$}{found}", outcome.word()), margin));
        let below = |words: &str| for_output(&format!("{:OUTCOME$}{words}", ""), OUTCOME + 2);
        lines.extend(effect.as_deref().map(below));
        let Some(remedy) = remedy else { continue };
        match (&remedy.advice, remedy.commands.is_empty()) {
            (Some(advice), true) => lines.push(below(&format!("help: {advice}"))),
            (Some(advice), false) => lines.push(below(&format!("help: {advice}:"))),
            (None, _) => {}
        }
        // A command is not folded, so that it can be copied.
        lines.extend(remedy.commands.iter().map(|command| format!("{:OUTCOME$}$ {command}", "")));
    }
    format!("{}\n\n{}\n", lines.join("\n"), summary(findings))
}

/// How many findings are not in order.
fn summary(findings: &[Finding]) -> String {
    let count = |outcome| findings.iter().filter(|finding| finding.outcome == outcome).count();
    let parts = [
        counted(count(CheckOutcome::Problem), "problem"),
        counted(count(CheckOutcome::Warning), "warning"),
        format!("{} unknown", count(CheckOutcome::Unknown)),
        format!("{} ok", count(CheckOutcome::Ok)),
    ];
    parts.join(", ")
}

/// What an experiment takes: a name and a value for each.
fn planned(estimate: &Estimate) -> Vec<(&'static str, String)> {
    let rows = grouped(estimate.rows as f64, 0);
    let rows = match estimate.most_rows {
        Some(most) => format!("{rows} to {}, because the run may continue", grouped(most as f64, 0)),
        None => rows,
    };
    let least = if estimate.most_rows.is_some() { "at least " } else { "about " };
    let pilot = format!(
        "from a pilot run of {} in {}",
        counted(usize::try_from(estimate.pilot_rows).unwrap_or(usize::MAX), "row"),
        duration(estimate.pilot_seconds)
    );
    let unknown = || "not known: the pilot run measured nothing in its time".to_owned();
    let time = estimate.seconds.map(|seconds| format!("{least}{}, {pilot}", duration(seconds)));
    let disk = estimate.disk_bytes.map(|bytes| format!("{least}{}", size(bytes)));
    let memory = estimate.memory_bytes.map(|bytes| format!("at most about {}", size(bytes)));
    let values =
        [("time", time.unwrap_or_else(unknown)), ("rows", rows), ("disk", disk.unwrap_or_else(unknown))];
    values.into_iter().chain([("memory", memory.unwrap_or_else(unknown))]).collect()
}

/// A time in its two greatest units.
fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        0..10 => format!("{seconds:.1} s"),
        10..60 => format!("{whole} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole / 60 % 60),
    }
}

/// The colour of an outcome: green, cyan, yellow or red.
pub(super) fn color(word: &str) -> Option<&'static str> {
    Some(match word {
        "ok" => "\x1b[32m",
        "unknown" | "planned" => "\x1b[36m",
        "warning" => "\x1b[33m",
        "problem" => "\x1b[31m",
        _ => return None,
    })
}

/// Findings as one object.
pub(super) fn json(findings: &[Finding], estimate: Option<&Estimate>) -> String {
    let worst = findings.iter().map(|finding| finding.outcome).max().unwrap_or(CheckOutcome::Ok);
    let mut object = json!({ "outcome": worst, "checks": findings });
    if let Some(estimate) = estimate {
        object["experiment"] = json!(estimate);
    }
    serde_json::to_string_pretty(&object).expect("plain data") + "\n"
}

/// Findings as rows, for spreadsheets and documents; what an experiment takes comes first.
pub(super) fn table(findings: &[Finding], estimate: Option<&Estimate>) -> Table {
    let mut table = Table::new(["check", "outcome", "found", "effect", "remedy", "undo"]);
    for (name, value) in estimate.map(planned).unwrap_or_default() {
        let missing = || Datum::Missing;
        table.push([name.into(), "planned".into(), value.into(), missing(), missing(), missing()]);
    }
    for Finding { name, outcome, found, effect, remedy } in findings {
        let commands = remedy.as_ref().map(|remedy| match remedy.commands.as_slice() {
            [] => remedy.advice.clone().unwrap_or_default(),
            commands => commands.join("; "),
        });
        let undo = remedy.as_ref().map(|remedy| remedy.undo.join("; ")).filter(|undo| !undo.is_empty());
        table.push([
            (*name).into(),
            outcome.word().into(),
            found.clone().into(),
            effect.clone().into(),
            commands.into(),
            undo.into(),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use assay_doctor::Remedy;

    use super::*;

    fn findings() -> [Finding; 2] {
        let remedy = Remedy::advice("do it");
        [Finding::ok("swap", "none"), Finding::problem("CPU quota", "0.50 CPUs", "it stands still", remedy)]
    }

    #[test]
    fn people_see_what_is_wrong_and_what_to_do() {
        let text = text(&findings(), None);
        let expected = "\
ok       swap       none
problem  CPU quota  0.50 CPUs
         it stands still
         help: do it

1 problem, 0 warnings, 0 unknown, 1 ok
";
        assert_eq!(text, expected);
    }

    #[test]
    fn times_have_two_units() {
        assert_eq!(
            [0.25, 59.6, 61.0, 7300.0].map(duration),
            ["0.2 s", "1 min 0 s", "1 min 1 s", "2 h 1 min"]
        );
    }

    #[test]
    fn rows_for_programs_have_all_findings() {
        let table = table(&findings(), None);
        assert_eq!(table.rows.len(), 2);
        assert_eq!(table.rows[1][4], Datum::Text("do it".to_owned()));
    }
}
