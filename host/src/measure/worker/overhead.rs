//! What counting itself costs in a run: how long a reading takes, and what is counted around a search that does nothing.

use std::io;
use std::os::unix::net::UnixStream;

use super::clock::now_ns;
use super::counters::Counters;
use super::floor::{empty_call, with_idle};
use super::protocol::{CounterSetup, EventKind};
use super::shared::Heartbeat;
use crate::columns::Call;
use crate::error::Result;
use crate::interval::median;
use crate::plugin::Failure;
use crate::process::{self, Launch, Task, keep_on};
use crate::results::CountingCost;

/// How many empty searches are counted, unless they take longer than [`ENOUGH_NS`] ..
const SEARCHES: usize = 301;
/// .. and how many in any case.
const FEWEST: usize = 9;
const ENOUGH_NS: u64 = 100_000_000;

/// What counting costs, event by event in the order of their columns, in a process that is started and bound as workers are.
/// Nothing is known of backends that fail.
///
/// # Errors
/// If no child can be started.
pub fn counting_costs(
    setups: &[CounterSetup],
    cpu: Option<usize>,
    launch: Option<&Launch>,
) -> Result<Vec<CountingCost>> {
    let events = setups.iter().map(|setup| setup.kinds.len()).sum();
    if events == 0 {
        return Ok(Vec::new());
    }
    let task = Task::CountingCosts.launched(launch);
    let records = process::each::<Answer>(&task, &[(setups, cpu)], |_| Ok(()))?;
    let told = records.into_iter().next().and_then(|record| record.ok()?.ok());
    Ok(told.filter(|told| told.len() == events).unwrap_or_else(|| vec![CountingCost::default(); events]))
}

type Answer = Result<Vec<CountingCost>, String>;

/// The child's side of [`counting_costs`].
///
/// # Errors
/// If the host is gone.
pub fn serve(host: &UnixStream) -> io::Result<()> {
    process::answer(host, |(setups, cpu): (Vec<CounterSetup>, Option<usize>)| -> Answer {
        if let Some(cpu) = cpu {
            keep_on(cpu);
        }
        measure(&setups, cpu)
    })
}

fn measure(setups: &[CounterSetup], cpu: Option<usize>) -> Result<Vec<CountingCost>, String> {
    let heartbeat = Heartbeat::new().map_err(|error| error.to_string())?;
    let mut counters = Counters::open(setups, cpu, &heartbeat).map_err(|fault| fault.fault)?;
    let times = counters.read_times(SEARCHES, ENOUGH_NS, &heartbeat).map_err(|fault| fault.fault)?;
    counters.start(&heartbeat).map_err(|fault| fault.fault)?;
    let counted = with_idle(|prepared, text| {
        let begun = now_ns();
        let mut counts: Vec<Vec<f64>> = Vec::new();
        for done in 0..SEARCHES {
            if done >= FEWEST && now_ns() - begun > ENOUGH_NS {
                break;
            }
            counters.read_before(Call::Search, &heartbeat);
            let call = empty_call(prepared, text);
            counters.read_after(Call::Search, &heartbeat);
            call?;
            let costs = counters.costs(Call::Search);
            counts.resize(costs.len(), Vec::new());
            counts.iter_mut().zip(costs).for_each(|(counts, cost)| counts.extend(cost));
        }
        Ok(counts)
    });
    counters.stop(&heartbeat).map_err(|fault| fault.fault)?;
    let counted = counted.map_err(|failure: Failure| format!("{failure:?}"))?;
    let read_ns = setups.iter().enumerate().flat_map(|(number, setup)| {
        let time = times.iter().find(|(other, _)| *other == number).map(|(_, times)| times);
        let time = time.and_then(|times| middle(times.iter().map(|ns| *ns as f64).collect()));
        setup.kinds.iter().map(move |kind| (time, *kind))
    });
    let cost = |((read_ns, kind), counts): ((Option<f64>, EventKind), Vec<f64>)| CountingCost {
        read_ns,
        // A level is what it is, and what is counted around all searches of a block holds no reading of its own.
        empty: middle(counts).filter(|_| !kind.instant && !kind.per_round),
    };
    Ok(read_ns.zip(counted).map(cost).collect())
}

fn middle(mut values: Vec<f64>) -> Option<f64> {
    (!values.is_empty()).then(|| median(&mut values))
}
