//! What a run shows of two algorithms, in sentences to quote.

use assay_base::io::numbers::{fixed, supported_decimals};
use assay_stats::significance::{Comparison, PLACEMENT_FLOOR, Ratio, Verdict};

use super::baseline::{Baseline, BaselineCell, NoRatio};
use super::export::caption;
use super::wording::from_to;
use super::{Absence, Call, RangeAxis, Report};

/// What a run shows of two algorithms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// A sentence on all range values, if there are several.
    pub over_all: Option<String>,
    /// A sentence for each range value.
    pub at_each: Vec<String>,
    /// How this was found out: the method, the text and the machine.
    pub basis: String,
}

/// The words of a claim that are the same at all range values.
struct Words<'a> {
    /// The algorithm that the claim is about, and the one that it is compared with.
    algorithms: [&'a str; 2],
    /// What takes time: "searching".
    doing: String,
    /// The noise floor, as a share of the time.
    floor: f64,
    axis: RangeAxis,
}

impl Claim {
    /// What `compared` shows: a comparison of the two algorithms of this report, with the second of these for
    /// a baseline. It has all figures, so none is computed here.
    pub fn new(report: &Report, call: Option<Call>, algorithms: [&str; 2], compared: &Baseline) -> Self {
        let words = Words {
            algorithms,
            doing: match (call, report.selected_call(call)) {
                (_, Some(selected)) => format!("the call {selected}"),
                (Some(Call::Search), None) => "searching".to_owned(),
                (Some(Call::Prepare), None) => "preparing".to_owned(),
                (None, None) => "preparing and searching".to_owned(),
            },
            floor: compared.floor,
            axis: RangeAxis::new(&report.facts),
        };
        let text = format!("On {}, ", report.facts.texts_by_name());
        let [subject, other] =
            algorithms.map(|id| compared.cells.iter().filter(move |cell| cell.algorithm == id));
        let cells: Vec<(&BaselineCell, &BaselineCell)> = subject.zip(other).collect();
        let mut at_each: Vec<String> = cells.iter().map(|(cell, other)| words.at(cell, other)).collect();
        let over_all = (cells.len() > 1).then(|| text.clone() + &words.over_all(&cells));
        match at_each.as_mut_slice() {
            [only] => *only = format!("{text}{only}"),
            several => several.iter_mut().for_each(|sentence| *sentence = capitalised(sentence)),
        }
        Claim { over_all, at_each, basis: basis(report, call, compared) }
    }
}

