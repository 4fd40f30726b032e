//! The counters of a worker: the open sets of events, their readings around calls, and the counts computed
//! from these.

use std::cmp::Reverse;
use std::ops::Range;

use assay_base::columns::Call;
use assay_load::plugin::CounterSet;
use assay_load::process::end_with_parent;
use assay_plugin_api::EventCount;
use assay_store::counting::{CountFaults, Missing};

use super::clock::now_ns;
use super::heartbeat::{BackendStep, Heartbeat, Phase};
use super::protocol::{BackendFault, CounterSetup, EventKind, Portion};

/// All counters of a worker, with their readings around the calls of one repetition.
pub(super) struct Counters {
    /// The sets, in the order in which they are read before a call.
    open: Vec<OpenSet>,
    /// The kinds of the events, in the order of their columns.
    kinds: Vec<EventKind>,
    /// Whether events may take turns on the hardware counters (`--multiplex`).
    multiplex: bool,
    /// The readings before and after each call of a repetition.
    readings: Vec<[Readings; 2]>,
    /// The readings before and after the measured repetitions of a block, of events that are counted around
    /// all of them, with the times of these readings.
    around: [(Readings, u64); 2],
}

/// An open set of events.
struct OpenSet {
    set: CounterSet,
    /// Number of its backend in the setup.
    number: usize,
    /// The places of its events among those of all sets.
    places: Range<usize>,
    /// Whether any of its events is counted around each call.
    by_call: bool,
    /// Whether any of its events is counted around all repetitions of a block.
    by_round: bool,
    /// Whether the set was started and not stopped since.
    runs: bool,
}

/// A reading of all counters.
type Readings = Vec<Reading>;

/// A reading of one counter.
#[derive(Clone, Copy, Debug, Default)]
enum Reading {
    /// The backend is not in use, or the event was not read yet.
    #[default]
    Unused,
    /// The backend failed to read.
    Failed,
    Count(EventCount),
}

/// What an event counted around a call.
#[derive(Clone, Copy, Debug, PartialEq)]
struct CallCount {
    value: f64,
    /// Whether the event was counted for a part of the time only, and the value is scaled up from that.
    scaled: bool,
}

impl Counters {
    /// Opens the sets of all backends that are in use.
    ///
    /// # Errors
    /// If a backend can't be opened, started, read or stopped.
    pub(super) fn open(
        setups: &[CounterSetup],
        cpu: Option<usize>,
        heartbeat: &Heartbeat,
    ) -> Result<Self, BackendFault> {
        let kinds: Vec<EventKind> = setups.iter().flat_map(|setup| &setup.kinds).copied().collect();
        let (mut open, mut first) = (Vec::new(), 0);
        for (number, setup) in setups.iter().enumerate() {
            let places = first..first + setup.kinds.len();
            first = places.end;
            if setup.used {
                heartbeat.enter(Phase::Counters(number, BackendStep::Open));
                let set = setup.part.open(cpu).map_err(|fault| BackendFault {
                    number,
                    step: BackendStep::Open,
                    fault,
                })?;
                end_with_parent();
                let by_round = setup.kinds.iter().any(|kind| kind.per_round);
                let by_call = !setup.kinds.iter().all(|kind| kind.per_round);
                open.push(OpenSet { set, number, places, by_call, by_round, runs: false });
            }
        }
        let reading = || vec![Reading::Unused; kinds.len()];
        let readings = Vec::new();
        let multiplex = setups.iter().any(|setup| setup.part.multiplex);
        let around = std::array::from_fn(|_| (reading(), 0));
        let mut counters = Counters { open, kinds, multiplex, readings, around };
        // A trial: a backend that fails now costs no repetition. Each one is tried alone, so it is clear
        // which one failed.
        counters.read_times(1, u64::MAX, heartbeat)?;
        counters.nest(|number| setups[number].price_ns);
        heartbeat.enter(Phase::Idle);
        Ok(counters)
    }

    /// Puts the backends into the order in which they are read before a call: the most expensive first, so
    /// that the readings of the cheaper ones lie within its count, where they matter least. Backends without
    /// a price, which have the least, and backends of the same price keep the order in which they were
    /// requested.
    pub(crate) fn nest(&mut self, price_ns: impl Fn(usize) -> Option<u64>) {
        self.open.sort_by_key(|open| (Reverse(price_ns(open.number)), open.number));
    }

