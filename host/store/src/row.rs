//! One repetition, as it was measured.

use assay_base::columns::{Call, DERIVED};
use assay_experiment::points::Step;
use assay_plugin_api::Field;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

// serde has a name `FIELDS` of its own.
use assay_plugin_api::{EXTRA_FIELDS, FIELDS as STANDARD_FIELDS};

/// One repetition, as measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Occurrences that the algorithm found.
    pub occurrences: u64,
    /// What preparing and searching cost in all, in the order of [`Call::ALL`].
    pub calls: [Cost; Call::ALL.len()],
    /// What each call of the repetition cost by itself, in order; empty where it prepares once and searches
    /// once.
    pub each: Vec<Cost>,
    /// Occurrences that each of its searches found, in order; empty as well.
    pub found: Vec<u64>,
    /// The times of an algorithm that takes its own, in the same order: where its calls begin and end is its
    /// own affair.
    pub own_ns: Option<[Option<u64>; Call::ALL.len()]>,
    /// What an instrumented algorithm measured; boxed, since there are many rows and most are timed.
    pub measured: Option<Box<Measured>>,
}

/// The clock of the times of preparation and search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Clock {
    /// The clock of the host.
    Host,
    /// The clock of the algorithm.
    Own,
}

impl Clock {
    /// The name in results.
    pub fn name(self) -> &'static str {
        match self {
            Clock::Host => "host",
            Clock::Own => "own",
        }
    }
}

/// What a call cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Time in nanoseconds.
    pub ns: u64,
    /// What each counter counted; `None` where it did not count all the time.
    pub counts: Vec<Option<f64>>,
}

impl Row {
    /// What a call cost.
    pub fn call(&self, call: Call) -> &Cost {
        &self.calls[call as usize]
    }

    /// Time of a call in nanoseconds, by the clock of whoever takes it; `None` if an algorithm did not take
    /// its own.
    pub fn ns(&self, call: Call) -> Option<u64> {
        self.own_ns.map_or(Some(self.call(call).ns), |own| own[call as usize])
    }

    /// Time of all calls in nanoseconds by the clock of an algorithm that takes its own: of those that it
    /// took.
    pub fn own_total_ns(&self) -> Option<u64> {
        Some(self.own_ns?.into_iter().flatten().fold(0, u64::saturating_add))
    }

    /// Whose clock that is.
    pub fn clock(&self) -> Clock {
        if self.own_ns.is_some() { Clock::Own } else { Clock::Host }
    }

    /// A repetition of several calls: what each cost, and what each search found. A level is what was read
    /// last, and all else adds up; what is missing in one call is missing in all.
    pub fn of_calls(
        steps: &[Step],
        each: Vec<Cost>,
        found: Vec<u64>,
        is_level: impl Fn(usize) -> bool,
    ) -> Self {
        let all = |call: Call| {
            let mut costs =
                steps.iter().zip(&each).filter(|(step, _)| step.call == call).map(|(_, cost)| cost);
            let mut sum = costs.next().cloned().unwrap_or_default();
            for cost in costs {
                sum.ns = sum.ns.saturating_add(cost.ns);
                for (i, (all, count)) in sum.counts.iter_mut().zip(&cost.counts).enumerate() {
                    let together = |(all, count): (f64, f64)| if is_level(i) { count } else { all + count };
                    *all = all.zip(*count).map(together);
                }
            }
            sum
        };
        let occurrences = found.iter().fold(0, |sum: u64, found| sum.saturating_add(*found));
        Row { occurrences, calls: Call::ALL.map(all), each, found, ..Row::default() }
    }

    /// Time of all calls in nanoseconds, by the host's clock. A worker whose memory is damaged may send any
    /// number.
    pub fn total_ns(&self) -> u64 {
        self.calls.iter().fold(0, |sum, call| sum.saturating_add(call.ns))
    }
}

/// What an instrumented algorithm measured in one search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measured {
    /// Standard fields.
    pub fields: [Option<u64>; STANDARD_FIELDS],
    /// Extra fields.
    pub extra: [Option<u64>; EXTRA_FIELDS],
}

impl Measured {
    /// The sum of the measurements of two searches: a measurement that one of them does not have is missing.
    /// Tables are those of the preparation, and the same for both.
    pub fn and(&self, other: &Measured) -> Measured {
        let built =
            [Field::MemoryUsed, Field::LookupEntries, Field::LookupEntries2].map(|field| field as usize);
        let sum = |(one, other): (&Option<u64>, &Option<u64>)| Some((*one)?.saturating_add((*other)?));
        let mut fields: Vec<_> = self.fields.iter().zip(&other.fields).map(sum).collect();
        built.into_iter().for_each(|field| fields[field] = other.fields[field]);
        let mut extra = self.extra.iter().zip(&other.extra).map(sum);
        Measured {
            fields: std::array::from_fn(|i| fields[i]),
            extra: std::array::from_fn(|_| extra.next().flatten()),
        }
    }

