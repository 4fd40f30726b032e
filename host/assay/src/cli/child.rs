//! The tasks of the program when it runs as a child process of itself.

use std::io;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;

use assay_adversary as adversary;
use assay_conformance as conformance;
use assay_counting as counters;
use assay_load::plugin;
use assay_load::process::keeper::become_child;
use assay_load::process::{Task, bind_to_cpu, connection, receive_task};
use assay_measure::worker;
use assay_trace as trace;

/// Does the task that the host sends. The host judges by the messages of the child, not by its exit status.
pub(super) fn main() -> ExitCode {
    exit(become_child().and_then(serve_host))
}

/// Does the task of the host as a child that another program has started, such as a simulator.
pub(super) fn launched() -> ExitCode {
    exit(connection().and_then(serve_host))
}

fn exit(served: io::Result<()>) -> ExitCode {
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn serve_host(host: UnixStream) -> io::Result<()> {
    match receive_task(&host)? {
        None => Ok(()),
        Some(Task::Launched(launch, _)) => Err(launch.replace(host)),
        Some(Task::Measure) => worker::child::serve(host),
        Some(Task::Inspect) => plugin::serve_inspection(&host),
        Some(Task::Serve) => plugin::serve(&host),
        Some(Task::TryOut) => conformance::child::serve(&host),
        Some(Task::Trace) => trace::child::serve(&host),
        Some(Task::CountWork) => adversary::child::serve(&host),
        Some(Task::Events) => counters::serve_events(&host),
        Some(Task::Rehearse { cpu }) => {
            if let Some(cpu) = cpu {
                bind_to_cpu(cpu);
            }
            counters::serve_rehearsal(&host)
        }
        Some(Task::Clocks) => counters::clocks::serve(&host),
        Some(Task::Launcher) => counters::serve_launcher(&host),
        Some(Task::CountingCosts) => worker::serve_counting_costs(&host),
        Some(Task::CounterCost { reads }) => counters::serve_cost(&host, reads),
        Some(Task::SelfTest) => counters::serve_self_test(&host),
    }
}
