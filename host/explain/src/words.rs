//! The explanation in sentences.

use assay_base::io::numbers::grouped;
use assay_stats::significance::Ratio;

use crate::difference::{DifferenceModel, ExplainedDifference, Extent};
use crate::explanation::{ExplainedCell, Explanation};
use crate::quality::{ENOUGH_ALGORITHMS, HeldOut, LEAST_ALGORITHMS, LEAST_CELLS, LEAST_SKILL, ModelQuality};
use crate::work::WorkKind;

/// A part of a difference from here on is named; smaller ones are in the rest.
const NAMED_SHARE: f64 = 0.05;
/// The most kinds of work whose counts a sentence compares.
const COMPARED_KINDS: usize = 2;

/// How good the model is, and then each difference: a paragraph each, in one line.
pub fn text(explanation: &Explanation) -> String {
    let quality = match &explanation.quality {
        Some(quality) => model(quality, explanation),
        None => no_model(),
    };
    let differences = explanation.differences.iter().map(|difference| paragraph(difference, explanation));
    [quality].into_iter().chain(differences).map(|paragraph| paragraph + "\n").collect::<Vec<_>>().join("\n")
}

fn no_model() -> String {
    format!(
        "There is no cost model, and no reason is given, because one takes at least {LEAST_ALGORITHMS} algorithms and \
         {LEAST_CELLS} cells (an algorithm at a pattern length). Measure more algorithms or lengths."
    )
}

fn model(quality: &ModelQuality, explanation: &Explanation) -> String {
    let ModelQuality { held_out, skill, typical_factor, worst_factor, worst_cell } = quality;
    let left_out = match held_out {
        HeldOut::Algorithm => "of algorithms that were left out of its fit, one at a time".to_owned(),
        HeldOut::Cell => format!(
            "of cells that were left out of its fit, one at a time (with fewer than {ENOUGH_ALGORITHMS} algorithms, none can \
             be left out)"
        ),
    };
    let ExplainedCell { algorithm, at, .. } = &explanation.cells[*worst_cell];
    let sum = "The cost model takes the time of a search as the sum of what its work costs, at the same costs for all algorithms.";
    let error = format!(
        "Of the times {left_out}, half are predicted within a factor of {typical_factor:.2}, the worst within {worst_factor:.2} \
         ({algorithm}, {at})"
    );
    if quality.suffices() {
        return format!("{sum} {error}; it explains {} of how these times differ.", percent(*skill));
    }
    let limit = percent(LEAST_SKILL);
    format!(
        "{sum} {error}. That explains {} of how these times differ, and less than {limit} is too little: no reason is given.",
        percent(skill.max(0.0))
    )
}

/// A difference in sentences.
fn paragraph(difference: &ExplainedDifference, explanation: &Explanation) -> String {
    let ExplainedDifference { faster, slower, value, at, ratio, is_tied, model, claims } = difference;
    let cell = |id: &String| {
        let found = explanation.cells.iter().find(|cell| cell.algorithm == *id && cell.value == *value);
        found.expect("a difference is one of two cells")
    };
    let (fast, slow) = (cell(faster), cell(slower));
    let interval = |Ratio { low, high, .. }: &Ratio| format!(" ({} to {})", times(*low), times(*high));
    let interval = ratio.as_ref().map(interval).unwrap_or_default();
    if *is_tied {
        let ratio = ratio
            .as_ref()
            .map(|ratio| format!(": {slower} takes {} times as long{interval}", times(ratio.ratio)));
        let ratio = ratio.unwrap_or_default();
        return format!(
            "{at}: {slower} and {faster} are equally fast, or too near each other to explain{ratio}."
        );
    }
    let ratio = ratio.map_or(slow.time_ns / fast.time_ns, |ratio| ratio.ratio);
    let mut text = format!("{at}: {slower} takes {} times as long as {faster}{interval}.", times(ratio));
    match model {
        Some(model) if *claims => {
            for kind in model.leading_kinds().take(COMPARED_KINDS) {
                text += &compared(kind, slow.counts.get(kind), fast.counts.get(kind), faster);
            }
            text += &parts(model);
        }
        Some(model) if explanation.claims => {
            text += &format!(
                " The cost model predicts {} of this difference, so it does not explain it, and no reason is given.",
                extent(&model.predicted, percent)
            );
        }
        _ => {}
    }
    text
}

/// How much more the slower algorithm does of a kind of work, or less.
fn compared(kind: WorkKind, slow: f64, fast: f64, faster: &str) -> String {
    let (verb, plural) = (kind.verb(), kind.plural());
    if fast == 0.0 {
        return format!(" It {verb} {} {plural}, and {faster} none.", grouped(slow, 0));
    }
    let counts = format!("{} against {}", grouped(slow, 0), grouped(fast, 0));
    format!(" It {verb} {} times as many {plural} ({counts}).", times(slow / fast))
}

