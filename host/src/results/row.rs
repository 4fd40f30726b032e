//! One repetition, as it was measured.

use assay_plugin_api::Field;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::columns::{Call, DERIVED};

// serde has a name `FIELDS` of its own.
use assay_plugin_api::{EXTRA_FIELDS, FIELDS as STANDARD_FIELDS};

/// One repetition, as measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Occurrences that the algorithm found.
    pub occurrences: u64,
    /// What each call cost, in the order of [`Call::ALL`].
    pub calls: [Cost; Call::ALL.len()],
    /// The times of an algorithm that takes its own, in the same order: where its calls begin and end is its own affair.
    pub own_ns: Option<[Option<u64>; Call::ALL.len()]>,
    /// What an instrumented algorithm measured; boxed, since there are many rows and most are timed.
    pub measured: Option<Box<Measured>>,
}

/// Whose clock the times of preparation and search are from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Clock {
    /// The host's.
    Host,
    /// The algorithm's own.
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

    /// Time of a call in nanoseconds, by the clock of whoever takes it; `None` if an algorithm did not take its own.
    pub fn ns(&self, call: Call) -> Option<u64> {
        self.own_ns.map_or(Some(self.call(call).ns), |own| own[call as usize])
    }

    /// Whose clock that is.
    pub fn clock(&self) -> Clock {
        if self.own_ns.is_some() { Clock::Own } else { Clock::Host }
    }

    /// Time of all calls in nanoseconds, by the host's clock. A worker whose memory is damaged may send any number.
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
    /// The figures of [`DERIVED`], for a text of `n` bytes.
    pub fn derived(&self, n: usize) -> [Option<f64>; DERIVED.len()] {
        [self.text_read_percent(n), self.average_jump(n)]
    }

    /// A figure that no search of a text of `n` bytes can have counted, in words: more jumps than bytes, or so much of anything
    /// that no search lasts so long.
    pub fn beyond_sense(&self, n: usize) -> Option<String> {
        /// The least whole number whose successor is no `f64`.
        const MOST: u64 = 1 << 53;
        let jumps = self.fields[Field::Jumps as usize].filter(|jumps| *jumps > n as u64);
        let jumps = jumps.map(|jumps| format!("{jumps} jumps in {n} bytes of text"));
        let standard = Field::ALL.iter().map(|field| field.name()).zip(self.fields);
        let all = standard.chain(std::iter::repeat("an extra field").zip(self.extra));
        let endless =
            || all.filter_map(|(name, figure)| Some((name, figure?))).find(|(_, figure)| *figure > MOST);
        jumps.or_else(|| endless().map(|(name, figure)| format!("{name}: {figure}")))
    }

    /// Share of a text of `n` bytes that was read, in percent; more than 100 where bytes are read more than once.
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
    fn figures_that_no_search_can_have_are_beyond_sense() {
        let with = |field: Field, figure| {
            let mut measured = Measured::default();
            measured.fields[field as usize] = Some(figure);
            measured.beyond_sense(10)
        };
        assert_eq!((Measured::default().beyond_sense(10), with(Field::Jumps, 10)), (None, None));
        assert_eq!(with(Field::Jumps, 11).unwrap(), "11 jumps in 10 bytes of text");
        assert_eq!(with(Field::Branches, 1 << 53), None);
        assert!(with(Field::Branches, u64::MAX).unwrap().ends_with(": 18446744073709551615"));
        let extra = Measured { extra: [Some(u64::MAX); EXTRA_FIELDS], ..Measured::default() };
        assert!(extra.beyond_sense(10).unwrap().starts_with("an extra field: "));
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
