//! What counting itself costs in a run: how long a reading takes, and what is counted around a search that does nothing. The
//! first decides, once for all workers, which backend is read within which.

use std::cmp::Reverse;
use std::io;
use std::mem::ManuallyDrop;
use std::os::unix::net::UnixStream;

use assay_base::error::Result;
use assay_load::plugin::Failure;
use assay_load::process::{self, Launch, Task, keep_on};
use assay_stats::median;
use assay_store::CountingCost;
use serde::{Deserialize, Serialize};

use super::clock::now_ns;
use super::counters::Counters;
use super::floor::{empty_call, with_idle};
use super::protocol::{BackendFault, CounterSetup, EventKind};
use super::shared::Heartbeat;

/// How many empty searches are counted, unless they take longer than [`ENOUGH_NS`] ..
const SEARCHES: usize = 301;
/// .. and how many in any case.
const FEWEST: usize = 9;
const ENOUGH_NS: u64 = 100_000_000;

/// In how many processes they are: what differs between them is not known of a worker either.
const PROCESSES: usize = 3;

/// What counting costs, event by event in the order of their columns, in processes that are started and bound as workers are;
/// the setups get their prices. Where a backend fails, nothing is known, and each cost says why.
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
    // What a simulator counts is the same in each.
    let processes = if launch.is_some() { 1 } else { PROCESSES };
    let mut found: Vec<ProcessCost> = Vec::with_capacity(processes);
    for _ in 0..processes {
        let records = process::each::<CostAnswer>(&task, &[(&*setups, cpu)], |_| Ok(()))?;
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

/// What was found out in one process.
#[derive(Serialize, Deserialize)]
struct ProcessCost {
    /// How long a reading of each backend takes in nanoseconds.
    read_ns: Vec<Option<u64>>,
    /// The median of what each event counts around an empty search.
    medians: Vec<Option<f64>>,
}

type CostAnswer = Result<ProcessCost, String>;

fn costs(setups: &[CounterSetup], found: &[ProcessCost]) -> Vec<CountingCost> {
    let kinds = setups
        .iter()
        .enumerate()
        .flat_map(|(number, setup)| setup.kinds.iter().map(move |kind| (number, kind)));
    let cost = |(event, (number, kind)): (usize, (usize, &EventKind))| {
        let read_ns = middle(found.iter().filter_map(|one| Some(one.read_ns[number]? as f64)).collect());
        let medians: Vec<f64> = found.iter().filter_map(|one| one.medians[event]).collect();
        // A level is what it is, and what is counted around all searches of a block holds no reading of its own. Where one of
        // the processes counted nothing, the others do not speak for it.
        let known = !kind.instant && !kind.per_round && medians.len() == found.len();
        let of = |values: &[f64], least: fn(f64, f64) -> f64| {
            values.iter().copied().reduce(least).filter(|_| known)
        };
        let place = |number: usize| (Reverse(setups[number].price_ns), number);
        CountingCost {
            read_ns,
            depth: Some((0..setups.len()).filter(|other| place(*other) < place(number)).count()),
            empty_least: of(&medians, f64::min),
            empty_most: of(&medians, f64::max),
            empty: middle(medians).filter(|_| known),
            fault: None,
        }
    };
    kinds.enumerate().map(cost).collect()
}

/// The child's side of [`counting_costs`].
///
/// # Errors
/// If the host is gone.
pub fn serve(host: &UnixStream) -> io::Result<()> {
    process::answer(host, |(setups, cpu): (Vec<CounterSetup>, Option<usize>)| -> CostAnswer {
        if let Some(cpu) = cpu {
            keep_on(cpu);
        }
        let heartbeat = Heartbeat::new().map_err(|error| error.to_string())?;
        measure(&setups, cpu, &heartbeat).map_err(|halt| match halt {
            Unmeasured::Backend(BackendFault { number, fault, .. }) => {
                format!("counter backend `{}`: {fault}", setups[number].part.backend)
            }
            Unmeasured::Call(failure) => format!("{failure:?}"),
        })
    })
}

/// Why nothing is known.
enum Unmeasured {
    Backend(BackendFault),
    Call(Failure),
}

impl From<BackendFault> for Unmeasured {
    fn from(fault: BackendFault) -> Self {
        Unmeasured::Backend(fault)
    }
}

fn measure(
    setups: &[CounterSetup],
    cpu: Option<usize>,
    heartbeat: &Heartbeat,
) -> Result<ProcessCost, Unmeasured> {
    // They are closed with the process: a backend that hangs there keeps nobody from the answer.
    let mut counters = ManuallyDrop::new(Counters::open(setups, cpu, heartbeat)?);
    let times = counters.read_times(SEARCHES, ENOUGH_NS, heartbeat)?;
    let read_ns = |number: usize| {
        let (_, times) = times.iter().find(|(other, _)| *other == number)?;
        middle(times.iter().map(|ns| *ns as f64).collect()).map(|ns| ns as u64)
    };
    counters.nest(|number| setups[number].price_ns.or(read_ns(number)));
    counters.start(heartbeat)?;
    let counted = with_idle(|prepared, text| {
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
    let medians = counted.map_err(Unmeasured::Call)?.into_iter().map(middle).collect();
    Ok(ProcessCost { read_ns: (0..setups.len()).map(read_ns).collect(), medians })
}

fn middle(mut values: Vec<f64>) -> Option<f64> {
    (!values.is_empty()).then(|| median(&mut values))
}

#[cfg(test)]
mod tests {
    use assay_counting::BackendEvents;
    use assay_load::plugin::Inspected;

    use super::*;

    fn setup(kinds: usize, price_ns: u64) -> CounterSetup {
        let kind = EventKind { instant: false, grain_ns: 0, per_round: false };
        let library = Inspected { path: "libb.so".into(), sha256: String::new(), identity: None };
        let part = BackendEvents::new(library, "b", Vec::new());
        CounterSetup { part, kinds: vec![kind; kinds], used: true, price_ns: Some(price_ns) }
    }

    #[test]
    fn costs_are_told_with_what_differs_between_processes() {
        let setups = [setup(2, 50), setup(1, 700), setup(1, 50)];
        let found = [[30.0, 500.0], [40.0, 520.0], [35.0, 2170.0]].map(|[one, other]| ProcessCost {
            read_ns: vec![Some(50), Some(700), None],
            medians: vec![Some(one), None, Some(other), Some(1.0)],
        });
        let costs = costs(&setups, &found);
        let told = |cost: &CountingCost| (cost.empty_least, cost.empty, cost.empty_most);
        assert_eq!(told(&costs[0]), (Some(30.0), Some(35.0), Some(40.0)));
        assert_eq!(told(&costs[1]), (None, None, None));
        assert_eq!(told(&costs[2]), (Some(500.0), Some(520.0), Some(2170.0)));
        let depths: Vec<Option<usize>> = costs.iter().map(|cost| cost.depth).collect();
        assert_eq!(
            depths,
            [Some(1), Some(1), Some(0), Some(2)],
            "of two that cost the same, the first is outside"
        );
        assert_eq!((costs[0].read_ns, costs[3].read_ns), (Some(50.0), None));
    }
}
