//! Tables of the results of self-tests.

use std::fmt::Write;

use assay_base::io::fold::for_output;
use assay_base::io::output_format::OutputFormat;
use assay_base::io::table::{Datum, Table};
use assay_plugin_api::{Check, Verdict};

use super::self_test::PartResult;

/// A table of all results, for programs. Each row ends with the facts about the machine, so that tables of
/// several machines can be put together.
pub fn self_test_list(results: &[PartResult], machine: &[(&str, Option<String>)]) -> Table {
    let columns = ["backend", "part", "check", "result", "measured", "expected", "reason"];
    let mut table = Table::new(columns.into_iter().chain(machine.iter().map(|(name, _)| *name)));
    for (PartResult { backend, part, .. }, check) in rows(results) {
        let row = [
            backend.as_str().into(),
            part.as_str().into(),
            check.name.as_str().into(),
            verdict(check.verdict).into(),
            number(check.measured),
            number(check.expected),
            check.reason.as_str().into(),
        ];
        table.push(row.into_iter().chain(machine.iter().map(|(_, value)| value.clone().into())));
    }
    table
}

/// A table for people. Reasons stand below it, because many checks share one.
pub fn self_test_table(results: &[PartResult], machine: &[(&str, Option<String>)]) -> String {
    let mut text = String::new();
    for (name, value) in machine {
        let _ = writeln!(text, "{name}: {}", value.as_deref().unwrap_or("unknown"));
    }
    let mut table = Table::new(["backend", "check", "result", "measured", "expected"]);
    let mut reasons: Vec<&str> = Vec::new();
    for (PartResult { backend, .. }, check) in rows(results) {
        let place = reasons.iter().position(|other| *other == check.reason).unwrap_or_else(|| {
            reasons.push(&check.reason);
            reasons.len() - 1
        });
        table.push([
            backend.as_str().into(),
            check.name.as_str().into(),
            format!("{} ({})", verdict(check.verdict), place + 1).into(),
            number(check.measured),
            number(check.expected),
        ]);
    }
    let _ = write!(text, "\n{}", table.render(OutputFormat::Table));
    for (place, reason) in reasons.iter().enumerate() {
        let _ = writeln!(text, "{}", for_output(&format!("\n({}) {reason}", place + 1), 4));
    }
    text
}

/// How many checks are right, how many are wrong, and how many could not be made, in a sentence.
pub fn self_test_summary(results: &[PartResult]) -> String {
    let count = |verdict| rows(results).filter(|(_, check)| check.verdict == verdict).count();
    let [ok, wrong, absent] = [Verdict::Ok, Verdict::Wrong, Verdict::Absent].map(count);
    format!("{ok} ok, {wrong} wrong, {absent} absent")
}

fn rows(results: &[PartResult]) -> impl Iterator<Item = (&PartResult, &Check)> {
    results.iter().flat_map(|result| result.checks.iter().map(move |check| (result, check)))
}

fn number(number: Option<f64>) -> Datum {
    number.map(|number| Datum::Number(number, 0)).into()
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Ok => "ok",
        Verdict::Wrong => "wrong",
        Verdict::Absent => "absent",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results() -> Vec<PartResult> {
        let part = |part: &str, checks| PartResult { backend: "b".to_owned(), part: part.to_owned(), checks };
        vec![
            part(
                "events",
                vec![
                    Check::new("x", Verdict::Absent, "not here; ask"),
                    Check::new("y", Verdict::Absent, "not here; ask"),
                ],
            ),
            part(
                "counts",
                vec![
                    Check::new("z", Verdict::Wrong, "it differs").numbers(102.0, 100.0),
                    Check::new("w", Verdict::Ok, "within 1 %").numbers(100.0, 100.0),
                ],
            ),
        ]
    }

    const MACHINE: [(&str, Option<String>); 1] = [("level", None)];

    #[test]
    fn each_line_has_its_reason_and_a_shared_one_is_printed_once() {
        let machine = [("cpu", Some("Fast".to_owned())), ("level", None)];
        let text = self_test_table(&results(), &machine);
        assert!(text.starts_with("cpu: Fast\nlevel: unknown\n\n"), "{text}");
        assert_eq!(text.matches("absent (1)").count(), 2, "{text}");
        assert!(text.ends_with("\n(1) not here; ask\n\n(2) it differs\n\n(3) within 1 %\n"), "{text}");
        assert_eq!(self_test_summary(&results()), "1 ok, 1 wrong, 2 absent");
    }

    #[test]
    fn each_row_for_programs_is_complete() {
        let csv = self_test_list(&results(), &MACHINE).render(OutputFormat::Csv);
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines[0], "backend,part,check,result,measured,expected,reason,level");
        assert_eq!(lines[1], "b,events,x,absent,,,not here; ask,");
        assert_eq!(lines[3], "b,counts,z,wrong,102,100,it differs,");
        let json = self_test_list(&results(), &MACHINE).json();
        assert_eq!((&json[3]["measured"], &json[3]["level"]), (&100.into(), &serde_json::Value::Null));
    }
}
