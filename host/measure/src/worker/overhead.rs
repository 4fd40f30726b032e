//! The overhead of counting in a run: how long a reading of each backend takes, and what each event counts
//! around a search that does nothing. The first decides, once for all workers, the order in which backends
//! are read.

use std::cmp::Reverse;
use std::io;
use std::mem::ManuallyDrop;
use std::os::unix::net::UnixStream;

use assay_base::error::Result;
use assay_counting::permissions;
use assay_load::plugin::Failure;
use assay_load::process::{self, Launch, Task, bind_to_cpu};
use assay_stats::median;
use assay_store::CountingCost;
use serde::{Deserialize, Serialize};

use super::clock::now_ns;
use super::clock_floor::{empty_call, with_idle_algorithm};
use super::counters::Counters;
use super::heartbeat::Heartbeat;
use super::protocol::{BackendFault, CounterSetup};

/// Number of empty searches that are counted: enough for a median that outliers do not move. It is odd, so
/// the median is one of the counts.
const SEARCHES: usize = 301;
/// Slow backends take too long for that, so there are no further searches after this time ..
const ENOUGH_NS: u64 = 100_000_000;
/// .. but at least this number of them: up to four outliers can't move their median.
const FEWEST: usize = 9;

/// Number of processes in which the searches are counted. Counts may differ between processes, and nobody
/// knows which of them a worker resembles, so the least and the greatest median are kept too.
const PROCESSES: usize = 3;

/// Measures what counting costs, and returns it event by event in the order of the columns. The processes are
/// started and bound to a CPU like workers, and the setups get their prices. If a backend fails, nothing is
/// known, and each cost says why.
///
/// # Errors
/// If no child can be started.
pub fn counting_costs(
    setups: &mut [CounterSetup],
    cpu: Option<usize>,
    launch: Option<&Launch>,
) -> Result<Vec<CountingCost>> {
    let events = setups.iter().map(|setup| setup.kinds.len()).sum();
    if events == 0 {
        return Ok(Vec::new());
    }
    let unknown =
        |fault: String| vec![CountingCost { fault: Some(fault), ..CountingCost::default() }; events];
    let task = Task::CountingCosts.launched(launch);
    let permissions = permissions(setups.iter().map(|setup| &setup.part));
    // A simulator counts the same in each process.
    let processes = if launch.is_some() { 1 } else { PROCESSES };
    let mut found: Vec<ProcessCosts> = Vec::with_capacity(processes);
    for _ in 0..processes {
        let records = process::run_items::<CostsAnswer>(&task, &permissions, &[(&*setups, cpu)], |_| Ok(()))?;
        let answer = records.into_iter().next().expect("one of each item");
        match answer {
            Ok(Ok(one)) if one.medians.len() == events && one.read_ns.len() == setups.len() => {
                for (setup, price) in setups.iter_mut().zip(&one.read_ns) {
                    setup.price_ns = setup.price_ns.or(*price);
                }
                found.push(one);
            }
            Ok(Ok(_)) => return Ok(unknown("its answer makes no sense".to_owned())),
            Ok(Err(fault)) => return Ok(unknown(fault)),
            Err(end) => return Ok(unknown(format!("the process with all its counters {end}"))),
        }
    }
    Ok(costs(setups, &found))
}

/// The costs in one process.
#[derive(Serialize, Deserialize)]
struct ProcessCosts {
    /// Median time of a reading of each backend, in nanoseconds.
    read_ns: Vec<Option<u64>>,
    /// The median of what each event counts around an empty search.
    medians: Vec<Option<f64>>,
}

/// What such a process answers.
type CostsAnswer = Result<ProcessCosts, String>;

/// Combines the costs of all processes.
fn costs(setups: &[CounterSetup], found: &[ProcessCosts]) -> Vec<CountingCost> {
    let kinds = setups
        .iter()
        .enumerate()
        .flat_map(|(number, setup)| setup.kinds.iter().map(move |kind| (number, kind)));
    let mut costs = Vec::new();
    for (event, (number, kind)) in kinds.enumerate() {
        let read_ns = middle(found.iter().filter_map(|one| Some(one.read_ns[number]? as f64)).collect());
        let mut medians: Vec<f64> = found.iter().filter_map(|one| one.medians[event]).collect();
        // A level contains no overhead, and neither does a count around a whole block. If a count is missing
        // in one process, it may be missing in a worker, and the overhead is not known.
        if kind.instant || kind.per_round || medians.len() < found.len() {
            medians.clear();
        }
        costs.push(CountingCost {
            read_ns,
            depth: Some((0..setups.len()).filter(|other| is_outside(setups, *other, number)).count()),
            empty_least: medians.iter().copied().reduce(f64::min),
            empty_most: medians.iter().copied().reduce(f64::max),
            empty: middle(medians),
            fault: None,
        });
    }
    costs
}

/// Whether the readings of a backend enclose those of another, in the order of [`Counters::nest`].
fn is_outside(setups: &[CounterSetup], outer: usize, inner: usize) -> bool {
    (Reverse(setups[outer].price_ns), outer) < (Reverse(setups[inner].price_ns), inner)
}