impl Words<'_> {
    /// The sentence on a range value. `cell` is of the algorithm that the claim is about, `other` of the one
    /// that it is compared with.
    fn at(&self, cell: &BaselineCell, other: &BaselineCell) -> String {
        let at = self.axis.at(cell.value);
        let [subject, baseline] = self.algorithms;
        let Some(judged) = cell.judged else {
            let reason = self.no_ratio(cell, other);
            return format!("at {at}, {subject} and {baseline} can't be compared: {reason}.");
        };
        let p = significance(judged.p);
        if judged.verdict == Verdict::Tied {
            return format!("at {at}, {}.", self.tied(&judged));
        }
        let (amount, interval) = amounts(judged.ratio);
        let doing = &self.doing;
        format!(
            "at {at}, {doing} with {subject} takes {amount} with {baseline} (95 % confidence interval: {interval}; {p})."
        )
    }

    /// That no difference was measured, and what that means.
    fn tied(&self, judged: &Comparison) -> String {
        let [subject, baseline] = self.algorithms;
        let Ratio { ratio, low, high } = judged.ratio;
        let decimals = supported_decimals((high - low) / 2.0).clamp(2, 3);
        let [ratio, low_end, high_end] = [ratio, low, high].map(|number| fixed(number, decimals));
        let figures = format!(
            "the ratio of their times is {ratio}, 95 % confidence interval {low_end} to {high_end}; {}",
            significance(judged.p)
        );
        let means = match judged.word() {
            "same" => ", so that a difference is less than 5 %",
            _ => ". This does not show that they take the same time",
        };
        let beyond = if low <= 1.0 && 1.0 <= high {
            String::new()
        } else {
            format!(" beyond chance and the noise floor of {:.1} %", 100.0 * self.floor)
        };
        format!("no difference between {subject} and {baseline} was measured{beyond} ({figures}){means}")
    }

    /// The reason why there is no ratio.
    fn no_ratio(&self, cell: &BaselineCell, other: &BaselineCell) -> String {
        let [subject, baseline] = self.algorithms;
        match (&cell.no_ratio, &other.no_ratio) {
            (Some(NoRatio::Absent(reason)), _) => absence_words(subject, reason),
            (_, Some(NoRatio::Absent(reason))) => absence_words(baseline, reason),
            (Some(NoRatio::OneRound), _) => "they share fewer than two rounds".to_owned(),
            _ => "their times are too short".to_owned(),
        }
    }

    /// The sentence on all range values, without the text.
    fn over_all(&self, cells: &[(&BaselineCell, &BaselineCell)]) -> String {
        let [subject, baseline] = self.algorithms;
        let of_verdict = |verdict: Option<Verdict>| -> Vec<&BaselineCell> {
            let cells = cells.iter().map(|(cell, _)| *cell);
            cells.filter(|cell| cell.judged.map(|judged| judged.verdict) == verdict).collect()
        };
        let [less, more, tied, unknown] =
            [Some(Verdict::Faster), Some(Verdict::Slower), Some(Verdict::Tied), None].map(of_verdict);
        let taken = [("less time", &less), ("more time", &more)].into_iter();
        let taken: Vec<String> = taken
            .filter(|(_, cells)| !cells.is_empty())
            .enumerate()
            .map(|(number, (amount, found))| {
                let than = if number == 0 { format!(" than with {baseline}") } else { String::new() };
                format!("{amount}{than} {}", self.places(found, cells.len()))
            })
            .collect();
        let mut parts = Vec::new();
        if !taken.is_empty() {
            parts.push(format!("{} with {subject} takes {}", self.doing, taken.join(", and ")));
        }
        if !tied.is_empty() {
            let between = format!("no difference between {subject} and {baseline} was measured");
            parts.push(format!("{between} {}", self.places(&tied, cells.len())));
        }
        if !unknown.is_empty() {
            let between = format!("{subject} and {baseline} can't be compared");
            parts.push(format!("{between} {}", self.places(&unknown, cells.len())));
        }
        parts.join("; ") + "."
    }

    /// "at m=8, m=16", or "at all 5 pattern lengths".
    fn places(&self, found: &[&BaselineCell], all: usize) -> String {
        if found.len() == all {
            return format!("at all {all} {}", self.axis.over.plural());
        }
        let places: Vec<String> = found.iter().map(|cell| self.axis.at(cell.value)).collect();
        format!("at {}", places.join(", "))
    }
}

/// How much longer or shorter a time is: "34 % less time than", and its interval: "32 % to 36 % less".
fn amounts(ratio: Ratio) -> (String, String) {
    let Ratio { ratio, low, high } = ratio;
    if ratio >= 2.0 {
        let decimals = supported_decimals((high - low) / 2.0).min(2);
        let [ratio, low, high] = [ratio, low, high].map(|number| fixed(number, decimals));
        return (format!("{ratio} times as long as"), format!("{low} to {high} times"));
    }
    let decimals = supported_decimals(50.0 * (high - low)).min(1);
    let (word, ends) = if ratio < 1.0 { ("less", [high, low]) } else { ("more", [low, high]) };
    let percent = |number: f64| fixed(100.0 * (number - 1.0).abs(), decimals);
    let [least, most] = ends.map(percent);
    (format!("{} % {word} time than", percent(ratio)), format!("{least} % to {most} % {word}"))
}

/// "p < 0.0001" or "p = 0.012".
fn significance(p: f64) -> String {
    match p {
        _ if p < 1e-4 => "p < 0.0001".to_owned(),
        _ if p < 0.1 => format!("p = {p:.4}"),
        _ => format!("p = {p:.2}"),
    }
}

