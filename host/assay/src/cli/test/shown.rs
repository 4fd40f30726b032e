//! The output of the results of tests.

use std::time::Duration;

use assay_base::error::Result;
use assay_base::io::console::{counted, printable};
use assay_base::io::fold::for_output;
use assay_base::io::output_format::OutputFormat;
use assay_base::io::table::{Datum, Table};
use assay_conformance::{Subject, TestReport, TestStatus};
use serde_json::json;

use super::{Args, command};
use crate::cli::Session;

/// Prints the results.
///
/// # Errors
/// If standard output can't be written to.
pub(super) fn print(args: &Args, session: &Session, done: &[(&Subject, TestReport)]) -> Result<()> {
    let shown: Vec<&(&Subject, TestReport)> =
        done.iter().filter(|(_, report)| !args.fail_only || report.status.is_failure()).collect();
    let text = match args.format {
        OutputFormat::Json => json(args, session, &shown),
        OutputFormat::Table if shown.is_empty() => return Ok(()),
        OutputFormat::Table => people(args, session, &shown),
        format => table(args, session, &shown).render(format),
    };
    session.console.print(&text)
}

/// The command that repeats a failure.
fn repeat(args: &Args, session: &Session, subject: &Subject, report: &TestReport) -> Option<String> {
    report.repeat.as_ref().map(|repeat| command::command_line(&subject.id, repeat, args, session))
}

/// The file of the algorithm, or of the twin if that is tested alone.
fn library(subject: &Subject) -> String {
    subject.variants.first().map(|variant| variant.library.path.display().to_string()).unwrap_or_default()
}

/// The id of the twin that was tested with its algorithm.
fn twin(subject: &Subject) -> Option<&str> {
    subject.variants.get(1).map(|variant| variant.id.as_str())
}

fn json(args: &Args, session: &Session, shown: &[&(&Subject, TestReport)]) -> String {
    let mut results = Vec::new();
    for (subject, report) in shown {
        results.push(json!({
            "id": subject.id,
            "library": library(subject),
            "twin": twin(subject),
            "status": report.status,
            "cases": report.cases,
            "refused": report.cases.map(|_| report.refused),
            "message": report.message,
            "group": report.group,
            "repeat": repeat(args, session, subject, report),
            "seconds": report.taken.as_secs_f64(),
        }));
    }
    let whole = json!({
        "schema": 1,
        "seed": args.seed,
        "size": if args.quick { "quick" } else { "full" },
        "results": results,
    });
    serde_json::to_string_pretty(&whole).expect("values that came from here") + "\n"
}

fn table(args: &Args, session: &Session, shown: &[&(&Subject, TestReport)]) -> Table {
    let mut table = Table::new([
        "id", "library", "twin", "status", "cases", "refused", "message", "group", "repeat", "seconds",
    ]);
    for (subject, report) in shown {
        table.push([
            subject.id.as_str().into(),
            library(subject).into(),
            twin(subject).into(),
            report.status.name().into(),
            cases(report),
            report.cases.map_or(Datum::Missing, |_| Datum::Number(report.refused as f64, 0)),
            report.message.as_deref().into(),
            report.group.into(),
            repeat(args, session, subject, report).into(),
            Datum::Number(report.taken.as_secs_f64(), 3),
        ]);
    }
    table
}

fn cases(report: &TestReport) -> Datum {
    report.cases.map_or(Datum::Missing, |cases| Datum::Number(cases as f64, 0))
}

/// A table, and below it each failure with the command that repeats it.
fn people(args: &Args, session: &Session, shown: &[&(&Subject, TestReport)]) -> String {
    let mut table = Table::new(["algorithm", "status", "cases", "twin", "group"]);
    for (subject, report) in shown {
        table.push([
            subject.id.as_str().into(),
            report.status.name().replace('_', " ").into(),
            cases(report),
            twin(subject).into(),
            report.group.into(),
        ]);
    }
    let mut text = table.render(OutputFormat::Table);
    for (subject, report) in shown {
        let Some(message) = &report.message else { continue };
        let line = format!("{}: {}", subject.id, printable(message));
        text += &format!("\n{}\n", for_output(&line, 2));
        if let Some(command) = repeat(args, session, subject, report) {
            // A command is copied, so it is not folded.
            text += &format!("  {command}\n");
        }
    }
    text
}

/// The number of algorithms with each status.
pub(super) fn summary(done: &[(&Subject, TestReport)], taken: Duration) -> String {
    let all = [
        TestStatus::Passed,
        TestStatus::Failed,
        TestStatus::Crashed,
        TestStatus::TimedOut,
        TestStatus::CannotSearch,
        TestStatus::Error,
    ];
    let mut parts = Vec::new();
    for status in all {
        let count = done.iter().filter(|(_, report)| report.status == status).count();
        if count > 0 {
            parts.push(format!("{count} {}", status.name().replace('_', " ")));
        }
    }
    let seconds = taken.as_secs_f64();
    let parts = if parts.is_empty() { "nothing to test".to_owned() } else { parts.join(", ") };
    format!("{} in {seconds:.1} s: {parts}", counted(done.len(), "algorithm"))
}
