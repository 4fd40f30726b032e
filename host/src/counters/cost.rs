//! What counting costs: the time to start a backend in a fresh process, and the time of a read.

use std::fmt::Write;
use std::hint::black_box;
use std::io;
use std::os::unix::net::UnixStream;
use std::time::Instant;

use assay_plugin_api::Open;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::plugin::Inspected;
use crate::process::{self, Launch, Task};

/// Titles of the two columns, as PAPI's tools have them.
pub const TITLES: [&str; 2] = ["Initialize", "Event Read Avg uS"];

/// What one process paid, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// From before the library was loaded until the event was being counted: loading the library, opening a set with the
    /// event, starting it. Finding the library and starting the process are not included.
    pub initialize: f64,
    /// Mean time of a read, taken over all reads with two readings of the clock.
    pub read: f64,
}

/// Measures one event in a fresh process, which is started by a launcher if there is one.
///
/// # Errors
/// If no process can be started. The inner error is one sentence that says how the experiment failed.
pub fn in_fresh_process(
    library: &Inspected,
    backend: &str,
    event: &str,
    reads: u32,
    launch: Option<&Launch>,
) -> Result<Result<Cost, String>> {
    let item = (library, backend, event);
    let task = Task::CounterCost { reads }.launched(launch);
    let records = process::each::<Result<Cost, String>>(&task, &[item], |_| Ok(()))?;
    let record = records.into_iter().next().ok_or_else(|| Error::new("a child process gave no answer"))?;
    Ok(record.unwrap_or_else(|end| Err(format!("{backend}:{event} {end}"))))
}

/// The child's side of [`in_fresh_process`].
///
/// # Errors
/// If the host is gone.
pub fn serve(host: &UnixStream, reads: u32) -> io::Result<()> {
    process::answer(host, |(library, backend, event): (Inspected, String, String)| {
        measure(&library, &backend, &event, reads)
    })
}

fn measure(library: &Inspected, backend: &str, event: &str, reads: u32) -> Result<Cost, String> {
    let pin = library.pin()?;
    let before = Instant::now();
    let catalogue = pin.load()?;
    let gone = |_| format!("`{}` no longer brings {backend}", library.path.display());
    let entry = catalogue.counter(backend).map_err(gone)?;
    let mut set = entry.open(&Open::events(&[event]))?;
    set.start()?;
    let initialize = before.elapsed();

    let before = Instant::now();
    for _ in 0..reads {
        black_box(set.read()?.last());
    }
    let read = before.elapsed();
    set.stop()?;
    Ok(Cost { initialize: initialize.as_secs_f64() * 1e6, read: read.as_secs_f64() * 1e6 / f64::from(reads) })
}

/// The costs as PAPI's tools read them: two columns in microseconds, with at least one blank after the comma. Reads have
/// four decimals, since that of a clock takes some hundredths of a microsecond.
pub fn csv(costs: &[Cost]) -> String {
    let header = format!("{}\n", TITLES.join(", "));
    costs.iter().fold(header, |mut text, cost| {
        let _ = writeln!(text, "{:9.1}, {:8.4}", cost.initialize, cost.read);
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::csv_input::{Gaps, Numbers, Selection};

    #[test]
    fn costs_can_be_described() {
        let costs = [Cost { initialize: 1234.56, read: 0.02137 }, Cost { initialize: 1e9, read: 12345.5 }];
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
