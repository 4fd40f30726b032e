//! Runs whose ranks are compared with those of no other run, and why.

use assay_base::error::{Error, Result};
use assay_store::rank::Rank;

use super::{Agreement, RunsOfText};
use crate::{Call, Report};

/// A run whose ranks are compared with those of no other run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnrankedRun {
    /// Its place among the runs that were given.
    pub run: usize,
    /// Why it is not compared.
    pub reason: NoAgreement,
}

/// Why the ranks of a run are compared with those of no other run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAgreement {
    /// No other run has its text.
    NoOtherText,
    /// No other run has its text and its group of algorithms.
    NoOtherGroup,
    /// Its times are too short, so no algorithm has a rank.
    TooShort,
    /// No algorithm has a rank for another reason.
    NoRanks,
    /// No other run ranks two of its algorithms at one of its range values.
    NothingInCommon,
}

impl NoAgreement {
    /// The reason, in words.
    pub fn words(self) -> &'static str {
        match self {
            NoAgreement::NoOtherText => "no other run has the same text",
            NoAgreement::NoOtherGroup => "no other run has the same text and the same algorithm group",
            NoAgreement::TooShort => "the times are too short to compare",
            NoAgreement::NoRanks => "no algorithm has a rank, because the rounds are too few or not recorded",
            NoAgreement::NothingInCommon => {
                "no other run ranks two of the same algorithms at the same value of the range"
            }
        }
    }

    /// What to do about it.
    fn remedy(self) -> &'static str {
        match self {
            NoAgreement::NoOtherText | NoAgreement::NoOtherGroup => {
                "ranks are compared between CPUs: measure the same on another one, and name its runs, too"
            }
            NoAgreement::TooShort => "measure on a longer text, or compare another --call",
            NoAgreement::NoRanks => "measure with several --rounds, in `interleaved` or `shuffled` --order",
            NoAgreement::NothingInCommon => "`assay report RESULT` shows what each of them has",
        }
    }
}

impl Agreement {
    /// Checks that at least two runs could be compared.
    ///
    /// # Errors
    /// If there are none, with the reason for each run.
    pub fn checked(self, reports: &[Report]) -> Result<Self> {
        let Some(first) = self.not_compared.first().filter(|_| self.groups.is_empty()) else {
            return Ok(self);
        };
        let mut reasons: Vec<(NoAgreement, Vec<&str>)> = Vec::new();
        for UnrankedRun { run, reason } in &self.not_compared {
            let id = reports[*run].facts.id.as_str();
            match reasons.iter_mut().find(|(other, _)| other == reason) {
                Some((_, ids)) => ids.push(id),
                None => reasons.push((*reason, vec![id])),
            }
        }
        let words: Vec<String> = match reasons.as_slice() {
            [(reason, _)] => vec![reason.words().to_owned()],
            several => several
                .iter()
                .map(|(reason, ids)| format!("{} ({})", reason.words(), ids.join(", ")))
                .collect(),
        };
        Err(Error::new(format!("the ranks of no two of these runs can be compared: {}", words.join("; ")))
            .remedy(first.reason.remedy()))
    }
}

/// The runs that are in no group, and those of a group that rank nothing in common with another run.
pub(super) fn not_compared(
    reports: &[Report],
    groups: &[RunsOfText],
    call: Option<Call>,
) -> Result<Vec<UnrankedRun>> {
    let mut found = Vec::new();
    for (run, report) in reports.iter().enumerate() {
        let reason = match groups.iter().find_map(|group| Some((group, group.place(run)?))) {
            Some((group, place)) if group.values.iter().any(|value| value.ranking.contains(&place)) => {
                continue;
            }
            Some(_) => without_common_ranks(&report.ranks(call)?),
            None if report.facts.gathered.as_ref().is_some_and(|gathered| gathered.group.is_some()) => {
                NoAgreement::NoOtherGroup
            }
            None => NoAgreement::NoOtherText,
        };
        found.push(UnrankedRun { run, reason });
    }
    Ok(found)
}

/// Why a run with these ranks has nothing in common with the other runs of its group.
fn without_common_ranks(ranks: &[Vec<Rank>]) -> NoAgreement {
    let mut all = ranks.iter().flatten();
    if all.clone().any(|rank| rank.standing.is_some()) {
        NoAgreement::NothingInCommon
    } else if all.any(|rank| rank.below_floor) {
        NoAgreement::TooShort
    } else {
        NoAgreement::NoRanks
    }
}

impl RunsOfText {
    /// The place of a run in this group; `None` if it is not in it.
    fn place(&self, run: usize) -> Option<usize> {
        self.runs.iter().position(|other| *other == run)
    }
}
