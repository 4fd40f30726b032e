//! The order of the algorithms of a report.

use assay_base::error::{Error, Result, excerpt, near};
use assay_report::{Call, RangeAxis, Report};

use super::ids;
use super::range_value::range_value;

/// The order in which algorithms are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AlgorithmOrder {
    /// As the run was asked for them.
    Run,
    /// By their ranks over all range values.
    Rank,
    /// By their ids.
    Name,
    /// By the years of their publications.
    Year,
    /// By their median times at a range value.
    At(u64),
}

/// The orders that have a name.
const NAMED: [(&str, AlgorithmOrder); 3] =
    [("rank", AlgorithmOrder::Rank), ("name", AlgorithmOrder::Name), ("year", AlgorithmOrder::Year)];

impl AlgorithmOrder {
    /// The order that is asked for: by a name, or by a value that was measured.
    ///
    /// # Errors
    /// If it is neither.
    pub(super) fn new(asked: &str, reports: &[Report]) -> Result<Self> {
        if let Some((_, order)) = NAMED.iter().find(|(name, _)| *name == asked) {
            return Ok(*order);
        }
        let names = NAMED.map(|(name, _)| name);
        range_value(asked, reports).map(Self::At).map_err(|known| {
            let words = reports[0].facts.over().words();
            let error =
                Error::new(format!("`--sort {}` is no order, and no {words} of the run", excerpt(asked)));
            error.remedy(match near(asked, names).as_slice() {
                [] => format!("it takes {}, or one of {known}", names.join(", ")),
                close => format!("did you mean {}?", close.join(", ")),
            })
        })
    }

    /// All algorithms, the best first; those of the first report decide. Names and years are sorted later.
    ///
    /// # Errors
    /// If it needs times that the first run does not have.
    pub(super) fn all(self, reports: &[Report], call: Option<Call>) -> Result<Vec<String>> {
        let mut sorted: Vec<&str> = match self {
            Self::Run | Self::Name | Self::Year => Vec::new(),
            Self::Rank => reports[0].by_rank(call)?.into_iter().map(|(id, _)| id).collect(),
            Self::At(value) => reports[0].by_time_at(value, call)?.into_iter().map(|(id, _)| id).collect(),
        };
        let others: Vec<&str> = ids(reports).into_iter().filter(|id| !sorted.contains(id)).collect();
        sorted.extend(others);
        Ok(sorted.into_iter().map(str::to_owned).collect())
    }

    /// The best algorithms of a run, at most `top` of them: by time, if this is an order by time, and
    /// otherwise by rank. The note says whether others are tied with the last.
    ///
    /// # Errors
    /// If the run has no times, or none has a rank.
    pub(super) fn best(
        self,
        top: usize,
        report: &Report,
        call: Option<Call>,
    ) -> Result<(Vec<String>, String)> {
        let axis = RangeAxis::new(&report.facts);
        if let Self::At(value) = self {
            let mut by_time = report.by_time_at(value, call)?;
            by_time.retain(|(_, time)| time.is_some());
            if by_time.is_empty() {
                return Err(Error::new(format!("no algorithm has times at {}", axis.at(value)))
                    .remedy("choose another value for --sort"));
            }
            by_time.truncate(top);
            return Ok((by_time.into_iter().map(|(id, _)| id.to_owned()).collect(), String::new()));
        }
        let mut by_rank = report.by_rank(call)?;
        by_rank.retain(|(_, rank)| rank.is_some());
        let Some(&(_, last)) = by_rank.get(top - 1).or(by_rank.last()) else {
            return Err(Error::new(format!(
                "no algorithm has a rank: none can be compared at all {} that are shown",
                axis.over.plural()
            ))
            .remedy(
                "choose some with `--at`, or take the fastest at one of them with `--sort`, as in `--sort m=64`",
            ));
        };
        let tied = by_rank.iter().skip(top).filter(|(_, rank)| *rank == last).count();
        let note = match (tied, by_rank.len() < top) {
            (_, true) => " (no other has a rank)".to_owned(),
            (0, false) => String::new(),
            (1, false) => " (1 more shares the last rank)".to_owned(),
            (tied, false) => format!(" ({tied} more share the last rank)"),
        };
        by_rank.truncate(top);
        Ok((by_rank.into_iter().map(|(id, _)| id.to_owned()).collect(), note))
    }
}