    /// Times readings of each set by itself, in nanoseconds, and returns them with the number of its backend.
    /// There are `times` readings, or fewer if they take longer than `enough_ns`, but at least one.
    ///
    /// # Errors
    /// If a backend can't be started or stopped.
    pub(crate) fn read_times(
        &mut self,
        times: usize,
        enough_ns: u64,
        heartbeat: &Heartbeat,
    ) -> Result<Vec<(usize, Vec<u64>)>, BackendFault> {
        let mut reading = vec![Reading::Unused; self.kinds.len()];
        let mut all = Vec::with_capacity(self.open.len());
        for open in &mut self.open {
            open.take_step(BackendStep::Start, heartbeat, CounterSet::start)?;
            heartbeat.enter(Phase::Counters(open.number, BackendStep::Read));
            let begun = now_ns();
            let mut taken = Vec::with_capacity(times);
            while taken.len() < times && (taken.is_empty() || now_ns() - begun <= enough_ns) {
                let start = now_ns();
                open.read(&mut reading);
                taken.push(now_ns() - start);
            }
            end_with_parent();
            open.take_step(BackendStep::Stop, heartbeat, CounterSet::stop)?;
            all.push((open.number, taken));
        }
        Ok(all)
    }

    /// Makes room for the readings around the calls of a repetition, so that nothing is allocated between
    /// them.
    pub(super) fn expect(&mut self, calls: usize) {
        let reading = || vec![Reading::Unused; self.kinds.len()];
        self.readings.resize_with(calls, || [reading(), reading()]);
    }

    /// Whether an event is a level, such as a temperature.
    pub(super) fn is_level(&self, event: usize) -> bool {
        self.kinds[event].instant
    }

    /// Starts all sets.
    ///
    /// # Errors
    /// If a backend can't be started. Those before it run.
    pub(super) fn start(&mut self, heartbeat: &Heartbeat) -> Result<(), BackendFault> {
        self.open.iter_mut().try_for_each(|open| {
            open.take_step(BackendStep::Start, heartbeat, CounterSet::start)?;
            open.runs = true;
            Ok(())
        })
    }

    /// Whether nothing is counted.
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Stops all sets that run.
    ///
    /// # Errors
    /// If a backend can't be stopped: the first failure.
    pub(super) fn stop(&mut self, heartbeat: &Heartbeat) -> Result<(), BackendFault> {
        // If the parent was killed since the last check, it is not known by whom, so no backend must get the
        // blame.
        end_with_parent();
        let mut stopped = Ok(());
        for open in self.open.iter_mut().filter(|open| open.runs) {
            open.runs = false;
            // After a failure, the others are stopped all the same.
            let outcome = open.take_step(BackendStep::Stop, heartbeat, CounterSet::stop);
            stopped = stopped.and(outcome);
        }
        stopped
    }

    /// Closes the set of a backend.
    pub(crate) fn leave_out(&mut self, number: usize) {
        self.open.retain(|open| open.number != number);
        let around = self.around.iter_mut().map(|(reading, _)| reading);
        let all = self.readings.iter_mut().flatten().chain(around);
        // Old readings of the backend must not become counts.
        all.flatten().for_each(|read| *read = Reading::Unused);
    }

    /// Reads all counters before a call of a repetition, the cheapest last.
    #[inline]
    pub(crate) fn read_before(&mut self, call: usize, heartbeat: &Heartbeat) {
        for open in self.open.iter_mut().filter(|open| open.by_call) {
            heartbeat.enter(Phase::Counters(open.number, BackendStep::Read));
            open.read(&mut self.readings[call][0]);
        }
    }

    /// Reads all counters after a call of a repetition, in the opposite order. The readings so nest around
    /// the call, and the count of the cheapest backend contains the readings of no other.
    #[inline]
    pub(crate) fn read_after(&mut self, call: usize, heartbeat: &Heartbeat) {
        for open in self.open.iter_mut().rev().filter(|open| open.by_call) {
            heartbeat.enter(Phase::Counters(open.number, BackendStep::Read));
            open.read(&mut self.readings[call][1]);
        }
    }

    /// Whether any event is counted around all repetitions of a block. The rows are then complete only at its
    /// end.
    pub(crate) fn any_by_round(&self) -> bool {
        self.open.iter().any(|open| open.by_round)
    }

    /// Reads the events that are counted around all repetitions of a block, before them or after them.
    pub(crate) fn read_around(&mut self, after: bool, heartbeat: &Heartbeat) {
        let (reading, at) = &mut self.around[usize::from(after)];
        for open in self.open.iter_mut().filter(|open| open.by_round) {
            heartbeat.enter(Phase::Counters(open.number, BackendStep::Read));
            open.read(reading);
        }
        *at = now_ns();
        heartbeat.enter(Phase::Idle);
    }