    /// The figures of [`DERIVED`], for a text of `n` bytes.
    pub fn derived(&self, n: usize) -> [Option<f64>; DERIVED.len()] {
        [self.text_read_percent(n), self.average_jump(n)]
    }

    /// Share of a text of `n` bytes that was read, in percent; more than 100 where bytes are read more than
    /// once.
    fn text_read_percent(&self, n: usize) -> Option<f64> {
        let read = self.fields[Field::TextBytesRead as usize]?;
        Some(100.0 * read as f64 / n as f64)
    }

    /// Length of a text of `n` bytes over the number of jumps; `None` without jumps.
    fn average_jump(&self, n: usize) -> Option<f64> {
        let jumps = self.fields[Field::Jumps as usize].filter(|jumps| *jumps > 0)?;
        Some(n as f64 / jumps as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_jumps_have_no_average() {
        let mut measured = Measured::default();
        assert_eq!((measured.text_read_percent(10), measured.average_jump(10)), (None, None));
        measured.fields[Field::Jumps as usize] = Some(0);
        measured.fields[Field::TextBytesRead as usize] = Some(5);
        assert_eq!((measured.text_read_percent(10), measured.average_jump(10)), (Some(50.0), None));
    }

    #[test]
    fn an_algorithm_that_takes_its_own_times_is_believed_for_each_call_and_not_for_both() {
        let cost = |ns| Cost { ns, counts: Vec::new() };
        let host = Row { calls: [cost(3), cost(40)], ..Row::default() };
        let own = Row { own_ns: Some([Some(10), None]), ..host.clone() };
        let times = |row: &Row| (row.clock(), Call::ALL.map(|call| row.ns(call)), row.total_ns());
        assert_eq!(times(&host), (Clock::Host, [Some(3), Some(40)], 43));
        assert_eq!(times(&own), (Clock::Own, [Some(10), None], 43));
    }

    #[test]
    fn calls_of_a_kind_add_up_and_a_level_is_what_was_read_last() {
        let cost = |ns, counts: &[Option<f64>]| Cost { ns, counts: counts.to_vec() };
        let step = |call| Step { call, text: 0 };
        let steps = [Call::Prepare, Call::Search, Call::Search].map(step);
        let each = vec![
            cost(5, &[Some(1.0), Some(2.0), None]),
            cost(10, &[Some(3.0), Some(50.0), Some(1.0)]),
            cost(20, &[Some(4.0), Some(40.0), None]),
        ];
        let row = Row::of_calls(&steps, each, vec![7, 8], |counter| counter == 1);
        assert_eq!((row.occurrences, row.total_ns()), (15, 35));
        assert_eq!(*row.call(Call::Prepare), cost(5, &[Some(1.0), Some(2.0), None]));
        assert_eq!(*row.call(Call::Search), cost(30, &[Some(7.0), Some(40.0), None]));
    }

    #[test]
    fn searches_are_counted_together_and_tables_once() {
        let counted = |memory, jumps| {
            let mut measured = Measured::default();
            measured.fields[Field::MemoryUsed as usize] = Some(memory);
            measured.fields[Field::Jumps as usize] = jumps;
            measured
        };
        let figure = |measured: Measured, field: Field| measured.fields[field as usize];
        let both = counted(256, Some(3)).and(&counted(256, Some(4)));
        assert_eq!((figure(both, Field::MemoryUsed), figure(both, Field::Jumps)), (Some(256), Some(7)));
        assert_eq!(figure(counted(256, Some(3)).and(&counted(256, None)), Field::Jumps), None);
    }

    #[test]
    fn the_times_of_a_damaged_row_add_up_without_overflow() {
        let cost = |ns| Cost { ns, counts: Vec::new() };
        let row = |calls| Row { calls, ..Row::default() };
        assert_eq!(row([cost(3), cost(4)]).total_ns(), 7);
        assert_eq!(row([cost(u64::MAX), cost(4)]).total_ns(), u64::MAX);
    }

    #[test]
    fn what_is_derived_is_a_share_of_the_text_and_a_mean_jump() {
        let mut measured = Measured::default();
        measured.fields[Field::TextBytesRead as usize] = Some(30);
        measured.fields[Field::Jumps as usize] = Some(8);
        assert_eq!(measured.derived(20), [Some(150.0), Some(2.5)]);
    }
}
