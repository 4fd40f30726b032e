//! The counters of a worker: sets of events that are open, and what they read around the calls.

use std::cmp::Reverse;
use std::ops::Range;

use assay_base::columns::Call;
use assay_load::plugin::CounterSet;
use assay_load::process::end_with_parent;
use assay_plugin_api::EventCount;
use assay_store::counting::{CountFaults, Missing};

use super::clock::now_ns;
use super::protocol::{BackendFault, CounterSetup, EventKind, Portion};
use super::shared::{Deed, Heartbeat, Phase};

/// All counters around the calls of a repetition.
pub(super) struct Counters {
    /// In the order of their readings before a call.
    open: Vec<OpenSet>,
    /// How the counts of the events are to be read, in the order of their columns.
    kinds: Vec<EventKind>,
    /// Whether events may take turns.
    multiplex: bool,
    /// Before and after each call of a repetition.
    readings: Vec<[Reading; 2]>,
    /// Before and after the measured repetitions of a block, of what is counted around all of them; and when.
    around: [(Reading, u64); 2],
}

/// An open set of events.
struct OpenSet {
    set: CounterSet,
    /// Its number in the setup.
    number: usize,
    /// Where its events are among those of all sets.
    places: Range<usize>,
    /// Whether any of its events is counted around each call ..
    by_call: bool,
    /// .. and any around all repetitions of a block.
    by_round: bool,
    /// Whether it was started, and not stopped since.
    runs: bool,
}

/// A reading of all counters.
type Reading = Vec<Read>;

/// A reading of one counter.
#[derive(Clone, Copy, Debug, Default)]
enum Read {
    /// Its backend is not used.
    #[default]
    Not,
    /// Its backend failed to read.
    Failed,
    Count(EventCount),
}

/// What a call cost.
#[derive(Clone, Copy, Debug, PartialEq)]
struct CounterCost {
    value: f64,
    /// Whether it was counted for a part of the time, and scaled up.
    scaled: bool,
}

