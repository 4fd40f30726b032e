//! The side of the child: makes the calls that the host requests.

use std::io;
use std::os::unix::net::UnixStream;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use assay_plugin_api::{Block, Column, Options, Request as Text};

use super::CallMemory;
use super::call::{self, CallAnswer, RemoteCall, Reply, Request};
use super::guarded_text::{GuardedText, InitialContent};
use super::numbers::{MappedNumbers, ResultWriter, read, write};
use crate::plugin::catalogue::Catalogue;
use crate::plugin::verified_library::InspectedLibrary;
use crate::process::{end_with_parent, next_request, receive, receive_file};

/// Least time between two reports of progress, because a progress bar shows no more than 50 a second.
const REPORT_EVERY: Duration = Duration::from_millis(20);

/// Loads the library that the host names, and makes calls until the host has no more requests.
///
/// # Errors
/// If the host is gone.
pub fn serve(host: &UnixStream) -> io::Result<()> {
    let Some(library) = receive::<InspectedLibrary>(host)? else { return Ok(()) };
    let catalogue = library.verify_in_sandbox().and_then(|verified| verified.load());
    while let Some(request) = next_request::<Request>(host)? {
        let memory = CallMemory { input: receive_file(host)?, output: receive_file(host)? };
        // Any thread of a merger may report progress, so a lock keeps the messages apart.
        let last_report = Mutex::new(Instant::now());
        let progress = |done: f64| {
            if let Ok(mut last) = last_report.try_lock()
                && last.elapsed() >= REPORT_EVERY
            {
                *last = Instant::now();
                // Fails if the host is gone, and then this process is about to be ended.
                let _ = request.answer(&Reply::Progress(done));
            }
            true
        };
        let answer = match &catalogue {
            Ok(catalogue) => answer(catalogue, &request.content, &memory, &progress),
            Err(message) => Err(message.clone()),
        };
        end_with_parent();
        // Held until the answer is sent: a thread that the merger has left running must not report in the
        // middle of it.
        let _one_at_a_time = last_report.lock();
        request.answer(&Reply::Done(answer))?;
    }
    Ok(())
}

/// Makes a call.
///
/// # Errors
/// If the item fails, or if its answer is wrong.
pub(super) fn answer(
    catalogue: &Catalogue,
    request: &Request,
    CallMemory { input, output }: &CallMemory,
    progress: &(dyn Fn(f64) -> bool + Sync),
) -> Result<CallAnswer, String> {
    let id = catalogue.own_id(&request.id);
    let gone = || format!("`{}` is gone from its library", request.id);
    let lost = |error: io::Error| format!("its numbers are lost on their way: {error}");
    match &request.call {
        &RemoteCall::Evaluate { columns, rows } => {
            let entry = find(&catalogue.metrics, |metric| &metric.facts.id, id).ok_or_else(gone)?;
            let columns: io::Result<Vec<Vec<f64>>> = (0..columns).map(|_| read(input, rows)).collect();
            let results = entry.evaluate(&columns.map_err(lost)?, rows)?;
            let results: Vec<f64> = results.into_iter().map(|result| result.unwrap_or(f64::NAN)).collect();
            write(output, &results).map_err(lost)?;
            Ok(CallAnswer::Whole)
        }
        RemoteCall::Reduce(lengths) => {
            let entry = find(&catalogue.statistics, |statistic| &statistic.facts.id, id).ok_or_else(gone)?;
            let lists: io::Result<Vec<Vec<f64>>> =
                lengths.iter().map(|length| read(input, *length)).collect();
            let lists = lists.map_err(lost)?;
            let results = entry.reduce(&lists.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
            let mut made = ResultWriter::new(output, &[]);
            results.iter().try_for_each(|list| made.add(list).map(drop))?;
            Ok(CallAnswer::Lists(results.iter().map(Vec::len).collect()))
        }
        RemoteCall::Merge { blocks, options } => {
            let entry = find(&catalogue.mergers, |merger| &merger.facts.id, id).ok_or_else(gone)?;
            let columns = blocks.iter().flat_map(|(_, columns)| columns);
            let count = columns.fold(0usize, |sum, (_, rows)| sum.saturating_add(*rows));
            let mut mapped = MappedNumbers::new(input, count).map_err(lost)?;
            let mut results = ResultWriter::new(output, mapped.numbers());
            let mut left = mapped.numbers();
            let mut column = |(name, rows): &(String, usize)| {
                let (values, after) = std::mem::take(&mut left).split_at_mut(*rows);
                left = after;
                Column { name: name.clone(), values: values.into() }
            };
            let block = |(source, columns): &call::BlockColumns| Block {
                source: source.clone(),
                columns: columns.iter().map(&mut column).collect(),
            };
            let blocks = blocks.iter().map(block).collect();
            let options: Vec<(&str, &str)> =
                options.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            let options = Options { given: &options, progress };
            entry.merge(blocks, &options, &mut |numbers| results.add(numbers)).map(CallAnswer::Merged)
        }
        &RemoteCall::Generate { seed, parameter, length, before } => {
            let entry = find(&catalogue.corpora, |corpus| &corpus.facts.id, id).ok_or_else(gone)?;
            let mut memory = GuardedText::new(output, length).map_err(lost)?;
            memory.prepare(before);
            entry.generate(Text { seed, parameter }, memory.text())?;
            if before == InitialContent::Pattern {
                memory.check_filled()?;
            }
            Ok(CallAnswer::Whole)
        }
    }
}

/// Finds the entry of an id.
fn find<'a, E>(entries: &'a [E], id_of: impl Fn(&E) -> &String, id: &str) -> Option<&'a E> {
    entries.iter().find(|entry| id_of(entry) == id)
}
