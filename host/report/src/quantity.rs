//! The number that a report takes from each repetition: a metric, or a measured column.

use std::borrow::Cow;

use assay_base::columns::{self, TOTAL_NS};
use assay_load::plugin;
use assay_plugin_api::inputs;

use super::number_source::NumberSource;
use super::{Call, Counter, Report, SetFormula, blocks};

/// One number of each repetition.
#[derive(Clone, Debug)]
pub enum Quantity {
    /// Computed by a metric.
    Metric(plugin::Metric),
    /// Computed by the formula of an event set.
    Formula(Box<SetFormula>),
    /// A counter by its name, or another column of numbers.
    Measured(String),
}

impl Quantity {
    /// The id of the metric, or the name of the counter or column.
    pub fn name(&self) -> &str {
        match self {
            Quantity::Metric(metric) => &metric.facts.id,
            Quantity::Formula(formula) => &formula.id,
            Quantity::Measured(name) => name,
        }
    }

    /// The names of the inputs of its formula; empty for a measured column, which has no formula.
    pub(crate) fn inputs(&self) -> &[String] {
        match self {
            Quantity::Metric(metric) => &metric.inputs,
            Quantity::Formula(formula) => &formula.inputs,
            Quantity::Measured(_) => &[],
        }
    }
}

impl Report {
    /// The unit of a quantity; empty for plain numbers, and where the run recorded none. A metric of an event
    /// has the unit of the counter that serves the event: for example, `cycles` may be ticks.
    pub fn unit<'a>(&'a self, quantity: &'a Quantity) -> Cow<'a, str> {
        match quantity {
            Quantity::Metric(metric) => {
                let events = self.events(metric);
                let unit = metric.facts.get("unit").unwrap_or_default();
                let parts = unit.split('/').map(|part| counted_unit(part, &events));
                parts.collect::<Vec<_>>().join("/").into()
            }
            Quantity::Formula(formula) => formula.metric.unit.as_str().into(),
            Quantity::Measured(name) => {
                self.counter_of(name).map_or_else(|| columns::unit(name), |counter| &counter.unit).into()
            }
        }
    }

    /// The counter of a column, whose counts may be those of a kind of call or those of a single call.
    fn counter_of(&self, column: &str) -> Option<&Counter> {
        self.counter(column)
            .or_else(|| self.rawdata().counter_of(self.rawdata().column(column)?))
            .or_else(|| self.counter(columns::of_one_call(column)?.2))
    }

    /// The kind of call that the figures of a quantity include: the one that was asked for, or the one that a
    /// column belongs to. `None` stands for all calls together.
    pub fn included(&self, quantity: &Quantity, asked: Option<Call>) -> Option<Call> {
        match quantity {
            Quantity::Measured(column) if !self.is_by_call(quantity) => columns::call(column),
            _ => asked,
        }
    }

    /// The counter that serves each input of a metric that names an event without a backend, such as
    /// `cycles`.
    pub fn events<'a>(&'a self, metric: &'a plugin::Metric) -> Vec<(&'a str, &'a Counter)> {
        let mut events = Vec::new();
        for input in &metric.inputs {
            let Some(NumberSource::Counter(number)) = self.input(input) else { continue };
            let counter = &self.rawdata().counters()[number];
            if *input != counter.name {
                events.push((input.as_str(), counter));
            }
        }
        events
    }

    /// The inputs of a quantity that this run did not measure.
    pub fn missing_inputs<'a>(&self, quantity: &'a Quantity) -> Vec<&'a str> {
        quantity.inputs().iter().map(String::as_str).filter(|input| self.input(input).is_none()).collect()
    }

    /// The names of the columns that can be shown without a metric.
    pub fn columns(&self) -> impl Iterator<Item = &str> + Clone {
        self.rawdata().columns()
    }

    /// The columns of what the algorithms counted themselves, which are neither times nor counters.
    /// Instrumented runs are made for these columns.
    pub fn measurements(&self) -> impl Iterator<Item = &str> + Clone {
        let without_counter =
            self.columns().enumerate().filter(|(column, _)| self.rawdata().counter_of(*column).is_none());
        without_counter.map(|(_, name)| name).filter(|name| columns::unit(name) != "ns")
    }

    /// Whether a quantity differs by kind of call, as times and counts do. Lengths, occurrences and threads
    /// are the same for each call.
    pub fn is_by_call(&self, quantity: &Quantity) -> bool {
        let context = [inputs::TEXT_LENGTH, inputs::PATTERN_LENGTH, inputs::OCCURRENCES, inputs::THREADS];
        match quantity {
            Quantity::Metric(_) | Quantity::Formula(_) => {
                quantity.inputs().iter().any(|input| !context.contains(&input.as_str()))
            }
            Quantity::Measured(name) => self.counter(name).is_some(),
        }
    }

    /// Whether a quantity has a value for each start of a worker, instead of one for each repetition.
    pub fn is_of_starts(&self, quantity: &Quantity) -> bool {
        let is_start = matches!(quantity, Quantity::Measured(name) if blocks::column(name).is_some());
        is_start && self.blocks.have_starts && self.facts.times_starts()
    }

    /// Whether a quantity is a time, of which less is better.
    pub fn is_time(&self, quantity: &Quantity) -> bool {
        let by_clock = match quantity {
            Quantity::Metric(metric) => metric.inputs.as_slice() == ["ns"],
            Quantity::Formula(_) => false,
            Quantity::Measured(name) => name == "ns",
        };
        by_clock && !["", "%"].contains(&&*self.unit(quantity)) && !self.facts.instrumented()
    }

    /// Whether a quantity is a time or is computed from one, such as a rate.
    pub fn is_of_times(&self, quantity: &Quantity) -> bool {
        let times = Call::ALL.map(Call::time);
        let by_clock = match quantity {
            Quantity::Measured(name) => {
                [inputs::NS, TOTAL_NS].into_iter().chain(times).any(|time| time == name)
            }
            _ => quantity.inputs().iter().any(|input| input == inputs::NS),
        };
        by_clock && !self.facts.instrumented()
    }

    /// A counter by its whole name.
    pub fn counter(&self, name: &str) -> Option<&Counter> {
        self.rawdata().counters().iter().find(|counter| counter.name == name)
    }
}

