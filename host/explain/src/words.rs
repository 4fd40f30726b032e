//! The explanation in sentences.

use assay_base::io::numbers::grouped;
use assay_stats::significance::{Ratio, SAME_WITHIN};

use crate::difference::{DifferenceModel, ExplainedDifference, Extent};
use crate::explanation::{ExplainedCell, Explanation};
use crate::quality::{ENOUGH_ALGORITHMS, LEAST_CELLS, LEAST_SKILL, ModelQuality};
use crate::work::WorkKind;

/// A part of a difference from here on is named; smaller ones are in the rest.
const NAMED_SHARE: f64 = 0.05;
/// The most kinds of work whose counts a sentence compares.
const COMPARED_KINDS: usize = 2;

/// What the figures in parentheses are, for readers of a single output.
const INTERVALS: &str = "A 95 % interval says how sure a measured ratio is. After `fits` stand the least and the greatest \
                         prediction if one algorithm more is left out of the fit. Runs with other seeds may differ by more.";

/// How good the model is, each difference, and what stands in parentheses: a paragraph each, in one line.
pub fn text(explanation: &Explanation) -> String {
    let quality = match &explanation.quality {
        Some(quality) => model(quality, explanation),
        None => no_model(),
    };
    let differences = explanation.differences.iter().map(|difference| paragraph(difference, explanation));
    let intervals =
        explanation.differences.iter().any(|difference| difference.claims).then(|| INTERVALS.to_owned());
    let all = [quality].into_iter().chain(differences).chain(intervals);
    all.map(|paragraph| paragraph + "\n").collect::<Vec<_>>().join("\n")
}

fn no_model() -> String {
    format!(
        "There is no cost model, and no reason is given, because one takes at least {ENOUGH_ALGORITHMS} algorithms with counts and \
         {LEAST_CELLS} cells (an algorithm at a pattern length). Measure more algorithms or lengths."
    )
}

