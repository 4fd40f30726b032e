//! The costs of all backends, compared with a read of the clock.

use assay_base::error::Result;
use assay_base::io::table::{Datum, Table};
use assay_load::plugin::{Kind, Registry};
use assay_load::process::Launch;
use assay_plugin_api::Availability;
use assay_stats::Summary;

use super::backend_events::BackendEvents;
use super::cost::{ReadingCost, in_fresh_process};
use super::events::Events;
use super::launcher::launch_for;

/// Number of events in the second set of a backend, which shows what further events cost.
const MANY: usize = 8;

/// The costs of the sets of a backend, or the reason why they were not measured.
#[derive(Debug)]
pub struct BackendCost {
    /// Id of the backend.
    pub backend: String,
    /// Whether a launcher of the backend started its processes, such as a simulator, which slows them down.
    pub launched: bool,
    /// A set of one event, and of eight if the backend has that many.
    pub sets: Vec<SetCost>,
    /// The reason why a set is missing, in a sentence.
    pub failure: Option<String>,
    /// The reason why none of its events can be counted here, and what helps. This is not a failure.
    pub unavailable: Option<String>,
}

/// The costs of a set of events.
#[derive(Clone, Debug, PartialEq)]
pub struct SetCost {
    /// The events by name.
    pub events: Vec<String>,
    /// The costs in each experiment.
    pub costs: Vec<ReadingCost>,
}

/// Measures the sets of a backend, each in `experiments` fresh processes. `step` is called after each, and
/// returns whether to continue.
///
/// # Errors
/// If no process can be started.
pub fn of_backend(
    backend: &str,
    experiments: u32,
    reads: u32,
    registry: &Registry,
    step: &mut dyn FnMut() -> bool,
) -> Result<BackendCost> {
    let mut cost = BackendCost {
        backend: backend.to_owned(),
        launched: false,
        sets: Vec::new(),
        failure: None,
        unavailable: None,
    };
    let events = match Events::new(registry).find(backend) {
        Ok(events) => events,
        Err(error) => return Ok(BackendCost { failure: Some(error.message().to_owned()), ..cost }),
    };
    let available = events.iter().filter(|known| known.is_available());
    let names: Vec<String> = available.take(MANY).map(|known| known.event.name.clone()).collect();
    if let (true, Some(first)) = (names.is_empty(), events.first())
        && let Availability::Missing { reason, remedy } = &first.availability
    {
        cost.unavailable = Some(format!("{backend} counts nothing here: {reason}. {remedy}"));
        return Ok(cost);
    }
    let listing = registry.find(Kind::Counter, backend)?;
    for count in [1, MANY].into_iter().filter(|count| *count <= names.len()) {
        let part = BackendEvents::new(registry, listing, names[..count].to_vec());
        let launch = match launch_for(&part, None)? {
            Ok(launch) => launch,
            Err(message) => {
                cost.failure = Some(format!("{backend}: {message}"));
                break;
            }
        };
        cost.launched |= launch.is_some();
        let (costs, failure) = in_processes(&part, experiments, reads, launch.as_ref(), step)?;
        if !costs.is_empty() {
            cost.sets.push(SetCost { events: part.events, costs });
        }
        if failure.is_some() {
            cost.failure = failure;
            break;
        }
    }
    Ok(cost)
}

/// Measures a set in several processes, until one fails. Returns the costs, and the failure.
fn in_processes(
    part: &BackendEvents,
    experiments: u32,
    reads: u32,
    launch: Option<&Launch>,
    step: &mut dyn FnMut() -> bool,
) -> Result<(Vec<ReadingCost>, Option<String>)> {
    let mut costs = Vec::new();
    for _ in 0..experiments {
        match in_fresh_process(part, reads, launch)? {
            Ok(cost) => costs.push(cost),
            Err(failure) => return Ok((costs, Some(failure))),
        }
        if !step() {
            break;
        }
    }
    Ok((costs, None))
}

/// The table of costs, with a row for a read of the clock and for each set: the medians over the experiments
/// in nanoseconds, and their ratios to a read of the clock.
pub fn cost_table(backends: &[BackendCost]) -> Table {
    let parts = ["initialize", "start_stop", "read"];
    let ratio = |part: &str| [format!("{part}_ns"), format!("{part}_ratio")];
    let columns =
        ["backend", "events"].map(str::to_owned).into_iter().chain(parts.into_iter().flat_map(ratio));
    let mut table = Table::new(columns);
    // A simulator slows down the clock as well, so its processes do not count.
    let clocks = backends.iter().filter(|backend| !backend.launched).flat_map(|backend| &backend.sets);
    let clock = median(clocks.flat_map(|set| &set.costs).map(|cost| cost.clock));
    let figures = |us: Option<f64>| {
        let ns = us.map_or(Datum::Missing, |us| {
            let ns = us * 1e3;
            Datum::Number(ns, if ns < 1000.0 { 1 } else { 0 })
        });
        let ratio = us.zip(clock).map_or(Datum::Missing, |(us, clock)| Datum::Number(us / clock, 1));
        [ns, ratio]
    };
    let row = |name: &str, events: Option<usize>, costs: [Option<f64>; 3]| {
        let events = events.map_or(Datum::Missing, |events| Datum::Number(events as f64, 0));
        let figures = costs.into_iter().flat_map(figures).collect::<Vec<_>>();
        [name.into(), events].into_iter().chain(figures).collect::<Vec<_>>()
    };
    if clock.is_some() {
        table.push(row("clock_gettime", None, [None, None, clock]));
    }
    for BackendCost { backend, sets, .. } in backends {
        for SetCost { events, costs } in sets {
            let median_of = |part: fn(&ReadingCost) -> f64| median(costs.iter().map(part));
            let costs = [
                median_of(|cost| cost.initialize),
                median_of(|cost| cost.start_stop),
                median_of(|cost| cost.read),
            ];
            table.push(row(backend, Some(events.len()), costs));
        }
    }
    table
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    Summary::new(&values.collect::<Vec<_>>()).map(|summary| summary.med)
}

#[cfg(test)]
mod tests {
    use assay_base::io::output_format::OutputFormat;

    use super::*;

    #[test]
    fn costs_are_medians_beside_those_of_a_clock_that_nothing_slows_down() {
        let set = |events: usize, reads: &[f64], clock| SetCost {
            events: vec!["e".to_owned(); events],
            costs: reads
                .iter()
                .map(|&read| ReadingCost { initialize: 100.0, read, start_stop: 2.0, clock })
                .collect(),
        };
        let backend = |name: &str, launched, sets| BackendCost {
            backend: name.to_owned(),
            launched,
            sets,
            failure: None,
            unavailable: None,
        };
        let backends = [
            backend("a", false, vec![set(1, &[0.05, 0.25, 90.0], 0.025), set(8, &[0.5], 0.025)]),
            backend("b", true, vec![set(1, &[5000.0], 1.0)]),
            backend("c", false, vec![]),
        ];
        assert_eq!(
            cost_table(&backends).render(OutputFormat::Csv),
            "backend,events,initialize_ns,initialize_ratio,start_stop_ns,start_stop_ratio,read_ns,read_ratio\n\
             clock_gettime,,,,,,25,1\na,1,100000,4000,2000,80,250,10\na,8,100000,4000,2000,80,500,20\n\
             b,1,100000,4000,2000,80,5000000,200000\n"
        );
        assert!(cost_table(&[]).rows.is_empty());
    }
}
