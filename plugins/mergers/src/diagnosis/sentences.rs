//! The notes and warnings of a diagnosis.

use super::{Diagnosis, Event, ROUNDING, counted};
use crate::kolmogorov::Mismatch;
use crate::pairs::Pair;

/// Distributions differ if their distance is greater than the first and its probability less than the second
/// of these constants.
const APART: f64 = 0.1;
const IMPROBABLE: f64 = 0.001;
/// Greatest difference of an estimate from the measured correlation that needs no note.
const WORTH_A_WORD: f64 = 0.01;
/// Mean difference of asked and reached correlations that is a warning: five times what `auto` accepts, and
/// twice what is usual for MUCH.
const FAR_ON_AVERAGE: f64 = 0.05;
/// The same of a single pair: with hundreds of pairs, MUCH is 0.1 away from some of them by chance.
const FAR: f64 = 0.2;
/// Difference that is a warning if correlations are asked without outliers: leaving out the outliers of
/// normal counts moves a correlation by up to 0.03.
const FAR_FROM_ALL_ROWS: f64 = 0.05;
/// Drift that is worth a word, in standard deviations: it moves a correlation by up to 0.01.
const DRIFT: f64 = 0.1;
/// Greatest number of events that a sentence names, so that it stays readable.
const MOST_NAMED: usize = 5;

impl Diagnosis {
    pub(super) fn name(&self, event: usize) -> &str {
        &self.events[event].name
    }

    pub(super) fn named(&self, pair: &Pair) -> String {
        format!("{} and {}", self.name(pair.events.0), self.name(pair.events.1))
    }

    /// How far the reached correlations are from the requested ones, and whether that is so far that they are
    /// of little use.
    pub(super) fn summary(&self, asked: &[Option<f64>], reached: &[Option<f64>]) -> (Option<String>, bool) {
        let errors: Vec<(f64, &Pair)> = (self.pairs.iter().zip(asked).zip(reached))
            .filter_map(|((pair, asked), reached)| Some((((*asked)? - (*reached)?).abs(), pair)))
            .collect();
        let Some((worst, pair)) = errors.iter().max_by(|a, b| a.0.total_cmp(&b.0)) else {
            return (None, false);
        };
        let mean = errors.iter().map(|(error, _)| error).sum::<f64>() / errors.len() as f64;
        let pairs = counted(errors.len(), "pair");
        let sentence = match *worst {
            worst if worst < ROUNDING => format!("correlations of {pairs}: what was asked is reached"),
            _ => format!(
                "correlations of {pairs}: asked and reached differ by {} on average, and by {} at most ({})",
                figure(mean),
                figure(*worst),
                self.named(pair)
            ),
        };
        (Some(sentence), mean > FAR_ON_AVERAGE || *worst > FAR)
    }

    /// The note about pairs whose correlation is not the same in all blocks.
    pub(super) fn disagreement(&self) -> Option<String> {
        let drifting: Vec<&Pair> = self.pairs.iter().filter(|pair| pair.drifts).collect();
        let worst = drifting.iter().max_by(|a, b| a.spread.partial_cmp(&b.spread).expect("no NaN"))?;
        Some(format!(
            "correlations of {} {} between sub-experiments by more than chance, most by {:.2} ({})",
            counted(drifting.len(), "pair"),
            if drifting.len() == 1 { "differs" } else { "differ" },
            worst.spread.unwrap_or_default(),
            self.named(worst)
        ))
    }

