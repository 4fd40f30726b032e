//! The counters of a worker: sets of events that are open, and what they read around the calls.

use std::cmp::Reverse;
use std::ops::Range;

use assay_plugin_api::EventCount;

use super::clock::now_ns;
use super::protocol::{BackendFault, CounterSetup};
use super::shared::{Deed, Heartbeat, Phase};
use crate::columns::Call;
use crate::plugin::CounterSet;
use crate::process::end_with_parent;
use crate::results::counting::CountFaults;

/// All counters around the calls of a repetition.
pub struct Counters {
    /// The costliest to read first.
    open: Vec<OpenSet>,
    /// Which events are levels, in the order of their columns.
    instants: Vec<bool>,
    /// Whether events may take turns.
    multiplex: bool,
    /// Before and after each call.
    readings: [[Reading; 2]; Call::ALL.len()],
}

/// An open set of events.
struct OpenSet {
    set: CounterSet,
    /// Its number in the setup.
    number: usize,
    /// Where its events are among those of all sets.
    places: Range<usize>,
    /// What a reading takes.
    price_ns: u64,
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
struct Cost {
    value: f64,
    /// Whether it was counted for a part of the time, and scaled up.
    scaled: bool,
}

/// Why a count is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Missing {
    /// Its backend is not used, or says so.
    Told,
    NotRead,
    NotANumber,
    WentBackwards,
    RanTooLong,
    InPart,
}

impl Counters {
    /// Opens the sets that are to be used.
    ///
    /// # Errors
    /// What the first backend did that failed.
    pub fn open(
        setups: &[CounterSetup],
        cpu: Option<usize>,
        heartbeat: &Heartbeat,
    ) -> Result<Self, BackendFault> {
        let instants: Vec<bool> = setups.iter().flat_map(|setup| &setup.instants).copied().collect();
        let (mut open, mut first) = (Vec::new(), 0);
        for (number, setup) in setups.iter().enumerate() {
            let places = first..first + setup.instants.len();
            first = places.end;
            if setup.used {
                heartbeat.enter(Phase::Counters(number, Deed::Open));
                let set =
                    setup.part.open(cpu).map_err(|fault| BackendFault { number, deed: Deed::Open, fault })?;
                end_with_parent();
                open.push(OpenSet { set, number, places, price_ns: 0 });
            }
        }
        let reading = || vec![Read::Not; instants.len()];
        let readings = std::array::from_fn(|_| [reading(), reading()]);
        let multiplex = setups.iter().any(|setup| setup.part.multiplex);
        let mut counters = Counters { open, instants, multiplex, readings };
        counters.take_prices(heartbeat)?;
        heartbeat.enter(Phase::Idle);
        Ok(counters)
    }

    /// Takes the quickest of a few readings.
    fn take_prices(&mut self, heartbeat: &Heartbeat) -> Result<(), BackendFault> {
        let mut reading = vec![Read::Not; self.instants.len()];
        for open in &mut self.open {
            open.does(Deed::Start, heartbeat, CounterSet::start)?;
            heartbeat.enter(Phase::Counters(open.number, Deed::Read));
            let mut time = |_| {
                let start = now_ns();
                open.read(&mut reading);
                now_ns() - start
            };
            open.price_ns = (0..10).map(&mut time).min().unwrap_or(0);
            end_with_parent();
            open.does(Deed::Stop, heartbeat, CounterSet::stop)?;
        }
        self.open.sort_by_key(|open| Reverse(open.price_ns));
        Ok(())
    }

    /// Starts all sets.
    ///
    /// # Errors
    /// What the first backend did that failed.
    pub fn start(&mut self, heartbeat: &Heartbeat) -> Result<(), BackendFault> {
        self.open.iter_mut().try_for_each(|open| open.does(Deed::Start, heartbeat, CounterSet::start))
    }

    /// Stops all sets.
    ///
    /// # Errors
    /// What the first backend did that failed.
    pub fn stop(&mut self, heartbeat: &Heartbeat) -> Result<(), BackendFault> {
        // Who ended it until now is not known.
        end_with_parent();
        self.open.iter_mut().try_for_each(|open| open.does(Deed::Stop, heartbeat, CounterSet::stop))
    }

    /// Closes the set of a backend.
    pub fn leave_out(&mut self, number: usize) {
        self.open.retain(|open| open.number != number);
        self.readings.iter_mut().flatten().flatten().for_each(|read| *read = Read::Not);
    }

    /// Reads all before a call, the cheapest last ..
    #[inline]
    pub fn read_before(&mut self, call: Call, heartbeat: &Heartbeat) {
        for open in &mut self.open {
            heartbeat.enter(Phase::Counters(open.number, Deed::Read));
            open.read(&mut self.readings[call as usize][0]);
        }
    }

    /// .. and after it, the cheapest first: so its count includes the reading of no other.
    #[inline]
    pub fn read_after(&mut self, call: Call, heartbeat: &Heartbeat) {
        for open in self.open.iter_mut().rev() {
            heartbeat.enter(Phase::Counters(open.number, Deed::Read));
            open.read(&mut self.readings[call as usize][1]);
        }
    }

    /// What a call cost, from the readings around it.
    pub fn costs(&self, call: Call) -> Vec<Option<f64>> {
        self.outcomes(call).map(|outcome| Some(outcome.ok()?.value)).collect()
    }

    /// Notes what became of the counts of a repetition.
    pub fn note(&self, calls: &[Call], faults: &mut Vec<CountFaults>) {
        faults.resize(self.instants.len(), CountFaults::default());
        for call in calls {
            for (faults, outcome) in faults.iter_mut().zip(self.outcomes(*call)) {
                faults.taken += 1;
                match outcome {
                    Ok(Cost { scaled, .. }) => faults.scaled += u64::from(scaled),
                    Err(Missing::Told) => {}
                    Err(Missing::NotRead) => faults.not_read += 1,
                    Err(Missing::NotANumber) => faults.not_a_number += 1,
                    Err(Missing::WentBackwards) => faults.went_backwards += 1,
                    Err(Missing::RanTooLong) => faults.ran_too_long += 1,
                    Err(Missing::InPart) => faults.in_part += 1,
                }
            }
        }
    }

    fn outcomes(&self, call: Call) -> impl Iterator<Item = Result<Cost, Missing>> + '_ {
        let [before, after] = &self.readings[call as usize];
        let readings = before.iter().zip(after).zip(&self.instants);
        readings.map(|((before, after), instant)| cost(*before, *after, *instant, self.multiplex))
    }
}

/// What a call cost, from the readings around it. A counter that did not count all the time counted nothing usable, unless it
/// was scaled up and `multiplex` was asked for; nor did one that has begun again from zero, or says what can't be: no number,
/// less than before, or that it counted for longer than it was meant to.
fn cost(before: Read, after: Read, instant: bool, multiplex: bool) -> Result<Cost, Missing> {
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
    let scaled = flags & EventCount::SCALED != 0;
    let idle = |count: EventCount| count.enabled.checked_sub(count.running).ok_or(Missing::RanTooLong);
    match idle(after)?.checked_sub(idle(before)?) {
        Some(0) => {}
        Some(_) if scaled => {}
        Some(_) => return Err(Missing::InPart),
        None => return Err(Missing::RanTooLong),
    }
    let value = if instant { after.value } else { after.value - before.value };
    match value.is_finite() {
        false => Err(Missing::NotANumber),
        true if instant || value >= 0.0 => Ok(Cost { value, scaled }),
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
        let asked = super::cost(count(5.0, 10, 10), scaled, false, true);
        assert_eq!(asked, Ok(Cost { value: 4.0, scaled: true }));
    }
}