/// The unit of a part of a metric's unit, such as `cycle` in `cycle/byte`: if the part names one of these
/// events, the unit of the counter that serves it, and otherwise the part itself.
fn counted_unit<'a>(part: &'a str, events: &[(&'a str, &'a Counter)]) -> &'a str {
    let mut with_unit = events.iter().filter(|(_, counter)| !counter.unit.is_empty());
    match with_unit.find(|(input, _)| *input == part || singular(input) == part) {
        Some((input, counter)) if *input == part => &counter.unit,
        Some((_, counter)) => singular(&counter.unit),
        None => part,
    }
}

/// `cycle` for `cycles`.
fn singular(word: &str) -> &str {
    word.strip_suffix('s').unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use assay_plugin_api::Metric;

    use super::super::tests::{report, with_columns};
    use super::*;
    use crate::MetricData;

    fn metric(inputs: &'static [&'static str], evaluate: fn(&[f64]) -> Option<f64>) -> Quantity {
        let metric = Metric { id: "m", unit: "u", formula: "f", inputs, evaluate, ..Metric::UNKNOWN };
        Quantity::Metric(plugin::Metric::in_process(metric))
    }

    /// A metric in this unit that has no values.
    fn metric_in(unit: &'static str, inputs: &'static [&'static str]) -> Quantity {
        let metric = Metric { id: "m", unit, formula: "f", inputs, ..Metric::UNKNOWN };
        Quantity::Metric(plugin::Metric::in_process(metric))
    }

    /// The value of a metric that returns its first input, in the first repetition of `a`.
    fn first_input(report: &Report, inputs: &'static [&'static str]) -> Option<f64> {
        let metric = metric(inputs, |inputs| Some(inputs[0]));
        report.metric_values(&metric, None, "a", 0..1).unwrap().values[0][0]
    }

    #[test]
    fn a_metric_gets_its_inputs_in_order_for_each_repetition() {
        let report = report("a,4,0,ok,3,10,20,30\na,4,1,ok,3,10,40,50\na,8,0,ok,0,,5,\n");
        let gbps = metric(&["text_length", "ns"], |inputs| Some(inputs[0] / inputs[1]));
        let search = report.metric_values(&gbps, Some(Call::Search), "a", 0..2).unwrap();
        let (range, at_4, at_8) = (vec![4, 8], vec![Some(50.0), Some(25.0)], vec![Some(200.0)]);
        assert_eq!(search, MetricData { range, values: vec![at_4, at_8] });
        let all = report.metric_values(&gbps, None, "a", 0..2).unwrap();
        assert_eq!(all.values, [vec![Some(1000.0 / 30.0), Some(20.0)], vec![None]]);
        let context = metric(&["pattern_length", "occurrences", "threads"], |inputs| {
            inputs.iter().copied().reduce(|all, input| all * 10.0 + input)
        });
        let all = report.metric_values(&context, None, "a", 0..2).unwrap();
        assert_eq!(all.values, [vec![Some(431.0), Some(431.0)], vec![Some(801.0)]]);
    }

    #[test]
    fn an_event_is_the_first_measured_of_its_name() {
        let columns = ",perf:cycles,prepare:perf:cycles,tsc:cycles,prepare:tsc:cycles";
        let report = with_columns(columns, "a,4,0,ok,3,1,2,3,,,100,10\n").unwrap();
        let values: [&'static [&'static str]; 3] = [&["cycles"], &["tsc:cycles"], &["perf:cycles"]];
        assert_eq!(values.map(|inputs| first_input(&report, inputs)), [Some(110.0), Some(110.0), None]);
        let missing = metric(&["ns", "perf:cycles", "core_hz"], |_| None);
        assert_eq!(report.missing_inputs(&missing), ["perf:cycles", "core_hz"]);
        let Quantity::Metric(cycles) = metric(&["cycles", "ns", "tsc:cycles"], |_| None) else {
            unreachable!()
        };
        let events: Vec<_> =
            report.events(&cycles).iter().map(|(input, c)| (*input, c.name.as_str())).collect();
        assert_eq!(events, [("cycles", "tsc:cycles")]);
    }

    #[test]
    fn units_of_counters_are_those_that_the_run_recorded() {
        let columns = ",mem:level,prepare:mem:level,x:y,prepare:x:y,text_bytes_read,#small";
        let report = with_columns(columns, "").unwrap();
        let unit = |name: &str| report.unit(&Quantity::Measured(name.into())).into_owned();
        for bytes in ["mem:level", "prepare:mem:level", "text_bytes_read"] {
            assert_eq!(unit(bytes), "bytes", "{bytes}");
        }
        assert_eq!(["ns", "search_ns", "total_ns"].map(unit), ["ns"; 3]);
        assert_eq!(["x:y", "#small", "occurrences"].map(unit), [""; 3]);
    }

    #[test]
    fn a_metric_of_an_event_is_in_the_unit_of_what_was_counted() {
        let report = with_columns(",mem:level,prepare:mem:level", "a,4,0,ok,3,1,2,3,7,8\n").unwrap();
        let unit = |metric| report.unit(&metric).into_owned();
        assert_eq!(unit(metric_in("level/byte", &["level", "text_length"])), "bytes/byte");
        assert_eq!(unit(metric_in("levels", &["level"])), "levels", "another word");
        assert_eq!(unit(metric_in("level", &["ns"])), "level", "not of this event");
    }

    #[test]
    fn a_column_is_a_quantity_of_its_own() {
        let report = with_columns(",text_bytes_read", "a,4,0,ok,3,1,2,3,99\n").unwrap();
        let value = |name: &str| report.metric_values(&Quantity::Measured(name.into()), None, "a", 0..1);
        assert_eq!(value("text_bytes_read").unwrap().values, [[Some(99.0)]]);
        assert_eq!(value("ns").unwrap().values, [[Some(3.0)]]);
        assert_eq!(report.measurements().collect::<Vec<_>>(), ["occurrences", "text_bytes_read"]);
        assert!(value("text_byte_read").unwrap_err().to_string().contains("text_bytes_read"));
    }

    #[test]
    fn a_panic_in_a_metric_is_an_error_that_names_it() {
        let failing = metric(&["ns"], |_| panic!("oh"));
        let error = report("a,4,0,ok,3,1,2,3\n").metric_values(&failing, None, "a", 0..1);
        let error = error.unwrap_err().to_string();
        assert!(error.contains("the metric `m` of here.so: panicked") && error.contains("oh"), "{error}");
    }

    #[test]
    fn less_is_better_of_times_alone() {
        let report = with_columns(",text_bytes_read", "a,4,0,ok,3,1,2,3,99\n").unwrap();
        let column = |name: &str| Quantity::Measured(name.into());
        for (quantity, is_time) in [
            (metric_in("ms", &["ns"]), true),
            (metric_in("", &["ns"]), false),
            (metric_in("%", &["ns"]), false),
            (metric(&["text_length", "ns"], |_| None), false),
            (column("ns"), true),
            (column("text_bytes_read"), false),
            (column("search_ns"), false),
        ] {
            assert_eq!(report.is_time(&quantity), is_time, "{quantity:?}");
        }
        let mut instrumented = report.clone();
        instrumented.facts.stats = assay_experiment::definition::Stats::Algo;
        assert!(!instrumented.is_time(&column("ns")), "its times are those of the instruments");
    }

    #[test]
    fn a_figure_is_of_the_call_that_was_asked_for_or_of_that_of_its_column() {
        let report = with_columns(",mem:level,prepare:mem:level", "a,4,0,ok,3,1,2,3,7,8\n").unwrap();
        let included = |name: &str| report.included(&Quantity::Measured(name.into()), Some(Call::Search));
        assert_eq!(
            ["ns", "mem:level", "prepare_ns"].map(included),
            [Some(Call::Search), Some(Call::Search), Some(Call::Prepare)]
        );
        let asked = report.included(&Quantity::Measured("mem:level".into()), Some(Call::Prepare));
        assert_eq!(asked, Some(Call::Prepare), "a counter is counted around both calls");
        let by_call = |inputs| report.is_by_call(&metric(inputs, |_| None));
        assert!(by_call(&["text_length", "ns"]) && !by_call(&["text_length", "occurrences"]));
        assert_eq!(report.included(&metric(&["ns"], |_| None), Some(Call::Prepare)), Some(Call::Prepare));
    }

    #[test]
    fn a_metric_gets_the_frequencies_that_were_measured() {
        let mut report = report("a,4,0,ok,3,10,20,30\n");
        (report.facts.machine.core_hz, report.facts.machine.tsc_hz) = (Some(3e9), None);
        assert_eq!(first_input(&report, &["core_hz"]), Some(3e9));
        assert_eq!(first_input(&report, &["tsc_hz"]), None);
        (report.facts.machine.core_hz, report.facts.machine.tsc_hz) = (None, Some(2e9));
        assert_eq!(first_input(&report, &["core_hz"]), None);
        assert_eq!(first_input(&report, &["tsc_hz"]), Some(2e9));
    }
}