impl Counters {
    /// Opens the sets that are to be used.
    ///
    /// # Errors
    /// What the first backend did that failed.
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
                heartbeat.enter(Phase::Counters(number, Deed::Open));
                let set =
                    setup.part.open(cpu).map_err(|fault| BackendFault { number, deed: Deed::Open, fault })?;
                end_with_parent();
                let by_round = setup.kinds.iter().any(|kind| kind.per_round);
                let by_call = !setup.kinds.iter().all(|kind| kind.per_round);
                open.push(OpenSet { set, number, places, by_call, by_round, runs: false });
            }
        }
        let reading = || vec![Read::Not; kinds.len()];
        let readings = Vec::new();
        let multiplex = setups.iter().any(|setup| setup.part.multiplex);
        let around = std::array::from_fn(|_| (reading(), 0));
        let mut counters = Counters { open, kinds, multiplex, readings, around };
        // Each is tried by itself: what fails now costs no repetition.
        counters.read_times(1, u64::MAX, heartbeat)?;
        counters.nest(|number| setups[number].price_ns);
        heartbeat.enter(Phase::Idle);
        Ok(counters)
    }

    /// Puts the backends into the order of their readings: the dearest first. Of equals, and of those of which no price is
    /// known, the first that was asked for.
    pub(crate) fn nest(&mut self, price_ns: impl Fn(usize) -> Option<u64>) {
        self.open.sort_by_key(|open| (Reverse(price_ns(open.number)), open.number));
    }

    /// How long each of several readings of each set takes in nanoseconds, by the number of the set; fewer readings where they take long.
    ///
    /// # Errors
    /// What the first backend did that failed.
    pub(crate) fn read_times(
        &mut self,
        times: usize,
        enough_ns: u64,
        heartbeat: &Heartbeat,
    ) -> Result<Vec<(usize, Vec<u64>)>, BackendFault> {
        let mut reading = vec![Read::Not; self.kinds.len()];
        let of_set = |open: &mut OpenSet| {
            open.does(Deed::Start, heartbeat, CounterSet::start)?;
            heartbeat.enter(Phase::Counters(open.number, Deed::Read));
            let begun = now_ns();
            let mut taken = Vec::with_capacity(times);
            while taken.len() < times && (taken.is_empty() || now_ns() - begun <= enough_ns) {
                let start = now_ns();
                open.read(&mut reading);
                taken.push(now_ns() - start);
            }
            end_with_parent();
            open.does(Deed::Stop, heartbeat, CounterSet::stop)?;
            Ok((open.number, taken))
        };
        self.open.iter_mut().map(of_set).collect()
    }

    /// Makes room for the readings around the calls of a repetition.
    pub(super) fn expect(&mut self, calls: usize) {
        let reading = || vec![Read::Not; self.kinds.len()];
        self.readings.resize_with(calls, || [reading(), reading()]);
    }

    /// Whether what an event counts is a level.
    pub(super) fn is_level(&self, event: usize) -> bool {
        self.kinds[event].instant
    }

    /// Starts all sets.
    ///
    /// # Errors
    /// What the first backend did that failed.
    pub(super) fn start(&mut self, heartbeat: &Heartbeat) -> Result<(), BackendFault> {
        self.open.iter_mut().try_for_each(|open| {
            open.does(Deed::Start, heartbeat, CounterSet::start)?;
            open.runs = true;
            Ok(())
        })
    }

    /// Stops all sets that run.
    ///
    /// # Errors
    /// What the first backend did that failed.
    pub(super) fn stop(&mut self, heartbeat: &Heartbeat) -> Result<(), BackendFault> {
        // Who ended it until now is not known.
        end_with_parent();
        let mut stopped = Ok(());
        for open in self.open.iter_mut().filter(|open| open.runs) {
            open.runs = false;
            // The others are stopped all the same.
            let outcome = open.does(Deed::Stop, heartbeat, CounterSet::stop);
            stopped = stopped.and(outcome);
        }
        stopped
    }

    /// Closes the set of a backend.
    pub(crate) fn leave_out(&mut self, number: usize) {
        self.open.retain(|open| open.number != number);
        let around = self.around.iter_mut().map(|(reading, _)| reading);
        let all = self.readings.iter_mut().flatten().chain(around);
        all.flatten().for_each(|read| *read = Read::Not);
    }

    /// Reads all before a call of a repetition, the cheapest last ..
    #[inline]
    pub(crate) fn read_before(&mut self, call: usize, heartbeat: &Heartbeat) {
        for open in self.open.iter_mut().filter(|open| open.by_call) {
            heartbeat.enter(Phase::Counters(open.number, Deed::Read));
            open.read(&mut self.readings[call][0]);
        }
    }

    /// .. and after it, the cheapest first: so its count includes the reading of no other.
    #[inline]
    pub(crate) fn read_after(&mut self, call: usize, heartbeat: &Heartbeat) {
        for open in self.open.iter_mut().rev().filter(|open| open.by_call) {
            heartbeat.enter(Phase::Counters(open.number, Deed::Read));
            open.read(&mut self.readings[call][1]);
        }
    }

    /// Whether anything is counted around all repetitions of a block: their rows are not complete before its end.
    pub(crate) fn any_by_round(&self) -> bool {
        self.open.iter().any(|open| open.by_round)
    }

    /// Reads what is counted around all repetitions of a block, before them or after.
    pub(crate) fn read_around(&mut self, after: bool, heartbeat: &Heartbeat) {
        let (reading, at) = &mut self.around[usize::from(after)];
        for open in self.open.iter_mut().filter(|open| open.by_round) {
            heartbeat.enter(Phase::Counters(open.number, Deed::Read));
            open.read(reading);
        }
        *at = now_ns();
        heartbeat.enter(Phase::Idle);
    }

    /// Shares what was counted around all repetitions of a block among their rows, which have it for their search. `torn` says
    /// that a pause lay among them.
    pub(super) fn share(&self, portion: &mut Portion, torn: bool) {
        let Portion { rows, faults } = portion;
        faults.resize(self.kinds.len(), CountFaults::default());
        let [(before, begun), (after, ended)] = &self.around;
        for (i, kind) in self.kinds.iter().enumerate().filter(|(_, kind)| kind.per_round) {
            let outcome = match cost(before[i], after[i], kind.instant, self.multiplex) {
                Ok(_) if ended - begun < GRAINS * kind.grain_ns => Err(Missing::TooShort),
                Ok(_) if torn => Err(Missing::Torn),
                outcome => outcome,
            };
            let parts = if kind.instant { 1.0 } else { rows.len() as f64 };
            let part = outcome.ok().map(|cost| cost.value / parts);
            for row in &mut *rows {
                row.calls[Call::Search as usize].counts[i] = part;
                faults[i].note(outcome.map(|cost| cost.scaled));
            }
        }
    }

    /// What a call cost, from the readings around it.
    pub(super) fn costs(&self, call: usize) -> Vec<Option<f64>> {
        self.outcomes(call).map(|outcome| Some(outcome.ok()?.value)).collect()
    }

    /// Notes what became of the counts of a repetition; of what is counted around all, that is known at their end.
    pub(super) fn note(&self, calls: Range<usize>, faults: &mut Vec<CountFaults>) {
        faults.resize(self.kinds.len(), CountFaults::default());
        for call in calls {
            let outcomes = faults.iter_mut().zip(self.outcomes(call)).zip(&self.kinds);
            for ((faults, outcome), _) in outcomes.filter(|(_, kind)| !kind.per_round) {
                faults.note(outcome.map(|cost| cost.scaled));
            }
        }
    }

    fn outcomes(&self, call: usize) -> impl Iterator<Item = Result<CounterCost, Missing>> + '_ {
        let [before, after] = &self.readings[call];
        let readings = before.iter().zip(after).zip(&self.kinds);
        readings.map(|((before, after), kind)| {
            if kind.per_round {
                Err(Missing::Told)
            } else {
                cost(*before, *after, kind.instant, self.multiplex)
            }
        })
    }
}

