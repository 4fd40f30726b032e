//! Measured frequencies of cores and counters, to be compared with those that the system reports.
//!
//! The reference is CLOCK_MONOTONIC, which the kernel derives from the most reliable counter of the CPU. A
//! core may run faster or slower than its nominal frequency, so cycles are computed with the measured one.

mod chain;
mod offset;
mod reported;

use std::io;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use offset::StampOffset;
pub use reported::Reported;

use assay_base::error::Result;
use assay_load::plugin::{InspectedLibrary, Kind, Listing, Registry};
use assay_load::process::{self, Permissions, Task, bind_to_cpu};

/// Time that a core sleeps before it counts as idle: more than ten ticks of the scheduler (4 ms), so that the
/// kernel has had the occasion to lower its frequency.
const IDLE: Duration = Duration::from_millis(50);
/// Time to measure an idle core: short, because the work of measuring makes the core leave its idle
/// frequency.
const AT_ONCE: Duration = Duration::from_millis(2);
/// Time that a core works before it counts as warm.
const WARM_UP: Duration = Duration::from_millis(100);
/// Time to warm up and to measure a core for a run, whose searches follow at once and keep it warm.
const SHORT: Duration = Duration::from_millis(20);
/// Time to measure a warm core.
const MEASURED: Duration = Duration::from_millis(30);

/// Relative difference of two frequencies above which cycles of the one are no estimate of cycles of the
/// other: the metrics of a run would show the difference.
pub(crate) const TOLERANCE: f64 = 0.02;

/// The clock of a core.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CoreClock {
    /// Number of the CPU.
    pub cpu: usize,
    /// The frequencies that the system reports, one for each source.
    pub reported: Vec<Reported>,
    /// Measured right after some sleep, in hertz; `None` if the measurement was disturbed.
    pub idle_hz: Option<f64>,
    /// Measured after some work, in hertz; `None` if the measurement was disturbed.
    pub warm_hz: Option<f64>,
}

/// The clock whose ticks a counter backend counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TickClock {
    /// Id of the backend.
    pub backend: String,
    /// The frequency that the system reports, in hertz.
    pub reported_hz: Option<f64>,
    /// The frequency measured against CLOCK_MONOTONIC, in hertz.
    pub measured_hz: Option<f64>,
}

/// A task for a child process.
#[derive(Serialize, Deserialize)]
enum ClockQuestion {
    Core { cpu: usize, idle: bool },
    Offset { cpu: usize, against: usize },
    Ticks { library: InspectedLibrary, backend: String },
}

#[derive(Serialize, Deserialize)]
enum ClockAnswer {
    Core(CoreClock),
    Offset(Option<StampOffset>),
    Ticks(Option<TickClock>),
}

/// Measures the frequencies of cores: with `idle`, also right after some sleep. `look` is called before each
/// core.
///
/// # Errors
/// If no child can be started.
pub fn cores(
    cpus: &[usize],
    idle: bool,
    mut look: impl FnMut(usize) -> Result<()>,
) -> Result<Vec<CoreClock>> {
    let questions: Vec<ClockQuestion> = cpus.iter().map(|&cpu| ClockQuestion::Core { cpu, idle }).collect();
    let answers =
        process::run_items::<ClockAnswer>(&Task::Clocks, &Permissions::default(), &questions, &mut look)?;
    let core = |answer| match answer {
        Ok(ClockAnswer::Core(core)) => Some(core),
        _ => None,
    };
    Ok(answers.into_iter().filter_map(core).collect())
}

/// The offsets of the time stamp counters of CPUs from that of the first CPU. A pair that could not be
/// measured is missing.
///
/// # Errors
/// If no child can be started.
pub fn offsets(cpus: &[usize]) -> Result<Vec<StampOffset>> {
    let pairs = cpus.iter().skip(1).map(|&cpu| ClockQuestion::Offset { cpu, against: cpus[0] });
    let questions: Vec<ClockQuestion> = pairs.collect();
    let permissions = Permissions::default();
    let answers = process::run_items::<ClockAnswer>(&Task::Clocks, &permissions, &questions, |_| Ok(()))?;
    let offset = |answer| match answer {
        Ok(ClockAnswer::Offset(offset)) => offset,
        _ => None,
    };
    Ok(answers.into_iter().filter_map(offset).collect())
}

/// The clocks of all counter backends that have one, or of the backend `only`.
///
/// # Errors
/// If no child can be started.
pub fn ticks(registry: &Registry, only: Option<&str>) -> Result<Vec<TickClock>> {
    let listings =
        registry.of_kind(Kind::Counter).filter(|listing| only.is_none_or(|only| listing.id == only));
    let question =
        |listing| ClockQuestion::Ticks { library: registry.inspected(listing), backend: listing.id.clone() };
    let listings: Vec<&Listing> = listings.collect();
    let mut permissions = Permissions::default();
    for listing in &listings {
        permissions.libraries.push(listing.library.path.clone());
        permissions.access.add(&listing.access);
    }
    let questions: Vec<ClockQuestion> = listings.into_iter().map(question).collect();
    let answers = process::run_items::<ClockAnswer>(&Task::Clocks, &permissions, &questions, |_| Ok(()))?;
    let ticks = |answer| match answer {
        Ok(ClockAnswer::Ticks(clock)) => clock,
        _ => None,
    };
    Ok(answers.into_iter().filter_map(ticks).collect())
}

/// The child's side: performs one task after the other.
///
/// # Errors
/// If the host is gone.
pub fn serve(host: &UnixStream) -> io::Result<()> {
    process::answer_items(host, |question: ClockQuestion| match question {
        ClockQuestion::Core { cpu, idle } => {
            bind_to_cpu(cpu);
            let idle_hz = idle.then(|| {
                sleep(IDLE);
                chain::core_hz(AT_ONCE)
            });
            chain::core_hz(if idle { WARM_UP } else { SHORT });
            let reported = reported::frequencies(cpu, Path::new("/"));
            let warm_hz = chain::core_hz(if idle { MEASURED } else { SHORT });
            ClockAnswer::Core(CoreClock { cpu, reported, idle_hz: idle_hz.flatten(), warm_hz })
        }
        ClockQuestion::Offset { cpu, against } => ClockAnswer::Offset(offset::measure(cpu, against)),
        ClockQuestion::Ticks { library, backend } => {
            let clock = library
                .verify_in_sandbox()
                .and_then(|verified| verified.load())
                .ok()
                .and_then(|catalogue| catalogue.counter(&backend).ok()?.clock().ok());
            let known = clock.filter(|clock| clock.reported_hz.is_some() || clock.measured_hz.is_some());
            ClockAnswer::Ticks(known.map(|clock| TickClock {
                backend,
                reported_hz: clock.reported_hz,
                measured_hz: clock.measured_hz,
            }))
        }
    })
}

/// Relative error of the reported frequency against the measured one; `None` within [`TOLERANCE`].
pub fn misleading(reported_hz: f64, measured_hz: f64) -> Option<f64> {
    let share = measured_hz / reported_hz - 1.0;
    (share.abs() > TOLERANCE).then_some(share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_of_more_than_two_percent_misleads() {
        assert_eq!((misleading(2.6e9, 2.64e9), misleading(2.6e9, 2.56e9)), (None, None));
        assert!((misleading(2.5e9, 4.0e9).unwrap() - 0.6).abs() < 1e-9);
        assert!(misleading(3.0e9, 2.9e9).unwrap() < 0.0);
    }
}
