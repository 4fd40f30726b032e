//! Where the inputs of a metric come from.

use assay_base::error::Result;
use assay_plugin_api::inputs;

use super::{Call, Data, Report};

/// Source of an input of a metric.
#[derive(Clone, Copy)]
pub(super) enum NumberSource {
    /// A counter, by its number in [`RawData::counters`](super::RawData::counters).
    Counter(usize),
    /// A column, by its number.
    Column(usize),
    /// The length of what the calls search.
    TextLength,
    /// A function of the range value alone.
    RangeValue(fn(&Report, u64) -> f64),
    /// The operations of the searches.
    Operations,
    /// The same number everywhere.
    Constant(f64),
}

impl NumberSource {
    /// The values of this input in each repetition at a range value.
    pub(super) fn values(
        self,
        report: &Report,
        data: Data<'_>,
        range: usize,
        call: Option<Call>,
    ) -> Result<Vec<Option<f64>>> {
        let at_value = |value| Ok(vec![value; data.repetitions(range)]);
        match self {
            NumberSource::Counter(counter) => data.counts(range, call, counter),
            NumberSource::Column(column) => data.column(range, column),
            NumberSource::TextLength => at_value(report.text_length(data.range_value(range), call)),
            NumberSource::RangeValue(value_at) => at_value(Some(value_at(report, data.range_value(range)))),
            NumberSource::Operations => at_value(report.operations(data.range_value(range), call)),
            NumberSource::Constant(value) => at_value(Some(value)),
        }
    }
}

impl Report {
    /// A counter, or another column of numbers, by its name.
    pub(super) fn measured(&self, name: &str) -> Option<NumberSource> {
        let counter = self.rawdata().counters().iter().position(|counter| counter.name == name);
        counter.map(NumberSource::Counter).or_else(|| self.rawdata().column(name).map(NumberSource::Column))
    }

    /// The input of a metric by name; `None` if it was not measured.
    pub(super) fn input(&self, name: &str) -> Option<NumberSource> {
        match name {
            // The times of a simulation are not times of this machine.
            inputs::NS if !self.facts.has_times() => None,
            inputs::TEXT_LENGTH => Some(NumberSource::TextLength),
            inputs::PATTERN_LENGTH => Some(NumberSource::RangeValue(|report, value| {
                report.facts.at(value).map_or(value, |at| at.pattern_length as u64) as f64
            })),
            // A run records the occurrences of all searches together.
            inputs::OCCURRENCES if self.selected.is_some() => None,
            inputs::OCCURRENCES => self.rawdata().column(name).map(NumberSource::Column),
            inputs::THREADS => Some(NumberSource::RangeValue(|report, value| {
                f64::from(report.facts.at(value).map_or(report.facts.threads, |at| at.threads))
            })),
            inputs::FLOPS => {
                let definition = self.facts.definition.as_ref()?;
                let declared = definition.complexity.is_some() || definition.calls_have_complexity();
                declared.then_some(NumberSource::Operations)
            }
            inputs::PEAK_GFLOPS => self.facts.definition.as_ref()?.peak_gflops.map(NumberSource::Constant),
            inputs::CORE_HZ => self.facts.machine.core_hz.map(NumberSource::Constant),
            inputs::TSC_HZ => self.facts.machine.tsc_hz.map(NumberSource::Constant),
            _ => {
                let mut counters = self.rawdata().counters().iter().enumerate();
                let found = counters.find(|(number, counter)| {
                    let event = counter.name.split_once(':').map(|(_, event)| event);
                    (counter.name == name || event == Some(name)) && self.rawdata().counted(*number)
                });
                found.map(|(number, _)| NumberSource::Counter(number))
            }
        }
    }
}
