//! The search for the worst input at each length of the pattern.

use std::time::Instant;

use assay_base::error::{Error, Result};
use assay_base::work_budget::WorkBudget;
use assay_plugin_api::testing::naive;
use assay_stats::draws::{Draws, scattered};

use crate::child::CountOutcome;
use crate::evolution::{Evolution, RatedInput};
use crate::input::{InputSize, SearchInput};
use crate::letters::Letters;
use crate::seeds::seeds;
use crate::stretching::stretched;
use crate::work::WorkMeasure;

/// What is searched for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdversaryPlan {
    /// The sizes of the inputs, in ascending order.
    pub sizes: Vec<InputSize>,
    /// Number of letters, from 1 to 256.
    pub alphabet: usize,
    /// The seed, which decides all random choices.
    pub seed: u64,
    /// How much is searched.
    pub budget: WorkBudget,
    /// What counts as work.
    pub measure: WorkMeasure,
}

/// The worst input of one size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorstInput {
    /// The input.
    pub input: SearchInput,
    /// The work on it.
    pub work: u64,
    /// Number of occurrences.
    pub occurrences: u64,
    /// Number of searches that were made for it.
    pub searches: usize,
    /// The work on the same pattern in a long text with the same block; none if that was not searched.
    pub work_in_long_text: Option<u64>,
}

impl WorstInput {
    /// Work for each character of the text.
    pub fn per_character(&self) -> f64 {
        self.work as f64 / self.input.text_length as f64
    }

    /// Work for each character of the long text.
    pub fn per_character_of_long_text(&self) -> Option<f64> {
        self.work_in_long_text.map(|work| work as f64 / long(self.input.text_length) as f64)
    }
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchEnd {
    /// The budget is used up.
    Complete,
    /// The user interrupted it.
    Interrupted,
    /// The algorithm failed on this input: a sentence without its subject.
    Failed(String, SearchInput),
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdversaryResult {
    /// The worst input of each size that could be searched, as far as the search came.
    pub worst: Vec<WorstInput>,
    /// The reason for which a size could not be searched, if there is one.
    pub refusal: Option<String>,
    /// How the search ended.
    pub end: SearchEnd,
}

/// Characters of the long text in which the worst input of each size is searched again. An algorithm may
/// spend a constant amount before it changes its method, which a short text can't tell from work for each
/// character.
const LONG_TEXT: usize = 1 << 18;

/// The length of the long text.
fn long(text_length: usize) -> usize {
    LONG_TEXT.max(text_length)
}

/// Inputs of one request. Each request costs about as much as a short search, and all inputs of a request
/// have the same parents.
const BROOD: usize = 16;

/// Inputs of one size from which longer ones are made.
const STRETCHED: usize = 4;

/// Searches for the worst input of each size. `count` searches inputs and returns an outcome for each;
/// `progress` gets the share of the budget that is used up, with the worst inputs so far.
///
/// # Errors
/// What `count` returns, unless it is an interruption: that ends the search, and what was found is returned.
/// Also if the twin does not count what the plan asks for.
pub fn search(
    plan: &AdversaryPlan,
    count: &mut dyn FnMut(&[SearchInput]) -> Result<Vec<CountOutcome>>,
    progress: &mut dyn FnMut(f64, &WorstInput),
) -> Result<AdversaryResult> {
    let mut result = AdversaryResult { worst: Vec::new(), refusal: None, end: SearchEnd::Complete };
    let mut best: Vec<RatedInput> = Vec::new();
    for (number, &size) in plan.sizes.iter().enumerate() {
        let mut draws = Draws::new(scattered(plan.seed ^ (size.pattern as u64).rotate_left(32)));
        let letters = Letters::new(plan.alphabet);
        let mut first: Vec<SearchInput> =
            best.iter().take(STRETCHED).flat_map(|rated| stretched(&rated.input, size)).collect();
        first.extend(seeds(size, letters, &mut draws));
        let mut one = OneSize {
            plan,
            count: &mut *count,
            evolution: Evolution::new(size, letters, first, draws),
            searches: 0,
            refusal: None,
            begun: Instant::now(),
        };
        let end = one
            .search(&mut |share, worst| progress((number as f64 + share) / plan.sizes.len() as f64, worst))?;
        let mut worst = one.worst();
        if worst.is_none() {
            result.refusal = one.refusal.take();
        }
        best = one.evolution.best().to_vec();
        let mut stop = end;
        if let (SearchEnd::Complete, Some(found)) = (&stop, &mut worst) {
            match again(found, plan, count)? {
                Again::Same(end) => stop = end,
                Again::Otherwise(message) => {
                    stop = SearchEnd::Failed(message, found.input.clone());
                    worst = None;
                }
            }
        }
        result.worst.extend(worst);
        if stop != SearchEnd::Complete {
            result.end = stop;
            break;
        }
    }
    Ok(result)
}

/// What came of searching a worst input again.
enum Again {
    /// The counts are the same, and the search of the long text ended so.
    Same(SearchEnd),
    /// It failed or counted otherwise, so its counts can't be believed: a sentence without its subject.
    Otherwise(String),
}

/// Searches a worst input a second time, and its long text.
fn again(
    worst: &mut WorstInput,
    plan: &AdversaryPlan,
    count: &mut dyn FnMut(&[SearchInput]) -> Result<Vec<CountOutcome>>,
) -> Result<Again> {
    let input = worst.input.with_text_length(long(worst.input.text_length));
    let outcomes = match count(&[worst.input.clone(), input.clone()]) {
        Err(error) if error.is_interruption() => return Ok(Again::Same(SearchEnd::Interrupted)),
        outcomes => outcomes?,
    };
    let mut outcomes = outcomes.into_iter();
    match outcomes.next() {
        Some(CountOutcome::Counted(counts)) => {
            let (work, occurrences) = (plan.measure.sum(&counts.fields), counts.occurrences);
            if (work, occurrences) != (Some(worst.work), worst.occurrences) {
                let work = work.map_or_else(|| "nothing".to_owned(), |work| work.to_string());
                return Ok(Again::Otherwise(format!(
                    "counts otherwise if it searches again: work of {} and {} occurrences, and then {work} and {occurrences}",
                    worst.work, worst.occurrences
                )));
            }
        }
        Some(CountOutcome::Failed(message)) => return Ok(Again::Otherwise(message)),
        Some(CountOutcome::CannotSearch(reason)) => {
            return Ok(Again::Otherwise(format!("can't search the same again: {reason}")));
        }
        None => {}
    }
    Ok(Again::Same(match outcomes.next() {
        Some(CountOutcome::Counted(counts)) => {
            worst.work_in_long_text = plan.measure.sum(&counts.fields);
            SearchEnd::Complete
        }
        Some(CountOutcome::Failed(message)) => SearchEnd::Failed(message, input),
        Some(CountOutcome::CannotSearch(_)) | None => SearchEnd::Complete,
    }))
}

/// The search of one size.
struct OneSize<'a> {
    plan: &'a AdversaryPlan,
    count: &'a mut dyn FnMut(&[SearchInput]) -> Result<Vec<CountOutcome>>,
    evolution: Evolution,
    searches: usize,
    refusal: Option<String>,
    begun: Instant,
}

impl OneSize<'_> {
    /// Searches until the share of this size is used up.
    fn search(&mut self, progress: &mut dyn FnMut(f64, &WorstInput)) -> Result<SearchEnd> {
        loop {
            let share = self.share();
            if let Some(worst) = self.worst() {
                progress(share.min(1.0), &worst);
            }
            if share >= 1.0 {
                return Ok(SearchEnd::Complete);
            }
            let brood = self.evolution.brood(self.left().min(BROOD));
            self.searches += brood.len();
            let outcomes = match (self.count)(&brood) {
                Err(error) if error.is_interruption() => return Ok(SearchEnd::Interrupted),
                outcomes => outcomes?,
            };
            let most = self.evolution.best().first().map_or(0, |best| best.work);
            let (mut rated, mut end) = (Vec::new(), None);
            for (input, outcome) in brood.into_iter().zip(outcomes) {
                match outcome {
                    CountOutcome::Counted(counts) => {
                        let work = self.plan.measure.sum(&counts.fields).ok_or_else(|| self.not_counted())?;
                        let occurrences = counts.occurrences;
                        if let Some(wrong) = (work > most).then(|| miscount(&input, occurrences)).flatten() {
                            end = end.or(Some(SearchEnd::Failed(wrong, input)));
                            continue;
                        }
                        rated.push(RatedInput { input, work, occurrences });
                    }
                    CountOutcome::CannotSearch(reason) => self.refusal = Some(reason),
                    CountOutcome::Failed(message) => end = end.or(Some(SearchEnd::Failed(message, input))),
                }
            }
            self.evolution.add(rated);
            if let Some(end) = end {
                return Ok(end);
            }
            // Whether an algorithm searches hardly depends on the letters, so the rest would be refused as
            // well.
            if self.evolution.best().is_empty() {
                return Ok(SearchEnd::Complete);
            }
        }
    }