/// The side of the child in [`counting_costs`].
///
/// # Errors
/// If the host is gone.
pub fn serve(host: &UnixStream) -> io::Result<()> {
    process::answer_items(host, |(setups, cpu): (Vec<CounterSetup>, Option<usize>)| -> CostsAnswer {
        if let Some(cpu) = cpu {
            bind_to_cpu(cpu);
        }
        let heartbeat = Heartbeat::new().map_err(|error| error.to_string())?;
        measure(&setups, cpu, &heartbeat).map_err(|halt| match halt {
            CostFailure::Backend(BackendFault { number, fault, .. }) => {
                format!("counter backend `{}`: {fault}", setups[number].part.backend)
            }
            CostFailure::Call(failure) => format!("{failure:?}"),
        })
    })
}

/// The failure because of which no costs are known.
enum CostFailure {
    Backend(BackendFault),
    Call(Failure),
}

impl From<BackendFault> for CostFailure {
    fn from(fault: BackendFault) -> Self {
        CostFailure::Backend(fault)
    }
}

fn measure(
    setups: &[CounterSetup],
    cpu: Option<usize>,
    heartbeat: &Heartbeat,
) -> Result<ProcessCosts, CostFailure> {
    // Never dropped: a backend that hangs while it is closed must not prevent the answer. The end of the
    // process closes it.
    let mut counters = ManuallyDrop::new(Counters::open(setups, cpu, heartbeat)?);
    let times = counters.read_times(SEARCHES, ENOUGH_NS, heartbeat)?;
    let read_ns = |number: usize| {
        let (_, times) = times.iter().find(|(other, _)| *other == number)?;
        middle(times.iter().map(|ns| *ns as f64).collect()).map(|ns| ns as u64)
    };
    counters.nest(|number| setups[number].price_ns.or(read_ns(number)));
    counters.start(heartbeat)?;
    let counted = with_idle_algorithm(|prepared, text| {
        let begun = now_ns();
        let mut counts: Vec<Vec<f64>> = Vec::new();
        counters.expect(1);
        for done in 0..SEARCHES {
            if done >= FEWEST && now_ns() - begun > ENOUGH_NS {
                break;
            }
            counters.read_before(0, heartbeat);
            let call = empty_call(prepared, text);
            counters.read_after(0, heartbeat);
            call?;
            let costs = counters.costs(0);
            counts.resize(costs.len(), Vec::new());
            counts.iter_mut().zip(costs).for_each(|(counts, cost)| counts.extend(cost));
        }
        Ok(counts)
    });
    counters.stop(heartbeat)?;
    let medians = counted.map_err(CostFailure::Call)?.into_iter().map(middle).collect();
    Ok(ProcessCosts { read_ns: (0..setups.len()).map(read_ns).collect(), medians })
}

/// The median, if there are any values.
fn middle(mut values: Vec<f64>) -> Option<f64> {
    (!values.is_empty()).then(|| median(&mut values))
}

#[cfg(test)]
mod tests {
    use assay_counting::BackendEvents;
    use assay_load::plugin::{BackendAccess, InspectedLibrary};

    use super::super::protocol::EventKind;
    use super::*;

    fn setup(kinds: usize, price_ns: u64) -> CounterSetup {
        let kind = EventKind { instant: false, grain_ns: 0, per_round: false };
        let library = InspectedLibrary { path: "libb.so".into(), sha256: String::new(), identity: None };
        let part = BackendEvents {
            library,
            backend: "b".to_owned(),
            access: BackendAccess::default(),
            events: Vec::new(),
            multiplex: false,
            options: Vec::new(),
        };
        CounterSetup { part, kinds: vec![kind; kinds], used: true, price_ns: Some(price_ns) }
    }

    #[test]
    fn costs_are_reported_with_their_range_over_processes() {
        let setups = [setup(2, 50), setup(1, 700), setup(1, 50)];
        let found = [[30.0, 500.0], [40.0, 520.0], [35.0, 2170.0]].map(|[one, other]| ProcessCosts {
            read_ns: vec![Some(50), Some(700), None],
            medians: vec![Some(one), None, Some(other), Some(1.0)],
        });
        let costs = costs(&setups, &found);
        let range = |cost: &CountingCost| (cost.empty_least, cost.empty, cost.empty_most);
        assert_eq!(range(&costs[0]), (Some(30.0), Some(35.0), Some(40.0)));
        assert_eq!(range(&costs[1]), (None, None, None));
        assert_eq!(range(&costs[2]), (Some(500.0), Some(520.0), Some(2170.0)));
        let depths: Vec<Option<usize>> = costs.iter().map(|cost| cost.depth).collect();
        assert_eq!(
            depths,
            [Some(1), Some(1), Some(0), Some(2)],
            "of two that cost the same, the first is outside"
        );
        assert_eq!((costs[0].read_ns, costs[3].read_ns), (Some(50.0), None));
    }
}
