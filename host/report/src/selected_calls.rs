//! A report on one call of a repetition, which then stands for all calls of its kind: ranks, comparisons and
//! pictures of the calls of this kind are those of this call.

use std::sync::Arc;

use assay_base::error::{Error, Result, unknown};
use assay_store::range::sumrange_values;

use super::rawdata::RawData;
use super::{Call, Report};

/// The calls of one kind that a report includes.
#[derive(Debug)]
pub(super) struct SelectedCalls {
    /// Their names: `search3`.
    pub name: String,
    /// Their kind.
    pub kind: Call,
    /// Their numbers among the calls of a repetition.
    pub numbers: Vec<usize>,
    /// The columns of each counter around these calls: `[counter][call]`.
    columns: Vec<Vec<usize>>,
}

impl SelectedCalls {
    /// The columns of a counter around these calls.
    pub(super) fn columns(&self, counter: usize) -> &[usize] {
        &self.columns[counter]
    }
}

impl Report {
    /// The names of the calls of a repetition, as `--call` and the columns have them: `prepare`, `search1` ..
    pub fn call_names(&self) -> Vec<&str> {
        match self.facts.calls.as_slice() {
            [] => Call::ALL.map(Call::name).to_vec(),
            calls => calls.iter().map(|call| call.name.as_str()).collect(),
        }
    }

    /// The report in which the call of this name stands for all calls of its kind, and this kind.
    ///
    /// # Errors
    /// If the repetitions of the run have no such call.
    pub fn select_call(&self, name: &str) -> Result<(Self, Call)> {
        let names = self.call_names();
        match names.iter().position(|known| *known == name) {
            Some(number) => Ok(self.select(&[number])),
            None => Err(unknown("call", name, names.into_iter().chain(["all"]))),
        }
    }

    /// As [`select_call`](Self::select_call), for the number of a call at a value of the sum-range: the calls
    /// of this number at all its values together.
    ///
    /// # Errors
    /// If there is no such call.
    pub fn select_call_number(&self, number: usize) -> Result<(Self, Call)> {
        let all = self.call_names().len();
        let at_each_value = all / sumrange_values(&self.facts.calls);
        if number >= at_each_value {
            return Err(Error::new(format!(
                "there is no call {number}: the calls are 0 to {}",
                at_each_value - 1
            )));
        }
        Ok(self.select(&(number..all).step_by(at_each_value).collect::<Vec<_>>()))
    }

    /// The report in which the calls of these numbers, which are all of one kind, stand for their kind.
    fn select(&self, numbers: &[usize]) -> (Self, Call) {
        let calls = &self.facts.calls;
        let kind = if calls.is_empty() { Call::ALL[numbers[0]] } else { calls[numbers[0]].call };
        let of_kind = calls.iter().filter(|call| call.call == kind).count().max(1);
        let mut report = self.clone();
        // All calls of a kind have its columns, its texts and its operations already.
        report.selected = (numbers.len() < of_kind).then(|| {
            let names: Vec<&str> = numbers.iter().map(|number| calls[*number].name.as_str()).collect();
            let counters = 0..self.rawdata().counters().len();
            let columns =
                |counter| names.iter().map(|name| self.rawdata().column_of_call(counter, name)).collect();
            Arc::new(SelectedCalls {
                name: names.join(" + "),
                kind,
                numbers: numbers.to_vec(),
                columns: counters.map(columns).collect(),
            })
        });
        report.whole = self.whole.as_ref().map(|whole| Arc::new(whole.select(numbers).0));
        (report, kind)
    }

    /// What stands for the calls of this kind, if it is not all of them.
    pub(super) fn selection(&self, call: Option<Call>) -> Option<&SelectedCalls> {
        self.selected.as_deref().filter(|selected| call == Some(selected.kind))
    }

    /// The name of the calls that figures include: `search`, `search3`, or `all`.
    pub fn call_name(&self, call: Option<Call>) -> &str {
        match self.selection(call) {
            Some(selected) => &selected.name,
            None => call.map_or("all", Call::name),
        }
    }

    /// The name of the single call that stands for this kind; `None` if all calls of the kind are included.
    pub fn selected_call(&self, call: Option<Call>) -> Option<&str> {
        self.selection(call).map(|selected| selected.name.as_str())
    }

    /// How many bytes these calls search at a range value; `None` if the run did not record it for each call.
    pub(super) fn text_length(&self, value: u64, call: Option<Call>) -> Option<f64> {
        let bytes: Option<usize> = match self.selection(call) {
            Some(selected) => {
                selected.numbers.iter().map(|number| self.facts.call_bytes(value, *number)).sum()
            }
            None => Some(self.facts.searched_bytes(value)),
        };
        bytes.map(|bytes| bytes as f64)
    }

    /// How many operations these calls do at a range value. Only searches do operations, so a preparation has
    /// none.
    pub(super) fn operations(&self, value: u64, call: Option<Call>) -> Option<f64> {
        match self.selection(call) {
            _ if call == Some(Call::Prepare) => None,
            Some(selected) => {
                selected.numbers.iter().map(|number| self.facts.operations_of_call(value, *number)).sum()
            }
            None => self.facts.operations(value),
        }
    }
}

impl RawData {
    /// The column of a counter around the call of this name.
    ///
    /// # Panics
    /// If there is no such counter or call.
    pub(super) fn column_of_call(&self, counter: usize, name: &str) -> usize {
        // A call that is the only one of its kind has the columns of that kind.
        if let Some(call) = Call::ALL.into_iter().find(|call| call.name() == name) {
            return self.column_of(counter, call);
        }
        let column = self.counters()[counter].column_of_call(name);
        self.column(&column).expect("each call has its columns")
    }
}
