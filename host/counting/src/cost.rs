//! The cost of a backend: the time to start it in a fresh process, and the time of a read.

use std::fmt::Write;
use std::hint::black_box;
use std::io;
use std::os::unix::net::UnixStream;
use std::time::Instant;

use assay_base::error::{Error, Result};
use assay_load::process::{self, Launch, Task};
use serde::{Deserialize, Serialize};

use super::backend_events::{BackendEvents, permissions};

/// Titles of the two columns in the files of PAPI's tools.
pub const TITLES: [&str; 2] = ["Initialize", "Event Read Avg uS"];

/// The costs in one process, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReadingCost {
    /// Time to load the library, to open a set with the events and to start it. Finding the library and
    /// starting the process are not included.
    pub initialize: f64,
    /// Mean time to read all events. The clock is read once before and once after all reads.
    pub read: f64,
    /// Mean time to stop the set and start it again, measured in the same way.
    pub start_stop: f64,
    /// Mean time to read the clock, measured in the same way.
    pub clock: f64,
}

/// Measures a set of events in a fresh process, which is started by a launcher if there is one.
///
/// # Errors
/// If no process can be started. The inner error is one sentence that says how the experiment failed.
pub fn in_fresh_process(
    part: &BackendEvents,
    reads: u32,
    launch: Option<&Launch>,
) -> Result<Result<ReadingCost, String>> {
    let task = Task::CounterCost { reads }.launched(launch);
    let records =
        process::run_items::<Result<ReadingCost, String>>(&task, &permissions([part]), &[part], |_| Ok(()))?;
    let record = records.into_iter().next().ok_or_else(|| {
        Error::new("a child process gave no answer").remedy("try again; --counters 0 counts nothing")
    })?;
    Ok(record.unwrap_or_else(|end| Err(format!("{}:{} {end}", part.backend, part.events.join(",")))))
}

/// The child's side of [`in_fresh_process`].
///
/// # Errors
/// If the host is gone.
pub fn serve(host: &UnixStream, reads: u32) -> io::Result<()> {
    process::answer_items(host, |part: BackendEvents| measure(&part, reads))
}

fn measure(part: &BackendEvents, reads: u32) -> Result<ReadingCost, String> {
    let BackendEvents { library, backend, .. } = part;
    let verified = library.verify_in_sandbox()?;
    let before = Instant::now();
    let catalogue = verified.load()?;
    let gone = |_| format!("`{}` no longer brings {backend}", library.path.display());
    let mut set = part.open_with(catalogue.counter(backend).map_err(gone)?, None)?;
    set.start()?;
    let initialize = before.elapsed();

    let read = mean_us(reads, || set.read().map(|counts| black_box(counts.last()).is_some()))?;
    let start_stop = mean_us(reads.min(PAIRS), || set.stop().and_then(|()| set.start()))?;
    set.stop()?;
    let clock = mean_us(CLOCK_READINGS, || Ok(black_box(Instant::now())))?;
    Ok(ReadingCost { initialize: initialize.as_secs_f64() * 1e6, read, start_stop, clock })
}

/// Greatest number of pairs of stopping and starting. It is small, because some backends take long for one.
const PAIRS: u32 = 20;

/// Number of reads of the clock. Each takes some 20 ns, so the two reads around them add 0.2 %.
const CLOCK_READINGS: u32 = 1000;

/// The mean time of an action that is performed this number of times, in microseconds.
fn mean_us<T>(times: u32, mut action: impl FnMut() -> Result<T, String>) -> Result<f64, String> {
    let before = Instant::now();
    for _ in 0..times {
        action()?;
    }
    Ok(before.elapsed().as_secs_f64() * 1e6 / f64::from(times))
}

/// The costs in the format of PAPI's tools: two columns in microseconds, with at least one blank after the
/// comma. Reads have four decimals, because a read of a clock takes some hundredths of a microsecond.
pub fn csv(costs: &[ReadingCost]) -> String {
    let header = format!("{}\n", TITLES.join(", "));
    costs.iter().fold(header, |mut text, cost| {
        let _ = writeln!(text, "{:9.1}, {:8.4}", cost.initialize, cost.read);
        text
    })
}

#[cfg(test)]
mod tests {
    use assay_base::io::csv_input::{Gaps, Numbers, Selection};

    use super::*;

    #[test]
    fn costs_can_be_described() {
        let cost = |initialize, read| ReadingCost { initialize, read, start_stop: 1.0, clock: 0.02 };
        let costs = [cost(1234.56, 0.02137), cost(1e9, 12345.5)];
        let text = csv(&costs);
        assert_eq!(text, "Initialize, Event Read Avg uS\n   1234.6,   0.0214\n1000000000.0, 12345.5000\n");
        let numbers =
            Numbers::from_reader("x", text.as_bytes(), Gaps::Refused, &Selection::default()).unwrap();
        assert_eq!(
            (numbers.titles, &numbers.columns[1]),
            (TITLES.map(str::to_owned).to_vec(), &vec![0.0214, 12345.5])
        );
    }
}
