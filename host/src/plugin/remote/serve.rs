//! The child's side: does what the host asks for.

use std::fs::File;
use std::io;
use std::os::unix::net::UnixStream;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use assay_plugin_api::{Block, Cells, Column, Merged, Options, Request as Text, Sheet};

use super::call::{self, Answer, Call, Reply, Request};
use super::guarded::{Before, Guarded};
use super::numbers::{read, write};
use crate::plugin::catalogue::Catalogue;
use crate::plugin::pin::Inspected;
use crate::process::{end_with_parent, receive, send};

/// More is not taken from one call: some function has lost count.
const MOST_NUMBERS: usize = 1 << 27;

/// How often progress is told at most.
const TELL_EVERY: Duration = Duration::from_millis(20);

/// Serves the host with the library that it names, until it has no more requests.
///
/// # Errors
/// If the host is gone.
pub fn serve(host: &UnixStream) -> io::Result<()> {
    let Some(library) = receive::<Inspected>(host)? else { return Ok(()) };
    let catalogue = library.pin().and_then(|pin| pin.load());
    while let Some(request) = receive::<Request>(host)? {
        // Any thread of a merger may tell its progress, but one at a time.
        let told = Mutex::new(Instant::now());
        let progress = |done: f64| {
            if let Ok(mut last) = told.try_lock()
                && last.elapsed() >= TELL_EVERY
            {
                *last = Instant::now();
                // A host that is gone has ended this process already.
                let _ = send(host, &Reply::Progress(done));
            }
            true
        };
        let answer = match &catalogue {
            Ok(catalogue) => answer(catalogue, &request, &progress),
            Err(message) => Err(message.clone()),
        };
        end_with_parent();
        let _one_at_a_time = told.lock();
        send(host, &Reply::Done(answer))?;
    }
    Ok(())
}

/// Does what is asked for.
///
/// # Errors
/// What the library says, or what is wrong with its answer.
pub(super) fn answer(
    catalogue: &Catalogue,
    request: &Request,
    progress: &(dyn Fn(f64) -> bool + Sync),
) -> Result<Answer, String> {
    let gone = || format!("`{}` is gone from its library", request.id);
    let lost = |error: io::Error| format!("its numbers are lost on their way: {error}");
    let input = File::open(&request.input).map_err(lost)?;
    let output = File::options().read(true).write(true).open(&request.output).map_err(lost)?;
    match &request.call {
        &Call::Evaluate { columns, rows } => {
            let entry = find(&catalogue.metrics, |metric| &metric.facts.id, &request.id).ok_or_else(gone)?;
            let columns: io::Result<Vec<Vec<f64>>> = (0..columns).map(|_| read(&input, rows)).collect();
            let results = entry.evaluate(&columns.map_err(lost)?, rows)?;
            let results: Vec<f64> = results.into_iter().map(|result| result.unwrap_or(f64::NAN)).collect();
            write(&output, &results).map_err(lost)?;
            Ok(Answer::Whole)
        }
        Call::Reduce(lengths) => {
            let entry =
                find(&catalogue.statistics, |statistic| &statistic.facts.id, &request.id).ok_or_else(gone)?;
            let lists: io::Result<Vec<Vec<f64>>> =
                lengths.iter().map(|length| read(&input, *length)).collect();
            let lists = lists.map_err(lost)?;
            let results = entry.reduce(&lists.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
            within(results.iter().map(Vec::len))?;
            results.iter().try_for_each(|list| write(&output, list)).map_err(lost)?;
            Ok(Answer::Lists(results.iter().map(Vec::len).collect()))
        }
        Call::Merge { blocks, options } => {
            let entry = find(&catalogue.mergers, |merger| &merger.facts.id, &request.id).ok_or_else(gone)?;
            let column = |(name, rows): &(String, usize)| {
                Ok(Column { name: name.clone(), values: read(&input, *rows)?.into() })
            };
            let block = |(source, columns): &call::Block| {
                let columns = columns.iter().map(column).collect::<io::Result<_>>()?;
                Ok(Block { source: source.clone(), columns })
            };
            let blocks: io::Result<Vec<Block<'_>>> = blocks.iter().map(block).collect();
            let options: Vec<(&str, &str)> =
                options.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            let merged = entry.merge(blocks.map_err(lost)?, &Options { given: &options, progress })?;
            let sheets = merged.tables.iter().flat_map(|table| &table.columns);
            let numbers = sheets.filter_map(|(_, cells)| match cells {
                Cells::Numbers(numbers) => Some(numbers.as_slice()),
                Cells::Texts(_) => None,
            });
            let numbers: Vec<&[f64]> =
                merged.columns.iter().map(|column| &*column.values).chain(numbers).collect();
            within(numbers.iter().map(|numbers| numbers.len()))?;
            numbers.iter().try_for_each(|numbers| write(&output, numbers)).map_err(lost)?;
            Ok(Answer::Merged(described(merged)))
        }
        &Call::Generate { seed, parameter, length, before } => {
            let entry = find(&catalogue.corpora, |corpus| &corpus.facts.id, &request.id).ok_or_else(gone)?;
            let mut memory = Guarded::new(&output, length).map_err(lost)?;
            memory.prepare(before);
            entry.generate(Text { seed, parameter }, memory.text())?;
            if before == Before::Pattern {
                memory.examine()?;
            }
            Ok(Answer::Whole)
        }
    }
}

/// A result without its numbers.
fn described(merged: Merged<'_>) -> call::Merged {
    let cells = |cells| match cells {
        Cells::Numbers(numbers) => call::Cells::Numbers(numbers.len()),
        Cells::Texts(texts) => call::Cells::Texts(texts),
    };
    let sheet = |sheet: Sheet| {
        (sheet.title, sheet.columns.into_iter().map(|(name, column)| (name, cells(column))).collect())
    };
    call::Merged {
        columns: merged.columns.into_iter().map(|column| (column.name, column.values.len())).collect(),
        tables: merged.tables.into_iter().map(sheet).collect(),
        notes: merged.notes,
        warnings: merged.warnings,
    }
}

fn find<'a, E>(entries: &'a [E], id_of: impl Fn(&E) -> &String, id: &str) -> Option<&'a E> {
    entries.iter().find(|entry| id_of(entry) == id)
}

fn within(lengths: impl Iterator<Item = usize>) -> Result<(), String> {
    let numbers: usize = lengths.sum();
    if numbers <= MOST_NUMBERS {
        return Ok(());
    }
    Err(format!("it gives more than {MOST_NUMBERS} numbers at once"))
}