    /// Divides the counts around all repetitions of a block equally among their rows, as counts of the
    /// search. If `paused` is set, a pause lay among the repetitions, and the counts are missing, because
    /// they may contain anything.
    pub(super) fn share(&self, portion: &mut Portion, paused: bool) {
        let Portion { rows, faults } = portion;
        faults.resize(self.kinds.len(), CountFaults::default());
        let [(before, begun), (after, ended)] = &self.around;
        for (i, kind) in self.kinds.iter().enumerate().filter(|(_, kind)| kind.per_round) {
            let outcome = match count(before[i], after[i], kind.instant, self.multiplex) {
                Ok(_) if ended - begun < FEWEST_GRAINS * kind.grain_ns => Err(Missing::TooShort),
                Ok(_) if paused => Err(Missing::Torn),
                outcome => outcome,
            };
            let parts = if kind.instant { 1.0 } else { rows.len() as f64 };
            let part = outcome.ok().map(|count| count.value / parts);
            for row in &mut *rows {
                row.calls[Call::Search as usize].counts[i] = part;
                faults[i].note(outcome.map(|count| count.scaled));
            }
        }
    }

    /// The counts of a call, from the readings around it.
    pub(super) fn costs(&self, call: usize) -> Vec<Option<f64>> {
        self.outcomes(call).map(|outcome| Some(outcome.ok()?.value)).collect()
    }

    /// Notes which counts of a repetition are missing or scaled. Events that are counted around the whole
    /// block follow in [`share`](Self::share).
    pub(super) fn note(&self, calls: Range<usize>, faults: &mut Vec<CountFaults>) {
        faults.resize(self.kinds.len(), CountFaults::default());
        for call in calls {
            let outcomes = faults.iter_mut().zip(self.outcomes(call)).zip(&self.kinds);
            for ((faults, outcome), _) in outcomes.filter(|(_, kind)| !kind.per_round) {
                faults.note(outcome.map(|count| count.scaled));
            }
        }
    }

    /// The counts of a call, or why they are missing.
    fn outcomes(&self, call: usize) -> impl Iterator<Item = Result<CallCount, Missing>> + '_ {
        let [before, after] = &self.readings[call];
        let readings = before.iter().zip(after).zip(&self.kinds);
        readings.map(|((before, after), kind)| {
            if kind.per_round {
                // Not known before the end of the block.
                Err(Missing::Told)
            } else {
                count(*before, *after, kind.instant, self.multiplex)
            }
        })
    }
}

/// A block must be at least this number of grains of an event long. A count may be wrong by one grain, which
/// then is at most 10 % of it.
const FEWEST_GRAINS: u64 = 10;

/// Computes a count from the readings before and after a call.
///
/// # Errors
/// If there is no usable count: the counter counted for a part of the time only, unless the backend scaled
/// the count up and `multiplex` was requested; it began again from zero; or it reports what is impossible,
/// such as no number, less than before, or more time counted than time enabled.
fn count(before: Reading, after: Reading, instant: bool, multiplex: bool) -> Result<CallCount, Missing> {
    let (before, after) = match (before, after) {
        (Reading::Count(before), Reading::Count(after)) => (before, after),
        (Reading::Failed, _) | (_, Reading::Failed) => return Err(Missing::NotRead),
        (Reading::Unused, _) | (_, Reading::Unused) => return Err(Missing::Told),
    };
    let flags = before.flags | after.flags;
    let off = after.enabled == 0 && after.running == 0;
    if off || flags & (EventCount::MISSING | EventCount::WRAPPED) != 0 {
        return Err(Missing::Told);
    }
    if after.running == 0 || (flags & EventCount::SCALED != 0 && !multiplex) {
        return Err(Missing::InPart);
    }
    let mut scaled = flags & EventCount::SCALED != 0;
    let idle = |count: EventCount| count.enabled.checked_sub(count.running).ok_or(Missing::RanTooLong);
    match idle(after)?.checked_sub(idle(before)?) {
        // The counter did not wait during the call. What was estimated earlier is in both readings and
        // cancels out, so the count is exact, except if the times stand still: a backend that reports no
        // times is believed that it scaled.
        Some(0) => scaled &= after.enabled == before.enabled,
        Some(_) if scaled => {}
        Some(_) => return Err(Missing::InPart),
        None => return Err(Missing::RanTooLong),
    }
    let value = if instant { after.value } else { after.value - before.value };
    if !value.is_finite() {
        Err(Missing::NotANumber)
    } else if instant || value >= 0.0 {
        Ok(CallCount { value, scaled })
    } else {
        Err(Missing::WentBackwards)
    }
}