/// What the model predicts of a difference, and by which kinds of work.
fn parts(model: &DifferenceModel) -> String {
    let mut kinds = WorkKind::ALL.map(|kind| (kind, model.parts.get(kind)));
    kinds.sort_by(|(_, one), (_, other)| other.value.total_cmp(&one.value));
    let (named, others): (Vec<_>, Vec<_>) =
        kinds.into_iter().partition(|(_, part)| part.value.abs() >= NAMED_SHARE);
    let mut words: Vec<String> =
        named.iter().map(|(kind, part)| format!("{} by {}", extent(part, percent), kind.plural())).collect();
    let rest: f64 = others.iter().map(|(_, part)| part.value).sum();
    if percent(rest) != percent(0.0) {
        words.push(format!("{} by the rest", percent(rest)));
    }
    let mut text = format!(
        " The cost model predicts {} of the difference: {}.",
        extent(&model.predicted, percent),
        words.join(", ")
    );
    if model.leading.len() > 1 {
        text += " Which kind of work has the greatest part depends on what is fitted, so these parts are uncertain.";
    }
    text
}

/// A figure with its extent, if that has any width.
fn extent(Extent { value, low, high }: &Extent, shown: impl Fn(f64) -> String) -> String {
    let [value, low, high] = [*value, *low, *high].map(shown);
    if low == high { value } else { format!("{value} ({} to {high})", low.trim_end_matches(" %")) }
}

/// A share in percent, without the sign of a zero.
fn percent(share: f64) -> String {
    format!("{} %", grouped((100.0 * share).round() + 0.0, 0))
}

/// A factor with about three digits.
fn times(factor: f64) -> String {
    grouped(factor, if factor < 10.0 { 2 } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::difference::AskedDifference;
    use crate::explanation::explain;
    use crate::testing::{machine_cells, unexplainable_cells};
    use crate::work::{PerWork, WorkCell};

    fn asked(value: u64) -> Vec<AskedDifference> {
        vec![AskedDifference { pair: ["a0".to_owned(), "a1".to_owned()], value, judged: None }]
    }

    /// A machine on which the first two algorithms differ by table entries alone.
    fn lookups() -> Vec<WorkCell> {
        let mut cells = machine_cells(12, 3, 0.0, 1).cells;
        for (number, lookups) in [(0, 1000.0), (1, 4000.0)] {
            let work = PerWork([1000.0, lookups, 0.0, 0.0, 100.0]);
            let time_ns = 0.8 * 1000.0 + 1.2 * lookups + 2.5 * 100.0;
            let cell =
                cells.iter_mut().find(|cell| cell.algorithm == format!("a{number}") && cell.value == 2);
            let cell = cell.unwrap();
            *cell = WorkCell { work, time_ns, ..cell.clone() };
        }
        cells
    }

    #[test]
    fn a_reason_has_counts_and_parts() {
        let explained = text(&explain(&lookups(), &asked(2)));
        let expected = "m=2: a1 takes 2.60 times as long as a0. It looks up 4.00 times as many table entries (4,000 against \
                        1,000). The cost model predicts 100 % of the difference: 100 % by table entries.\n";
        assert!(explained.ends_with(expected), "{explained}");
        assert!(
            explained.contains("one at a time, half are predicted within a factor of 1.00"),
            "{explained}"
        );
        assert!(explained.contains("it explains 100 % of how these times differ."), "{explained}");
    }

    #[test]
    fn a_poor_model_gives_no_reason() {
        let explained = text(&explain(&unexplainable_cells(12, 3, 1), &asked(2)));
        assert!(explained.contains("is too little: no reason is given."), "{explained}");
        let last = explained.lines().last().unwrap();
        assert!(last.starts_with("m=2: ") && last.contains(" times as long as "), "{explained}");
        assert!(!last.contains("model") && !last.contains(" It "), "{explained}");
        let none = text(&explain(&machine_cells(3, 3, 0.0, 1).cells, &asked(2)));
        assert!(none.starts_with("There is no cost model, and no reason is given"), "{none}");
    }

    #[test]
    fn a_difference_that_the_others_do_not_predict_has_no_reason() {
        let mut cells = lookups();
        cells.iter_mut().filter(|cell| cell.algorithm == "a1").for_each(|cell| cell.time_ns *= 4.0);
        let explained = text(&explain(&cells, &asked(2)));
        assert!(explained.contains("so it does not explain it, and no reason is given."), "{explained}");
    }

    #[test]
    fn figures_are_short() {
        assert_eq!([times(1.534), times(9.5), times(1234.5)], ["1.53", "9.50", "1,234"]);
        assert_eq!([percent(0.934), percent(-0.001), percent(-0.2)], ["93 %", "0 %", "-20 %"]);
        assert_eq!(extent(&Extent { value: 0.5, low: 0.4, high: 0.6 }, percent), "50 % (40 to 60 %)");
        assert_eq!(extent(&Extent { value: 0.5, low: 0.499, high: 0.5 }, percent), "50 %");
        assert_eq!(compared(WorkKind::Lookup, 12.0, 0.0, "a"), " It looks up 12 table entries, and a none.");
    }
}
