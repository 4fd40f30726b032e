//! The points of a run: the range values, each with the patterns, calls and repetitions that belong to it.

use assay_base::columns::Call;
use serde::{Deserialize, Serialize};

use super::patterns::PatternSet;
use super::rounds::Rounds;

/// One range value, and what is searched there.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The range value: a pattern length, or what the range goes over instead.
    pub value: u64,
    /// The patterns.
    pub set: PatternSet,
    /// The calls of a repetition, in order. The first is a preparation.
    pub steps: Vec<Step>,
    /// The calls of each thread, if each has its own; otherwise empty. The first thread has `steps`.
    pub lanes: Vec<Vec<Step>>,
    /// How many threads search together.
    pub threads: usize,
    /// How many bytes all searches of a repetition read together.
    pub bytes: usize,
    /// The repetitions, divided into rounds.
    pub rounds: Rounds,
}

/// One call of a repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Whether it prepares or searches.
    pub call: Call,
    /// The number of the text that is searched; of a preparation, the text that is searched first after it.
    pub text: usize,
}

impl Point {
    /// The number of the text from which the patterns are drawn.
    pub fn text(&self) -> usize {
        self.steps[0].text
    }

    /// The numbers of the texts that are searched, in the order of the searches, thread by thread.
    pub fn searched(&self) -> impl Iterator<Item = usize> + Clone {
        all_steps(&self.steps, &self.lanes).filter(|step| step.call == Call::Search).map(|step| step.text)
    }

    /// The numbers of the texts of a call: of several threads with calls of their own, one for each.
    pub fn texts_of_call(&self, call: usize) -> impl Iterator<Item = usize> + Clone {
        let of_lanes = self.lanes.iter().map(move |steps| steps[call].text);
        of_lanes.chain(self.lanes.is_empty().then(|| self.steps[call].text))
    }
}

/// All calls of a repetition: those of the threads, if each has its own, or else `steps`.
pub(crate) fn all_steps<'a>(
    steps: &'a [Step],
    lanes: &'a [Vec<Step>],
) -> impl Iterator<Item = &'a Step> + Clone {
    let alone = if lanes.is_empty() { steps } else { &[] };
    lanes.iter().flatten().chain(alone)
}

/// The points that search the same texts. They share workers, because a worker maps its texts when it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextGroup {
    /// The numbers of the texts, ascending.
    pub texts: Vec<usize>,
    /// The numbers of the points, ascending.
    pub points: Vec<usize>,
}

/// Divides the points into groups that search the same texts, in the order in which the groups first occur.
pub fn text_groups(points: &[Point]) -> Vec<TextGroup> {
    let mut groups: Vec<TextGroup> = Vec::new();
    for (number, point) in points.iter().enumerate() {
        let mut texts: Vec<usize> = point.searched().collect();
        texts.sort_unstable();
        texts.dedup();
        match groups.iter_mut().find(|group| group.texts == texts) {
            Some(group) => group.points.push(number),
            None => groups.push(TextGroup { texts, points: vec![number] }),
        }
    }
    groups
}
