//! Captions of published figures: the quantity, the text, the repetitions and the machine.

use assay_base::columns::Call;
use assay_experiment::pattern_spec::Pattern;
use assay_experiment::range::Over;
use assay_load::plugin::Statistic;
use assay_store::{ExperimentFacts, Status};

use super::marks::SMALL;
use super::stat_table::FigureStyle;
use crate::RangeAxis;
use crate::wording;
use crate::wording::from_to;
use crate::{Gap, NotMadeFor, Quantity, Report, StatTable};

/// The quantity of figures with its unit: "search time in µs", "search in GB/s".
pub fn named(report: &Report, quantity: &Quantity, call: Option<Call>) -> String {
    let by_call = report.is_by_call(quantity);
    let selected = report.selected_call(call).filter(|_| by_call);
    let call = match by_call.then_some(call) {
        None => None,
        Some(_) if selected.is_some() => selected,
        Some(None) => Some("preparation and search"),
        Some(Some(Call::Prepare)) => Some("preparation"),
        Some(Some(Call::Search)) => Some("search"),
    };
    let rate = is_rate(report, quantity);
    let unit = report.unit(quantity);
    let unit = match &*unit {
        "" => String::new(),
        unit => format!(" in {unit}"),
    };
    let name = quantity.name().replace('_', " ");
    match call {
        None => format!("{name}{unit}"),
        Some(call) if report.is_time(quantity) && ["ns", "microseconds"].contains(&quantity.name()) => {
            format!("{call} time{unit}")
        }
        Some(call) if rate => format!("{call}{unit}"),
        Some(call) if selected.is_some() => format!("{name} of {call}{unit}"),
        Some(call) => format!("{name} of the {call}{unit}"),
    }
}

/// Whether a metric is a rate, whose unit names it: `gbps` is left out before "in GB/s", because it would
/// read like a second unit.
fn is_rate(report: &Report, quantity: &Quantity) -> bool {
    matches!(quantity, Quantity::Metric(_)) && report.unit(quantity).contains('/')
}

/// The [`facts`] of a whole run.
pub fn of_run(report: &Report) -> String {
    of_report(report, report.repetitions())
}

/// The [`facts`] of figures with this least and greatest number of repetitions, and the algorithms that are
/// not made for some range values.
pub fn of_report(report: &Report, repetitions: Option<(usize, usize)>) -> String {
    let refusals = NotMadeFor::summary(&report.not_made_for(), &RangeAxis::new(&report.facts));
    let refusals = refusals.map_or_else(String::new, |summary| format!(" {summary}."));
    facts_of_report(report, repetitions) + &refusals
}

fn facts_of_report(report: &Report, repetitions: Option<(usize, usize)>) -> String {
    let failed =
        report.cells().filter_map(|cell| Some((cell.algorithm.as_str(), cell.failure()?, cell.range)));
    facts(&report.facts, repetitions, failed)
}

/// The meaning of a dash in the cells of a table, as a sentence.
pub fn dash(axis: &RangeAxis) -> String {
    format!(" A dash: {}.", NotMadeFor::dash(axis))
}

/// A sentence for each algorithm without figures at some range values, because the quantity is missing in
/// some repetitions.
pub fn gaps<'a>(gaps: impl Iterator<Item = (&'a str, &'a [Gap])>, axis: &RangeAxis) -> String {
    gaps.map(|(algorithm, gaps)| format!(" {algorithm}: {}.", Gap::in_words(gaps, axis))).collect()
}

/// Up to this number of failures are named, because a caption stays readable with as many.
const NAMED: usize = 6;

/// The cells that failed, by algorithm and reason; of many cells only their number: " Failed: hor at m=8,
/// m=16: timed out."
fn failures<'a>(failed: impl Iterator<Item = (&'a str, &'a str, u64)>, axis: &RangeAxis) -> String {
    // A later version may have failures of other names.
    let is_failure = |status: &str| Status::of_name(status).is_none_or(Status::is_failure);
    let mut cells: Vec<_> = failed.filter(|(_, status, _)| is_failure(status)).collect();
    let mut all: Vec<((&str, &str), Vec<String>)> = Vec::new();
    let count = cells.len();
    cells.sort_by_key(|(_, _, value)| *value);
    for (algorithm, status, value) in cells {
        let (failure, value) = ((algorithm, status), axis.at(value));
        match all.iter_mut().find(|(known, _)| *known == failure) {
            Some((_, values)) => values.push(value),
            None => all.push((failure, vec![value])),
        }
    }
    match count {
        0 => String::new(),
        1..=NAMED => {
            let failures = all.into_iter().map(|((id, status), values)| {
                format!("{id} at {}: {}", values.join(", "), status.replace('_', " "))
            });
            format!(" Failed: {}.", failures.collect::<Vec<_>>().join("; "))
        }
        _ => format!(" Failed: {count} cells (an algorithm at a {}).", axis.over.singular()),
    }
}