fn model(quality: &ModelQuality, explanation: &Explanation) -> String {
    let ModelQuality { skill, typical_factor, worst_factor, worst_cell } = quality;
    let ExplainedCell { algorithm, at, .. } = &explanation.cells[*worst_cell];
    let sum = "The cost model takes the time of a search as the sum of what its work costs, at the same costs for all algorithms.";
    let error = format!(
        "Of the times of algorithms that were left out of its fit, one at a time, half are predicted within a factor of {}, the \
         worst within {} ({algorithm}, {at})",
        times(*typical_factor),
        times(*worst_factor)
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
    let ExplainedDifference { faster, slower, value, at, ratio, is_tied, left_out, model, claims } =
        difference;
    let cell = |id: &String| {
        let found = explanation.cells.iter().find(|cell| cell.algorithm == *id && cell.value == *value);
        found.expect("a difference is one of two cells")
    };
    let interval =
        |Ratio { low, high, .. }: &Ratio| format!(" (95 % interval {} to {})", times(*low), times(*high));
    let interval = ratio.as_ref().map(interval).unwrap_or_default();
    if *is_tied {
        let near = |ratio: &Ratio| ratio.high <= 1.0 + SAME_WITHIN && ratio.low >= 1.0 / (1.0 + SAME_WITHIN);
        let verdict = match ratio.as_ref().is_none_or(near) {
            true => format!("{slower} and {faster} are equally fast, or too near each other to explain"),
            false => format!("too noisy to tell which of {slower} and {faster} is faster"),
        };
        let ratio = ratio
            .as_ref()
            .map(|ratio| format!(": {slower} takes {} times as long{interval}", times(ratio.ratio)));
        return format!("{at}: {verdict}{}.", ratio.unwrap_or_default());
    }
    let measured = || cell(slower).time_ns / cell(faster).time_ns;
    let ratio = ratio.map_or_else(measured, |ratio| ratio.ratio);
    let mut text = format!("{at}: {slower} takes {} times as long as {faster}{interval}.", times(ratio));
    if let Some(left_out) = left_out {
        return format!("{text} No reason is given, because {left_out}.");
    }
    match model {
        Some(model) if *claims => {
            let (fast, slow) = (cell(faster), cell(slower));
            for kind in model.leading_kinds().take(COMPARED_KINDS) {
                text += &compared(kind, slow.counts.get(kind), fast.counts.get(kind), faster);
            }
            text += &parts(model);
        }
        Some(model) if explanation.claims => {
            text += &format!(
                " The cost model predicts {}, so no reason is given.",
                wrong_prediction(&model.predicted, faster)
            );
        }
        _ => {}
    }
    text
}

/// The prediction of a difference that explains nothing.
fn wrong_prediction(predicted: &Extent, faster: &str) -> String {
    if predicted.value < 0.0 {
        format!("the opposite, that {faster} takes longer")
    } else if predicted.low < 0.0 {
        format!("{} of this difference, and in other fits the opposite", percent(predicted.value))
    } else {
        format!("{} of this difference", extent(predicted, percent))
    }
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
    if low == high { value } else { format!("{value} (fits {} to {high})", low.trim_end_matches(" %")) }
}

/// A share in percent with two digits at most, without the sign of a zero. Another run differs in the second.
fn percent(share: f64) -> String {
    format!("{} %", grouped(two_digits(100.0 * share).round() + 0.0, 0))
}

/// A factor with two digits. What is near 1 has two decimals, because how far from 1 it is counts.
fn times(factor: f64) -> String {
    let near_one = (0.95..1.095).contains(&factor);
    let decimals = if near_one { 2 } else { usize::from(factor < 9.95) + usize::from(factor < 0.995) };
    grouped(if near_one { factor } else { two_digits(factor) }, decimals)
}

/// A figure rounded to two digits.
fn two_digits(figure: f64) -> f64 {
    if figure == 0.0 {
        return 0.0;
    }
    let unit = 10.0_f64.powi(figure.abs().log10().floor() as i32 - 1);
    (figure / unit).round() * unit
}

#[cfg(test)]
mod tests {
    use assay_stats::significance::{Comparison, Verdict};

    use super::*;
    use crate::difference::AskedDifference;
    use crate::explanation::explain;
    use crate::testing::{machine_cells, unexplainable_cells};
    use crate::work::{PerWork, WorkCell};

    fn asked(value: u64) -> Vec<AskedDifference> {
        let pair = ["a0", "a1"].map(str::to_owned);
        vec![AskedDifference { pair, value, at: format!("m={value}"), judged: None, left_out: None }]
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
        let expected = "m=2: a1 takes 2.6 times as long as a0. It looks up 4.0 times as many table entries (4,000 against \
                        1,000). The cost model predicts 100 % of the difference: 100 % by table entries.\n\nA 95 % interval";
        assert!(explained.contains(expected), "{explained}");
        assert!(
            explained.contains("one at a time, half are predicted within a factor of 1.00, "),
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
        let none = text(&explain(&machine_cells(6, 3, 0.0, 1).cells, &asked(2)));
        assert!(none.starts_with("There is no cost model, and no reason is given"), "{none}");
    }

    #[test]
    fn a_difference_that_the_others_do_not_predict_has_no_reason() {
        let mut cells = lookups();
        cells.iter_mut().filter(|cell| cell.algorithm == "a1").for_each(|cell| cell.time_ns *= 4.0);
        let explained = text(&explain(&cells, &asked(2)));
        let wrong = " of this difference, so no reason is given.";
        assert!(explained.contains(wrong), "{explained}");
        let words = |value, low| wrong_prediction(&Extent { value, low, high: 0.6 }, "a");
        assert_eq!(words(-0.56, -0.67), "the opposite, that a takes longer");
        assert_eq!(words(0.31, -0.02), "31 % of this difference, and in other fits the opposite");
        assert_eq!(words(0.31, 0.2), "31 % (fits 20 to 60 %) of this difference");
    }

    #[test]
    fn without_counts_or_without_a_shown_difference_the_ratio_is_all() {
        let said = |pair: [&str; 2], low, ratio, high, verdict, left_out: Option<&str>| {
            let judged = Some(Comparison { ratio: Ratio { ratio, low, high }, p: 0.5, verdict });
            let (pair, left_out) = (pair.map(str::to_owned), left_out.map(str::to_owned));
            let asked = AskedDifference { pair, value: 2, at: "m=2".to_owned(), judged, left_out };
            text(&explain(&lookups(), &[asked])).lines().last().unwrap().to_owned()
        };
        let uncounted = said(["x", "a1"], 0.4, 0.5, 0.625, Verdict::Faster, Some("x has no counts"));
        assert_eq!(
            uncounted,
            "m=2: x takes 2.0 times as long as a1 (95 % interval 1.6 to 2.5). No reason is given, because x has no counts."
        );
        let noisy = said(["a0", "a1"], 0.96, 1.36, 1.92, Verdict::Tied, None);
        assert_eq!(
            noisy,
            "m=2: too noisy to tell which of a1 and a0 is faster: a1 takes 1.4 times as long (95 % interval 0.96 to 1.9)."
        );
        let near = said(["a0", "a1"], 0.99, 1.0, 1.02, Verdict::Tied, None);
        assert!(
            near.starts_with("m=2: a1 and a0 are equally fast, or too near each other to explain: "),
            "{near}"
        );
    }

    #[test]
    fn figures_are_short() {
        assert_eq!([times(1.534), times(9.5), times(1234.5)], ["1.5", "9.5", "1,200"]);
        assert_eq!([times(1.03), times(9.97), times(0.412), times(1.0)], ["1.03", "10", "0.41", "1.00"]);
        assert_eq!([percent(0.934), percent(-0.001), percent(-1.27)], ["93 %", "0 %", "-130 %"]);
        assert_eq!(extent(&Extent { value: 0.5, low: 0.4, high: 0.6 }, percent), "50 % (fits 40 to 60 %)");
        assert_eq!(extent(&Extent { value: 0.5, low: 0.499, high: 0.5 }, percent), "50 %");
        assert_eq!(compared(WorkKind::Lookup, 12.0, 0.0, "a"), " It looks up 12 table entries, and a none.");
    }
}