impl OpenSet {
    /// Reads the set, and writes to its places.
    #[inline]
    fn read(&mut self, reading: &mut Readings) {
        let places = &mut reading[self.places.clone()];
        match self.set.read() {
            Ok(counts) => {
                places.iter_mut().zip(counts).for_each(|(place, count)| *place = Reading::Count(*count))
            }
            Err(_) => places.fill(Reading::Failed),
        }
    }

    /// Does a step with the backend, and checks whether it killed the parent of this process.
    fn take_step(
        &mut self,
        step: BackendStep,
        heartbeat: &Heartbeat,
        call: fn(&mut CounterSet) -> Result<(), String>,
    ) -> Result<(), BackendFault> {
        heartbeat.enter(Phase::Counters(self.number, step));
        let answer = call(&mut self.set);
        end_with_parent();
        heartbeat.enter(Phase::Idle);
        answer.map_err(|fault| BackendFault { number: self.number, step, fault })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_for_a_part_of_the_time_and_impossible_counts_are_missing() {
        let value = |before, after, instant| count(before, after, instant, false).map(|count| count.value);
        let reading =
            |value, enabled, running| Reading::Count(EventCount { value, enabled, running, flags: 0 });
        assert_eq!(value(reading(5.0, 10, 10), reading(9.0, 20, 20), false), Ok(4.0));
        assert_eq!(value(reading(5.0, 1, 1), reading(9.0, 1, 1), false), Ok(4.0));
        assert_eq!(value(reading(5.0, 1, 1), reading(9.0, 1, 1), true), Ok(9.0));
        assert_eq!(value(reading(5.0, 10, 10), reading(9.0, 20, 15), false), Err(Missing::InPart));
        assert_eq!(value(reading(0.0, 10, 0), reading(0.0, 20, 0), false), Err(Missing::InPart));
        assert_eq!(value(Reading::Unused, reading(0.0, 1, 1), false), Err(Missing::Told));
        assert_eq!(value(reading(0.0, 1, 1), Reading::Failed, false), Err(Missing::NotRead));
        assert_eq!(value(reading(1029.0, 1, 1), reading(5.0, 1, 1), false), Err(Missing::WentBackwards));
        assert_eq!(value(reading(1029.0, 1, 1), reading(5.0, 1, 1), true), Ok(5.0), "a level may fall");
        assert_eq!(value(reading(5.0, 10, 12), reading(9.0, 20, 22), false), Err(Missing::RanTooLong));
        assert_eq!(value(reading(5.0, 10, 5), reading(9.0, 20, 18), false), Err(Missing::RanTooLong));
        for strange in [f64::NAN, f64::INFINITY] {
            for instant in [true, false] {
                let missing = value(reading(5.0, 1, 1), reading(strange, 1, 1), instant);
                assert_eq!(missing, Err(Missing::NotANumber));
            }
            assert_eq!(value(reading(strange, 1, 1), reading(5.0, 1, 1), false), Err(Missing::NotANumber));
        }
        let flagged = |flags, running| Reading::Count(EventCount { value: 9.0, enabled: 20, running, flags });
        for flags in [EventCount::MISSING, EventCount::WRAPPED] {
            assert_eq!(value(reading(5.0, 10, 10), flagged(flags, 20), false), Err(Missing::Told));
        }
        let scaled = flagged(EventCount::SCALED, 15);
        assert_eq!(value(reading(5.0, 10, 10), scaled, false), Err(Missing::InPart));
        let multiplexed = |before, after| count(before, after, false, true);
        assert_eq!(multiplexed(reading(5.0, 10, 10), scaled), Ok(CallCount { value: 4.0, scaled: true }));
        let estimate = |value, enabled, running| {
            Reading::Count(EventCount { value, enabled, running, flags: EventCount::SCALED })
        };
        let exact = multiplexed(estimate(5.0, 20, 15), estimate(9.0, 30, 25));
        assert_eq!(
            exact,
            Ok(CallCount { value: 4.0, scaled: false }),
            "estimated before, and counted all the time since"
        );
        let without_times = multiplexed(estimate(5.0, 1, 1), estimate(9.0, 1, 1));
        assert_eq!(without_times, Ok(CallCount { value: 4.0, scaled: true }), "it reports no times");
    }
}
