//! The output of a plan and its coverage.

use assay_base::io::console::counted;
use assay_base::io::output_format::OutputFormat;
use assay_base::io::table::{Datum, Table};
use assay_merge::plan::{Method, Plan, Survey};
use serde_json::json;

/// A plan with the figures that are printed.
pub(super) struct PlanView<'a> {
    pub plan: &'a Plan,
    pub survey: &'a Survey,
    /// The lower bound: the number of sub-experiments that every plan needs.
    pub at_least: usize,
    /// The number of sub-experiments that are enough, if fewer were asked for.
    pub enough: Option<usize>,
    /// Whether all pairs of events are to be counted together.
    pub all_pairs: bool,
    /// The number of rows of a sub-experiment.
    pub rows: Option<u32>,
    /// Milliseconds for each row.
    pub row_ms: Option<f64>,
}

/// The number of pairs that a message names; of the others, it has the number.
const NAMED: usize = 6;

impl PlanView<'_> {
    pub(super) fn render(&self, format: OutputFormat) -> String {
        match format {
            OutputFormat::Table => format!("{}\n{}", self.blocks().render(format), self.summary()),
            OutputFormat::Json => {
                serde_json::to_string_pretty(&self.json()).expect("it has a JSON form") + "\n"
            }
            OutputFormat::Csv => self.rows_of_blocks().render(format),
            format => self.blocks().render(format),
        }
    }

    fn blocks(&self) -> Table {
        let mut table = Table::new(["block", "events"]);
        for (number, block) in self.plan.blocks.iter().enumerate() {
            table.push([Datum::Number((number + 1) as f64, 0), block.events.join(" ").into()]);
        }
        table
    }

    fn rows_of_blocks(&self) -> Table {
        let mut table = Table::new(["block", "event"]);
        for (number, block) in self.plan.blocks.iter().enumerate() {
            for event in &block.events {
                table.push([Datum::Number((number + 1) as f64, 0), event.as_str().into()]);
            }
        }
        table
    }

    fn json(&self) -> serde_json::Value {
        let Survey { times, uncoverable, uncovered, uncounted } = self.survey;
        let blocks: Vec<&Vec<String>> = self.plan.blocks.iter().map(|block| &block.events).collect();
        let times: Vec<_> =
            times.iter().map(|(times, pairs)| json!({"times": times, "pairs": pairs})).collect();
        json!({
            "method": self.plan.method,
            "counters": self.plan.counters,
            "anchor": self.plan.anchor,
            "fixed": self.plan.fixed,
            "blocks": blocks,
            "at_least": self.at_least,
            "enough": self.enough,
            "covered": times,
            "uncoverable": uncoverable,
            "uncovered": uncovered,
            "uncounted": uncounted,
            "rows": self.all_rows(),
            "seconds": self.seconds(),
        })
    }

    fn all_rows(&self) -> Option<u64> {
        self.rows.map(|rows| u64::from(rows) * self.plan.blocks.len() as u64)
    }

    fn seconds(&self) -> Option<f64> {
        Some(self.all_rows()? as f64 * self.row_ms? / 1e3)
    }

    fn summary(&self) -> String {
        let blocks = self.plan.blocks.len();
        let mut lines = vec![match self.enough {
            Some(enough) => format!(
                "{}; {enough} were found to be enough for all pairs, and no plan for them has fewer than {}",
                counted(blocks, "sub-experiment"),
                self.at_least
            ),
            None if blocks <= self.at_least => {
                format!("{}: no plan has fewer", counted(blocks, "sub-experiment"))
            }
            None => {
                format!("{}; no plan has fewer than {}", counted(blocks, "sub-experiment"), self.at_least)
            }
        }];
        let mut together = Vec::new();
        for (times, pairs) in &self.survey.times {
            together.push(match times {
                1 => format!("{pairs} once"),
                2 => format!("{pairs} twice"),
                times => format!("{pairs} {times} times"),
            });
        }
        if !together.is_empty() {
            lines.push(format!("pairs counted together: {}", together.join(", ")));
        }
        if !self.survey.uncoverable.is_empty() {
            lines.push(format!("pairs that can't be: {}", named(&self.survey.uncoverable)));
        }
        if !self.survey.uncovered.is_empty() {
            lines.push(format!("pairs that are not: {}", named(&self.survey.uncovered)));
        }
        if let Some(rows) = self.all_rows() {
            let time = self.seconds().map(|seconds| format!(", about {}", duration(seconds)));
            lines.push(format!("rows in all: {rows}{}", time.unwrap_or_default()));
        }
        lines.join("\n") + "\n"
    }

    /// A warning of events that are not counted, because too few sub-experiments were asked for.
    pub(super) fn warnings(&self) -> Vec<String> {
        match self.survey.uncounted.as_slice() {
            [] => Vec::new(),
            events => {
                vec![format!("no sub-experiment counts {}: --blocks is too small", events.join(", "))]
            }
        }
    }

    /// Advice on the plan.
    pub(super) fn notes(&self) -> Vec<String> {
        let Plan { method, blocks, counters, fixed, .. } = self.plan;
        let mut notes = Vec::new();
        if blocks.len() == 1 {
            notes.push("one sub-experiment counts all events: nothing needs to be merged".to_owned());
        } else if *method == Method::Hrm && *counters > 2 {
            notes.push(
                "HRM estimates the correlation of two events that are not counted together from the anchor alone; with as \
                 many rows in all, a plan of --method much with fewer rows each keeps correlations much better"
                    .to_owned(),
            );
        } else if *method == Method::Much
            && self.enough.is_none()
            && self.all_pairs
            && blocks.len() > 3
            && !self.survey.times.is_empty()
        {
            notes.push(format!(
                "--blocks {} (two thirds of them) gave most of the gain in our trials, if the merger infers the pairs that are \
                 never counted together; for a fixed number of rows in all, prefer many sub-experiments with few rows each",
                (2 * blocks.len()).div_ceil(3)
            ));
        }
        if !fixed.is_empty() && blocks.len() > 1 {
            notes.push(format!(
                "with the events that need no counter a sub-experiment has {} columns: `merge --counters {}`",
                self.plan.width(),
                self.plan.width()
            ));
        }
        notes
    }
}

fn named(pairs: &[[String; 2]]) -> String {
    let names: Vec<String> = pairs.iter().take(NAMED).map(|[a, b]| format!("{a} with {b}")).collect();
    let more = if pairs.len() > NAMED { ", .." } else { "" };
    format!("{} ({}{more})", pairs.len(), names.join(", "))
}

fn duration(seconds: f64) -> String {
    match seconds {
        few if few < 120.0 => format!("{few:.1} s"),
        some if some < 7200.0 => format!("{:.0} min", some / 60.0),
        many => format!("{:.1} h", many / 3600.0),
    }
}