/// The text, the repetitions, the machine and the failures, in sentences. `failed` has cells that are not
/// `ok`: an algorithm, the name of its status, and a range value. A file is named without its folders,
/// because readers of a paper don't have them.
pub fn facts<'a>(
    facts: &ExperimentFacts,
    repetitions: Option<(usize, usize)>,
    failed: impl Iterator<Item = (&'a str, &'a str, u64)>,
) -> String {
    let repetitions = match repetitions {
        None => "no repetitions".to_owned(),
        Some((1, 1)) => "1 repetition".to_owned(),
        Some(repetitions) => format!("{} repetitions", from_to(repetitions)),
    };
    let incomplete = if facts.interrupted { "; not complete" } else { "" };
    let conditions: String =
        wording::conditions(facts).iter().map(|condition| format!(" {condition}.")).collect();
    let cpu = facts.machine.cpu.as_deref().unwrap_or(&facts.machine.architecture);
    let failures = failures(failed, &RangeAxis::new(facts));
    format!(
        "Text: {} ({}{}); {}{repetitions} of each algorithm and {}{incomplete}; {}{cpu}; assay {}.{failures}{conditions}",
        facts.texts_by_name(),
        wording::lengths(facts),
        if facts.has_one_text() { format!(", {} different", facts.text.alphabet) } else { String::new() },
        given(facts).map_or_else(String::new, |pattern| format!("pattern {}; ", pattern.in_words())),
        facts.over().singular(),
        if draws(facts) { format!("seed {}; ", facts.seed) } else { String::new() },
        facts.machine.assay,
    )
}

/// The pattern that all repetitions search for, if it is given.
fn given(facts: &ExperimentFacts) -> Option<&Pattern> {
    facts.definition.as_ref()?.patterns.given.as_ref()
}

/// Whether the seed decided the patterns or a text.
fn draws(facts: &ExperimentFacts) -> bool {
    let Some(definition) = &facts.definition else { return true };
    let draws_texts = matches!(facts.over(), Over::Text | Over::Alphabet) || definition.text.corpus.is_some();
    draws_texts || definition.patterns.are_drawn()
}