    /// The share of the budget of this size that is used up.
    fn share(&self) -> f64 {
        let sizes = self.plan.sizes.len();
        match self.plan.budget {
            WorkBudget::Steps(all) => self.searches as f64 / (all / sizes).max(1) as f64,
            WorkBudget::Time(all) => self.begun.elapsed().as_secs_f64() * sizes as f64 / all.as_secs_f64(),
        }
    }

    /// Number of searches that are left.
    fn left(&self) -> usize {
        match self.plan.budget {
            WorkBudget::Steps(all) => (all / self.plan.sizes.len()).max(1) - self.searches,
            WorkBudget::Time(_) => usize::MAX,
        }
    }

    /// The worst input so far.
    fn worst(&self) -> Option<WorstInput> {
        let RatedInput { input, work, occurrences } = self.evolution.best().first()?.clone();
        Some(WorstInput { input, work, occurrences, searches: self.searches, work_in_long_text: None })
    }

    fn not_counted(&self) -> Error {
        Error::new(format!("the twin does not count all of {}", self.plan.measure.names().join(", ")))
            .remedy("choose other counts with --by")
    }
}

/// What is wrong with the number of occurrences of an input, if anything is. Only inputs that are worse than
/// all before are compared with a naive search, because it takes as long as the search of the twin.
fn miscount(input: &SearchInput, occurrences: u64) -> Option<String> {
    let right = naive(&input.pattern, &input.text()).len() as u64;
    (occurrences != right)
        .then(|| format!("finds {occurrences} occurrences, and a naive search finds {right}"))
}

#[cfg(test)]
mod tests;