/// A block that is shorter than this many grains of an event says nothing about it.
const GRAINS: u64 = 10;

/// What a call cost, from the readings around it. A counter that did not count all the time counted nothing usable, unless it
/// was scaled up and `multiplex` was asked for; nor did one that has begun again from zero, or says what can't be: no number,
/// less than before, or that it counted for longer than it was meant to.
fn cost(before: Read, after: Read, instant: bool, multiplex: bool) -> Result<CounterCost, Missing> {
    let (before, after) = match (before, after) {
        (Read::Count(before), Read::Count(after)) => (before, after),
        (Read::Failed, _) | (_, Read::Failed) => return Err(Missing::NotRead),
        (Read::Not, _) | (_, Read::Not) => return Err(Missing::Told),
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
        // What was estimated before is in both readings alike. Who tells no times is believed.
        Some(0) => scaled &= after.enabled == before.enabled,
        Some(_) if scaled => {}
        Some(_) => return Err(Missing::InPart),
        None => return Err(Missing::RanTooLong),
    }
    let value = if instant { after.value } else { after.value - before.value };
    match value.is_finite() {
        false => Err(Missing::NotANumber),
        true if instant || value >= 0.0 => Ok(CounterCost { value, scaled }),
        true => Err(Missing::WentBackwards),
    }
}

impl OpenSet {
    /// Reads the set to its places.
    #[inline]
    fn read(&mut self, reading: &mut Reading) {
        let places = &mut reading[self.places.clone()];
        match self.set.read() {
            Ok(counts) => {
                places.iter_mut().zip(counts).for_each(|(place, count)| *place = Read::Count(*count))
            }
            Err(_) => places.fill(Read::Failed),
        }
    }