    /// The note about events whose means differ between blocks.
    pub(super) fn drift(&self) -> Option<String> {
        let shown = |event: &Event| Some((event.drift.shown?.sqrt(), event.name.clone()));
        let mut drifting: Vec<(f64, String)> =
            self.events.iter().filter_map(shown).filter(|(deviations, _)| *deviations > DRIFT).collect();
        drifting.sort_by(|a, b| b.0.total_cmp(&a.0));
        let named = drifting.iter().take(MOST_NAMED).map(|(by, event)| format!("{event} by {by:.2}"));
        let named = named.collect::<Vec<_>>().join(", ");
        let more = match drifting.len().saturating_sub(MOST_NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        (!drifting.is_empty()).then(|| {
            format!(
                "means differ between sub-experiments, in standard deviations: {named}{more}; the intervals of correlations are \
                 widened by the most that so few sub-experiments allow"
            )
        })
    }

    /// The sentence about pairs whose correlation without outliers is not that of all rows, and whether it is
    /// so far from it that the result shows something else than the rows.
    pub(super) fn without_outliers(&self, asked: &[Option<f64>]) -> (Option<String>, bool) {
        let difference = |(pair, asked): (&Pair, &Option<f64>)| {
            let by = (*asked)? - pair.correlation?;
            (by.abs() > WORTH_A_WORD).then(|| (by, self.named(pair)))
        };
        let apart: Vec<(f64, String)> = self.pairs.iter().zip(asked).filter_map(difference).collect();
        let Some((by, named)) = apart.iter().max_by(|a, b| a.0.abs().total_cmp(&b.0.abs())) else {
            return (None, false);
        };
        let sentence = format!(
            "correlations of {} {} asked as measured without outliers, which differ from those of all rows: most by {by:+.3} \
             ({named}); --target asks for others, and `auto` keeps outliers",
            counted(apart.len(), "pair"),
            if apart.len() == 1 { "is" } else { "are" },
        );
        (Some(sentence), by.abs() > FAR_FROM_ALL_ROWS)
    }

    /// The note about pairs that were never measured together.
    pub(super) fn made_up(&self, reached: &[Option<f64>]) -> Option<String> {
        let made_up = self.pairs.iter().zip(reached).filter(|(pair, r)| pair.blocks == 0 && r.is_some());
        let count = made_up.count();
        (count > 0).then(|| {
            format!(
                "{} of {} {} never measured together: what the result says of {} is inferred",
                counted(count, "pair"),
                self.pairs.len(),
                if count == 1 { "was" } else { "were" },
                if count == 1 { "it" } else { "them" }
            )
        })
    }

    /// The note about pairs whose estimate differs from what their own rows show, because other rows
    /// contradict them.
    pub(super) fn not_as_measured(&self, asked: &[Option<f64>]) -> Option<String> {
        let of = |(pair, asked): (&'_ Pair, &Option<f64>)| {
            let (asked, measured, (low, high)) = ((*asked)?, pair.correlation?, pair.interval()?);
            let by = asked - measured;
            (by.abs() > WORTH_A_WORD && !(low..=high).contains(&asked)).then(|| (by, self.named(pair)))
        };
        let apart: Vec<(f64, String)> = self.pairs.iter().zip(asked).filter_map(of).collect();
        let (by, named) = apart.iter().max_by(|a, b| a.0.abs().total_cmp(&b.0.abs()))?;
        Some(format!(
            "correlations of {} {} not asked as measured, since other pairs say otherwise: most by {by:+.3} ({named})",
            counted(apart.len(), "pair"),
            if apart.len() == 1 { "is" } else { "are" },
        ))
    }

    /// A warning, if events are not the same in all sub-experiments.
    pub(super) fn mismatches(&self) -> Option<String> {
        let of = |event: &'_ Event| event.mismatch.clone().map(|(place, of)| (event.name.clone(), place, of));
        let mut all: Vec<(String, String, Mismatch)> = self.events.iter().filter_map(of).collect();
        all.retain(|(_, _, of)| of.distance > APART && of.p < IMPROBABLE);
        all.sort_by(|a, b| b.2.distance.total_cmp(&a.2.distance));
        let named = all.iter().take(MOST_NAMED).map(|(event, place, of)| {
            format!("{event} (distance {:.2} of {place} from the others, p {:.1e})", of.distance, of.p)
        });
        let named = named.collect::<Vec<_>>().join(", ");
        let more = if all.len() > MOST_NAMED {
            format!(" and {} more", all.len() - MOST_NAMED)
        } else {
            String::new()
        };
        (!all.is_empty()).then(|| {
            format!("distributions differ between sub-experiments: {named}{more}: were all measured under the same conditions?")
        })
    }
}

/// A number with three digits; a small number with its power of ten.
fn figure(value: f64) -> String {
    if value < 1e-3 { format!("{value:.2e}") } else { format!("{value:.3}") }
}
