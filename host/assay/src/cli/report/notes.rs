//! Notes on figures: those that are missing, and rows that do not count, with the reasons.

use std::collections::BTreeMap;

use assay_base::columns::{TOTAL_NS, call_time};
use assay_base::error::Result;
use assay_base::io::console::Console;
use assay_counting::Events;
use assay_load::plugin::{Kind, Registry};
use assay_plugin_api::inputs;
use assay_report::RangeAxis;
use assay_report::{Call, Gap, NotMadeFor, Report};
use assay_store::Status;

/// The reason why a metric has no figures, and the way to get them.
pub(super) fn missing(report: &Report, id: &str, input: &str, registry: &Registry) -> String {
    let problem = format!("`{id}` needs `{input}`, which this run did not measure");
    if [inputs::CORE_HZ, inputs::TSC_HZ].contains(&input) {
        return format!("{problem}: timed runs do, where nothing disturbs it");
    }
    if input == inputs::NS {
        let reason =
            if report.facts.has_times() { "no search was done to the end" } else { "it is not a timed one" };
        return format!("{problem}: {}", report.clock_note.as_deref().unwrap_or(reason));
    }
    if input == inputs::FLOPS {
        return declared(id, "how many operations its searches are", "--complexity '2 * text_length'");
    }
    if input == inputs::PEAK_GFLOPS {
        return declared(id, "what the machine can do", "--peak-gflops N");
    }
    if input.contains(':') {
        return format!("{problem}; measure again with `--counters {input}`");
    }
    match counters_of(input, registry).as_slice() {
        [] => format!("{problem}, and no counter backend counts it here"),
        counters => {
            format!("{problem}; measure again with `--counters {}`", counters.join("` or `--counters "))
        }
    }
}

/// The reason why a metric has no figures, if its input is not measured but declared before a run.
fn declared(id: &str, declaration: &str, option: &str) -> String {
    format!(
        "`{id}` has no values, since this run does not declare {declaration}; measure again with `{option}`"
    )
}

/// The counters that count an event here, as `backend:event`.
fn counters_of(event: &str, registry: &Registry) -> Vec<String> {
    let mut events = Events::new(registry);
    let counters = registry.of_kind(Kind::Counter).map(|listing| format!("{}:{event}", listing.id));
    counters.filter(|counter| events.choose(counter).is_ok()).collect()
}

/// Notes what is left out, for output without a caption.
pub(super) fn note_subset(report: &Report, console: &Console) {
    report.facts.subset.iter().for_each(|subset| console.note(subset));
}

/// Warns of the algorithms without figures, because the quantity is missing in some repetitions.
pub(super) fn note_gaps<'a>(
    report: &Report,
    quantity: &str,
    gaps: impl Iterator<Item = (&'a str, &'a [Gap])>,
    console: &Console,
) {
    let axis = RangeAxis::new(&report.facts);
    gaps.for_each(|(algorithm, gaps)| {
        console.warn(&format!("{quantity} of {algorithm}: {}", Gap::in_words(gaps, &axis)))
    });
}

/// Warns of the algorithms without figures of the times of a call, or of all together.
pub(super) fn note_times(report: &Report, call: Option<Call>, console: &Console) -> Result<()> {
    let gaps = report.gaps(call)?;
    let gaps = gaps.iter().map(|(algorithm, gaps)| (*algorithm, &gaps[..]));
    let column = match report.selected_call(call) {
        Some(selected) => call_time(selected),
        None => call.map_or(TOTAL_NS, Call::time).to_owned(),
    };
    note_gaps(report, &column, gaps, console);
    Ok(())
}

/// Notes the algorithms that are not made for some range values: each with its reason if there are few, or if
/// the output is verbose, and otherwise their number.
pub(crate) fn note_refusals(refusals: &[NotMadeFor], axis: &RangeAxis, console: &Console) {
    if refusals.len() <= NotMadeFor::NAMED || console.verbose {
        refusals.iter().for_each(|refusal| console.note(&refusal.words(axis)));
    } else if let Some(summary) = NotMadeFor::summary(refusals, axis) {
        console.note(&format!("{summary}; -v lists them"));
    }
}

/// Up to this number of failures are listed, so that other notes are seen.
const MOST_FAILURES: usize = 8;

/// Notes the algorithms that are not made for some range values, and the rows of failures, which do not
/// count.
pub(super) fn note_failures(report: &Report, console: &Console) {
    note_refusals(&report.not_made_for(), &RangeAxis::new(&report.facts), console);
    let mut rows: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for cell in report.cells() {
        let failures = cell.failed.iter().filter(|(status, _)| *status != Status::CannotSearch.name());
        for (status, count) in failures {
            *rows.entry((&cell.algorithm, status)).or_default() += count;
        }
    }
    let mut lines = Vec::new();
    for ((algorithm, status), count) in rows {
        let rows = if count == 1 { "1 row does".to_owned() } else { format!("{count} rows do") };
        lines.push(format!("{algorithm}: {rows} not count: {}", status.replace('_', " ")));
    }
    if lines.len() > MOST_FAILURES && !console.verbose {
        let (count, first) = (lines.len(), lines[0].as_str());
        console.note(&format!("rows of {count} algorithms do not count, such as {first}; -v lists all"));
    } else {
        lines.iter().for_each(|line| console.note(line));
    }
}
