//! What every row must fulfil that a worker returns. A row that breaks a rule ends its cell.

use assay_base::columns::Call;
use assay_experiment::Resolved;
use assay_experiment::calls;
use assay_experiment::definition::Stats;
use assay_experiment::points::Point;
use assay_load::plugin::impossible_figure;
use assay_store::{Cell, Cost, Ended, Measured, Row, Start, Status};

use crate::reference::ReferenceCounts;
use crate::schedule::Block;
use crate::worker::BatchResult;

/// What every row of a point must fulfil.
pub(super) struct RowRules<'a> {
    /// How often the patterns occur.
    counts: &'a ReferenceCounts<'a>,
    /// Index of the point.
    index: usize,
    point: &'a Point,
    time_limit_ms: u64,
    /// Number of counters.
    counters: usize,
    /// Whether the algorithm is a twin, whose rows have measurements.
    instrumented: bool,
    /// Number of bytes that a repetition searches.
    text_length: usize,
}

/// By this much, an algorithm's own times may exceed the host's, because its clock may be coarse: `times`
/// moves in ticks of 10 ms, and a time that begins just before a tick is too long by one.
const OWN_CLOCK_GRAIN_NS: u64 = 10_000_000;

impl<'a> RowRules<'a> {
    /// The rules for a point.
    pub(super) fn new(resolved: &'a Resolved, index: usize, counts: &'a ReferenceCounts<'a>) -> Self {
        let Resolved { experiment, counters, points, .. } = resolved;
        RowRules {
            counts,
            index,
            time_limit_ms: resolved.time_limit_ms(),
            point: &points[index],
            counters: counters.iter().map(|group| group.events.len()).sum(),
            instrumented: experiment.stats == Stats::Algo,
            text_length: points[index].bytes,
        }
    }

    /// Checks the first search of a worker, which is no row.
    fn check_start(&self, start: &Start) -> Option<Ended> {
        let repetition = usize::try_from(start.repetition).unwrap_or(usize::MAX);
        let found = start.occurrences;
        match self.counts.expected(self.index, repetition) {
            None => Some(damaged_memory(&format!("its first search was that of repetition {repetition}"))),
            Some(expected) if expected == found => None,
            Some(expected) => Some(Ended::Wrong(format!(
                "the first search of its process found {found} occurrences; there are {expected}"
            ))),
        }
    }

    /// Checks a row. Returns how its cell ends, if the row breaks a rule.
    fn check(&self, repetition: usize, row: &Row) -> Option<Ended> {
        // The shape of the row comes first: where it is wrong, the figures may be random bytes.
        if row.calls.iter().any(|call| self.is_malformed(call)) || row.measured.is_some() != self.instrumented
        {
            return Some(damaged_memory(&format!(
                "repetition {repetition} has other figures than were asked for"
            )));
        }
        if let Some(ended) = self.check_calls(repetition, row) {
            return Some(ended);
        }
        let found = row.occurrences;
        match self.counts.expected(self.index, repetition) {
            Some(expected) if expected == found => {}
            Some(expected) => {
                return Some(Ended::Wrong(format!(
                    "repetition {repetition} found {found} occurrences; there are {expected}"
                )));
            }
            None => return Some(damaged_memory(&format!("nobody asked for repetition {repetition}"))),
        }
        let impossible =
            |measured: &Measured| impossible_figure(&measured.fields, &measured.extra, self.text_length);
        if let Some(figure) = row.measured.as_deref().and_then(impossible) {
            return Some(Ended::Error(format!(
                "repetition {repetition} reports an impossible figure: {figure}"
            )));
        }
        if let Some(own_ns) = row.own_total_ns()
            && own_ns > row.total_ns().saturating_add(OWN_CLOCK_GRAIN_NS)
        {
            let total_ns = row.total_ns();
            return Some(Ended::Error(format!(
                "repetition {repetition} took {own_ns} ns by its own clock, and was over after {total_ns} ns"
            )));
        }
        // The host ends only what goes on too long; a repetition may also end by itself, a little after the
        // limit.
        let limit = self.time_limit_ms;
        (row.total_ns() / 1_000_000 > limit)
            .then(|| Ended::TimedOut(format!("repetition {repetition} took more than {limit} ms")))
    }

    /// Checks the calls of a repetition that has several preparations or searches.
    fn check_calls(&self, repetition: usize, row: &Row) -> Option<Ended> {
        let steps = &self.point.steps;
        // A repetition with one preparation and one search has no figures beside those of the row.
        let (calls, searches) = if steps.len() == Call::ALL.len() {
            (0, 0)
        } else {
            (steps.len(), steps.iter().filter(|step| step.call == Call::Search).count())
        };
        let malformed = row.each.iter().any(|call| self.is_malformed(call));
        if (row.each.len(), row.found.len()) != (calls, searches) || malformed {
            return Some(damaged_memory(&format!(
                "repetition {repetition} has other calls than were asked for"
            )));
        }
        let searches = (0..steps.len()).filter(|call| steps[*call].call == Call::Search);
        row.found.iter().zip(searches).find_map(|(found, call)| {
            let in_text = |text| self.counts.in_text(self.index, repetition, text);
            let expected: u64 = self.point.texts_of_call(call).map(in_text).sum::<Option<u64>>()?;
            if *found == expected {
                return None;
            }
            let place = calls::place(steps, call, repetition)?;
            Some(Ended::Wrong(format!("{place} found {found} occurrences; there are {expected}")))
        })
    }

    /// Whether a call has another number of counts than there are counters, or a count that is no finite
    /// number.
    fn is_malformed(&self, call: &Cost) -> bool {
        call.counts.len() != self.counters || call.counts.iter().flatten().any(|count| !count.is_finite())
    }
}

/// The end of a cell whose worker returned something that a sound worker does not.
fn damaged_memory(symptom: &str) -> Ended {
    Ended::Crashed(format!("{symptom}: the memory of its worker may be damaged"))
}

/// Returns the rows of a block up to the first that breaks a rule. If the cell ends in this block, its end is
/// noted, and the repetition in which it ended is returned too.
pub(super) fn check_rows(
    cell: &mut Cell<'_>,
    block: &Block,
    result: BatchResult,
    rules: &RowRules<'_>,
) -> (Vec<Row>, Option<usize>) {
    let (requested, received, mut rows) = (block.repetitions.len(), result.rows.len(), result.rows);
    rows.truncate(requested);
    // If the block ended in its first repetition, the reason for that says more than a wrong count of the
    // first search.
    let start = result.noise.and_then(|noise| noise.start).filter(|_| received > 0 || result.ended.is_none());
    if let Some(ended) = start.and_then(|start| rules.check_start(&start)) {
        cell.ended = Some(ended);
        return (Vec::new(), Some(block.repetitions.start));
    }
    for (i, repetition) in block.repetitions.clone().enumerate().take(received) {
        cell.ended = rules.check(repetition, &rows[i]);
        if cell.ended.is_some() {
            rows.truncate(i);
            return (rows, Some(repetition));
        }
    }
    cell.ended = match result.ended {
        None if received != requested && !(result.time_up && received > 0) => {
            Some(damaged_memory(&format!("{received} repetitions came of {requested}")))
        }
        ended => ended,
    };
    // The number comes from a page that a lost worker may have overwritten, so it counts only if the block
    // has it.
    let reported = result.ended_in.filter(|repetition| block.repetitions.contains(repetition));
    let ended_in = reported.unwrap_or(block.repetitions.start + received.min(requested));
    (rows, (cell.status() != Status::Ok).then_some(ended_in))
}