/// How the claim was found out.
fn basis(report: &Report, call: Option<Call>, compared: &Baseline) -> String {
    let mut sentences = vec!["Times are compared pattern by pattern".to_owned()];
    if let Some(rounds) = compared.rounds {
        sentences[0] += &format!(", over {} rounds", from_to(rounds));
    }
    match compared.comparisons {
        0 | 1 => {}
        several => sentences.push(format!(
            "p is corrected for the {several} comparisons here (Holm), and the intervals are not"
        )),
    }
    let reason = if compared.floor > PLACEMENT_FLOOR {
        "an algorithm differs that much from itself"
    } else {
        "the place of the code in memory can cause them"
    };
    sentences.push(format!(
        "Differences up to {:.1} % are not reported, because {reason}",
        100.0 * compared.floor
    ));
    sentences
        .extend(compared.null.as_ref().and_then(|null| null.words(call)).map(|words| capitalised(&words)));
    sentences.extend(report.clock_note.as_deref().map(capitalised));
    format!("{}. {}", sentences.join(". "), caption::of_run(report))
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Why an algorithm has no times.
fn absence_words(id: &str, absence: &Absence) -> String {
    match absence {
        Absence::NotMadeFor => format!("{id} is not made for it"),
        absence => format!("{id}: {}", absence.word()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::with_columns;

    /// Two algorithms in ten rounds: at each length, the times of `a` are these multiples of those of `b`,
    /// more or less by a share that alternates.
    fn claim(multiples: &[(u64, f64, f64)], more: &str) -> Claim {
        let mut rows = String::new();
        for round in 0..10 {
            for (length, multiple, noise) in multiples {
                let sign = if round % 2 == 0 { 1.0 } else { -1.0 };
                let time = 100_000.0 * multiple * (1.0 + sign * noise);
                rows += &format!("a,{length},{round},ok,3,10,{time},0,{round}\n");
                rows += &format!("b,{length},{round},ok,3,10,100000,0,{round}\n");
            }
        }
        let mut report = with_columns(",round", &(rows + more)).unwrap();
        report.facts.text.sources = vec!["/x/bible.txt".to_owned()];
        let compared = report.baseline("b", Some(Call::Search)).unwrap();
        Claim::new(&report, Some(Call::Search), ["a", "b"], &compared)
    }

    #[test]
    fn a_difference_is_a_share_or_a_multiple_with_its_interval() {
        let Claim { over_all, at_each, basis } =
            claim(&[(4, 0.5, 0.001), (8, 1.3, 0.001), (16, 3.4, 0.01)], "");
        assert_eq!(
            over_all.unwrap(),
            "On bible.txt, searching with a takes less time than with b at m=4, and more time at m=8, m=16."
        );
        let starts = [
            "At m=4, searching with a takes 50.0 % less time than with b (95 % confidence interval: ",
            "At m=8, searching with a takes 30.0 % more time than with b (95 % confidence interval: ",
            "At m=16, searching with a takes 3.40 times as long as with b (95 % confidence interval: ",
        ];
        for (sentence, start) in at_each.iter().zip(starts) {
            assert!(sentence.starts_with(start) && sentence.ends_with("; p < 0.0001)."), "{sentence}");
        }
        assert!(at_each[0].contains(": 50.0 % to 50.0 % less;"), "{}", at_each[0]);
        let start = "Times are compared pattern by pattern, over 10 rounds. p is corrected for the 3 comparisons here";
        assert!(basis.starts_with(start) && basis.contains(". Text: bible.txt ("), "{basis}");
    }

    #[test]
    fn where_no_difference_was_measured_the_sentence_says_so() {
        let Claim { over_all, at_each, .. } =
            claim(&[(4, 1.0, 0.001), (8, 1.005, 0.0001), (16, 1.0, 0.4)], "");
        assert_eq!(
            over_all.unwrap(),
            "On bible.txt, no difference between a and b was measured at all 3 pattern lengths."
        );
        let same = "At m=4, no difference between a and b was measured (the ratio of their times is 1.000, 95 % confidence";
        assert!(
            at_each[0].starts_with(same) && at_each[0].ends_with("so that a difference is less than 5 %.")
        );
        let floor =
            "was measured beyond chance and the noise floor of 1.0 % (the ratio of their times is 1.005";
        assert!(at_each[1].contains(floor), "the interval does not include 1: {}", at_each[1]);
        assert!(
            at_each[2].ends_with("). This does not show that they take the same time."),
            "{}",
            at_each[2]
        );
    }

    #[test]
    fn a_claim_on_one_length_names_the_text_and_what_is_missing_its_reason() {
        let one = claim(&[(4, 1.5, 0.001)], "");
        assert_eq!(one.over_all, None);
        assert!(one.at_each[0].starts_with("On bible.txt, at m=4, searching with a takes 50"), "{one:?}");
        let refused = claim(&[(4, 1.5, 0.001)], "a,8,0,ok,3,10,1,0,0\nb,8,0,cannot_search,,,,,0\n");
        assert_eq!(refused.at_each[1], "At m=8, a and b can't be compared: b is not made for it.");
        assert!(refused.over_all.unwrap().ends_with("; a and b can't be compared at m=8."));
    }
}