    fn does(
        &mut self,
        deed: Deed,
        heartbeat: &Heartbeat,
        call: fn(&mut CounterSet) -> Result<(), String>,
    ) -> Result<(), BackendFault> {
        heartbeat.enter(Phase::Counters(self.number, deed));
        let answer = call(&mut self.set);
        end_with_parent();
        heartbeat.enter(Phase::Idle);
        answer.map_err(|fault| BackendFault { number: self.number, deed, fault })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_that_did_not_count_all_the_time_is_missing_and_one_that_can_t_be_is_told() {
        let cost = |before, after, instant| cost(before, after, instant, false).map(|cost| cost.value);
        let count = |value, enabled, running| Read::Count(EventCount { value, enabled, running, flags: 0 });
        assert_eq!(cost(count(5.0, 10, 10), count(9.0, 20, 20), false), Ok(4.0));
        assert_eq!(cost(count(5.0, 1, 1), count(9.0, 1, 1), false), Ok(4.0));
        assert_eq!(cost(count(5.0, 1, 1), count(9.0, 1, 1), true), Ok(9.0));
        assert_eq!(cost(count(5.0, 10, 10), count(9.0, 20, 15), false), Err(Missing::InPart));
        assert_eq!(cost(count(0.0, 10, 0), count(0.0, 20, 0), false), Err(Missing::InPart));
        assert_eq!(cost(Read::Not, count(0.0, 1, 1), false), Err(Missing::Told));
        assert_eq!(cost(count(0.0, 1, 1), Read::Failed, false), Err(Missing::NotRead));
        assert_eq!(cost(count(1029.0, 1, 1), count(5.0, 1, 1), false), Err(Missing::WentBackwards));
        assert_eq!(cost(count(1029.0, 1, 1), count(5.0, 1, 1), true), Ok(5.0), "a level may fall");
        assert_eq!(cost(count(5.0, 10, 12), count(9.0, 20, 22), false), Err(Missing::RanTooLong));
        assert_eq!(cost(count(5.0, 10, 5), count(9.0, 20, 18), false), Err(Missing::RanTooLong));
        for strange in [f64::NAN, f64::INFINITY] {
            for instant in [true, false] {
                let missing = cost(count(5.0, 1, 1), count(strange, 1, 1), instant);
                assert_eq!(missing, Err(Missing::NotANumber));
            }
            assert_eq!(cost(count(strange, 1, 1), count(5.0, 1, 1), false), Err(Missing::NotANumber));
        }
        let flagged = |flags, running| Read::Count(EventCount { value: 9.0, enabled: 20, running, flags });
        for flags in [EventCount::MISSING, EventCount::WRAPPED] {
            assert_eq!(cost(count(5.0, 10, 10), flagged(flags, 20), false), Err(Missing::Told));
        }
        let scaled = flagged(EventCount::SCALED, 15);
        assert_eq!(cost(count(5.0, 10, 10), scaled, false), Err(Missing::InPart));
        let asked = |before, after| super::cost(before, after, false, true);
        assert_eq!(asked(count(5.0, 10, 10), scaled), Ok(CounterCost { value: 4.0, scaled: true }));
        let estimate = |value, enabled, running| {
            Read::Count(EventCount { value, enabled, running, flags: EventCount::SCALED })
        };
        let exact = asked(estimate(5.0, 20, 15), estimate(9.0, 30, 25));
        assert_eq!(
            exact,
            Ok(CounterCost { value: 4.0, scaled: false }),
            "estimated before, and counted all the time since"
        );
        let without_times = asked(estimate(5.0, 1, 1), estimate(9.0, 1, 1));
        assert_eq!(without_times, Ok(CounterCost { value: 4.0, scaled: true }), "it tells no times");
    }
}