/// The caption of a table in this style: its quantity, its statistics, its marks, intervals and gaps, and the
/// [`facts`].
pub fn of_table(
    report: &Report,
    quantity: &Quantity,
    call: Option<Call>,
    table: &StatTable,
    statistics: &[Statistic],
    style: FigureStyle,
) -> String {
    let formula = match quantity {
        Quantity::Metric(metric) if is_rate(report, quantity) => metric.facts.get("formula"),
        _ => None,
    };
    let formula = formula.map_or_else(String::new, |formula| format!(", {formula}"));
    let title = capitalised(&named(report, quantity, call)) + &formula;
    let ids = table.statistics().into_iter();
    let names = ids.map(|id| if id == "med" { "median" } else { id }).collect::<Vec<_>>().join(", ");
    let bold = if table.has_best() {
        " Bold: best, or not known to be slower than the best (paired by pattern)."
    } else {
        ""
    };
    let small = table.legend().into_iter().filter(|line| line.starts_with(SMALL));
    let small = small.map(|line| format!(" {line}.")).collect::<String>();
    let null = table.null().map_or_else(String::new, |null| format!(" Noise floor: {null}."));
    // The median is not described, because readers know it.
    let others = statistics.iter().filter(|statistic| statistic.facts.id != "med");
    let descriptions: String =
        others.map(|statistic| format!(" {}: {}", statistic.facts.id, statistic.description())).collect();
    let axis = RangeAxis::new(&report.facts);
    let gaps = gaps(table.gaps(), &axis);
    let intervals = table.legend_of_intervals(style).map_or_else(String::new, |line| format!(" {line}."));
    let dash = if table.has_refusals() { dash(&axis) } else { String::new() };
    format!(
        "{title} ({names}).{descriptions}{bold}{intervals}{null}{small}{dash}{gaps} {}",
        facts_of_report(report, table.repetitions())
    )
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use assay_experiment::definition::Experiment;
    use assay_experiment::text_spec::TextSpec;
    use assay_store::range::RangeFacts;

    use super::*;
    use crate::tests::report;

    fn words(change: impl Fn(&mut Experiment)) -> String {
        let mut facts = report("a,4,0,ok,3,1,2,3\n").facts;
        change(facts.definition.as_mut().unwrap());
        super::facts(&facts, Some((1, 1)), std::iter::empty())
    }

    #[test]
    fn a_given_pattern_is_named_and_a_seed_only_where_it_decided_something() {
        let drawn = words(|_| {});
        assert!(
            drawn.contains("; seed ")
                && drawn.contains("; 1 repetition of each algorithm and pattern length;"),
            "{drawn}"
        );
        let pattern =
            |experiment: &mut Experiment| experiment.patterns.given = Some(Pattern(b"that".to_vec()));
        let given = words(pattern);
        assert!(given.contains("; pattern `that`; 1 repetition") && !given.contains("seed"), "{given}");
        let made = words(|experiment| {
            pattern(experiment);
            experiment.text = TextSpec { corpus: Some("rand4".to_owned()), ..TextSpec::default() };
        });
        assert!(made.contains("; seed "), "{made}");
        let mut of_threads = report("").facts;
        of_threads.range = Some(RangeFacts { over: Over::Threads, values: Vec::new() });
        let caption = facts(&of_threads, None, std::iter::empty());
        assert!(caption.contains("no repetitions of each algorithm and number of threads"), "{caption}");
    }

    #[test]
    fn failures_are_named() {
        let failed = |rows: &str| of_run(&report(&format!("a,4,0,ok,3,1,2,3\n{rows}")));
        let row = |i: u32| format!("b,{i},0,timed_out,,,,\n");
        assert!(!failed("").contains("Failed"));
        let two = failed(&(row(4) + &row(8) + "c,4,0,crashed,,,,\n"));
        assert!(two.contains(". Failed: b at m=4, m=8: timed out; c at m=4: crashed."), "{two}");
        let many = failed(&(1..8).map(row).collect::<String>());
        assert!(many.contains(". Failed: 7 cells (an algorithm at a pattern length)."), "{many}");
    }

    #[test]
    fn what_an_algorithm_is_not_made_for_is_no_failure() {
        let report = report("a,4,0,ok,3,1,2,3\nb,4,0,cannot_search,,,,\n");
        let caption = of_run(&report);
        assert!(caption.ends_with(". b is not made for m=4.") && !caption.contains("Failed"), "{caption}");
        let quantity = Quantity::Measured("ns".to_owned());
        let table = StatTable::new(&report, &quantity, None, &[statistic("med", "M.", None)]);
        let caption = of_table(&report, &quantity, None, &table, &[], FigureStyle::default());
        let dash = "A dash: the algorithm is not made for this pattern length. Text: ";
        assert!(caption.contains(dash) && !caption.contains("m=4"), "{caption}");
    }

    #[test]
    fn a_caption_names_a_file_without_its_folders() {
        let mut report = report("a,4,0,ok,3,1,2,3\n");
        report.facts.text.sources = vec!["/texts/bible.txt".to_owned()];
        assert!(of_run(&report).starts_with("Text: bible.txt ("), "{}", of_run(&report));
    }

    fn statistic(id: &'static str, summary: &'static str, unit: Option<&'static str>) -> Statistic {
        let unknown = assay_plugin_api::Statistic::UNKNOWN;
        let reduce: fn(&[f64]) -> Vec<f64> = <[f64]>::to_vec;
        Statistic::in_process(assay_plugin_api::Statistic { id, summary, unit, reduce, ..unknown })
    }

    #[test]
    fn a_caption_describes_its_statistics() {
        let report = report("a,4,0,ok,3,1,2,3\n");
        let statistics = [
            statistic("med", "M.", None),
            statistic("cv", "C.", Some("")),
            statistic("ci95", "By ranks.", None),
        ];
        let quantity = Quantity::Measured("ns".to_owned());
        let table = StatTable::new(&report, &quantity, Some(Call::Search), &statistics);
        let caption =
            of_table(&report, &quantity, Some(Call::Search), &table, &statistics, FigureStyle::default());
        let start = "Search time in ns (median, cv, ci95). cv: C. It has no unit. ci95: By ranks. Text: ";
        assert!(caption.starts_with(start), "{caption}");
    }
}
