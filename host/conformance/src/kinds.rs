//! Tries metrics, statistics, mergers, corpora and counter backends on small inputs, in child processes.

use assay_base::error::{Error, Result};
use assay_counting::{BackendEvents, Events, rehearse_twice};
use assay_load::plugin::{InitialContent, Kind, Listing, Registry, ResultMemory};
use assay_plugin_api::{Block, Column, Options, Request};

/// The outcome of a trial: what was tried and its results, or what is wrong, each in a sentence.
pub(crate) type Trial = Result<String, String>;

/// Length in bytes of the texts that corpora generate in a trial: long enough to show a corpus that leaves
/// the end unwritten, and generated in no time.
const TEXT: usize = 10_000;

/// Tries one listed item.
///
/// # Errors
/// If no child can be started.
pub fn try_out(registry: &Registry, listing: &Listing) -> Result<Trial> {
    let id = listing.id.as_str();
    Ok(match listing.kind {
        Kind::Algorithm => Ok("algorithms have their own test".to_owned()),
        Kind::Metric => metric(registry, id).map_err(message),
        Kind::Statistic => statistic(registry, id).map_err(message),
        Kind::Merger => merger(registry, id).map_err(message),
        Kind::Corpus => corpus(registry, listing).map_err(message),
        Kind::Counter => return backend(registry, listing),
    })
}

fn message(error: Error) -> String {
    error.message().to_owned()
}

fn metric(registry: &Registry, id: &str) -> Result<String> {
    let metric = registry.metric(id)?;
    let results = metric.evaluate(&vec![vec![1.0, 0.0]; metric.inputs.len()], 2)?;
    let none = metric.evaluate(&vec![Vec::new(); metric.inputs.len()], 0)?;
    if !none.is_empty() {
        return Err(Error::new("it gives results where there are no inputs"));
    }
    let shown = |result: Option<f64>| result.map_or_else(|| "none".to_owned(), |number| number.to_string());
    Ok(format!("of ones {}, of zeros {}", shown(results[0]), shown(results[1])))
}

fn statistic(registry: &Registry, id: &str) -> Result<String> {
    let statistic = registry.statistic(id)?;
    let lists: [&[f64]; 2] = [&[5.0], &[3.0, 1.0, 2.0]];
    let once = statistic.reduce(&lists)?;
    if let Some(value) = once.iter().flatten().find(|value| !value.is_finite()) {
        return Err(Error::new(format!("it gives {value}, which is no finite number")));
    }
    let again = statistic.reduce(&lists)?;
    if once != again {
        let [once, again] =
            [once, again].map(|results| format!("{}, {}", listed(&results[0]), listed(&results[1])));
        return Err(Error::new(format!("it gives {once}, and then {again} for the same lists")));
    }
    Ok(format!("of 5 {}, of 3, 1 and 2 {}", listed(&once[0]), listed(&once[1])))
}

/// The first results of a statistic, and how many there are.
fn listed(results: &[f64]) -> String {
    /// A statistic may have any number of results, but the message is one line.
    const SHOWN: usize = 8;
    match results.get(..SHOWN) {
        Some(first) if results.len() > SHOWN => format!("{first:?} .. ({} results)", results.len()),
        _ => format!("{results:?}"),
    }
}

fn merger(registry: &Registry, id: &str) -> Result<String> {
    let merger = registry.merger(id)?;
    let block = |other: &str, shift: f64| Block {
        source: format!("table with {other}"),
        columns: ["a", other]
            .map(|name| Column {
                name: name.to_owned(),
                values: (1..=4).map(|n| f64::from(n) + shift).collect(),
            })
            .into(),
    };
    // `anchor` names the event that all tables have. Mergers that need one have this option.
    let anchor = merger.options.iter().any(|option| option == "anchor").then_some(("anchor", "a"));
    let given: Vec<(&str, &str)> = anchor.into_iter().collect();
    let options = Options { given: &given, progress: &|_| true };
    let mut room = ResultMemory::default();
    let merged = merger.merge(vec![block("b", 0.0), block("c", 0.5)], &options, &mut room)?;
    let events = ["a", "b", "c"].map(str::to_owned).into();
    assay_merge::check(&merged, &merger, &events)?;
    let rows = merged.columns[0].values.len();
    Ok(format!("of two tables of 4 rows {} columns of {rows}", merged.columns.len()))
}

fn corpus(registry: &Registry, listing: &Listing) -> Result<String> {
    let parameter = listing.parameter.map(|(min, _)| min);
    let name = parameter.map_or_else(|| listing.id.clone(), |number| format!("{}{number}", listing.id));
    let make = |before| {
        let (corpus, parameter) = registry.corpus(&name)?;
        corpus.generate(Request { seed: 1, parameter }, TEXT, before)
    };
    let zeros = make(InitialContent::Byte(0))?;
    let differs = |other: &[u8]| zeros.iter().zip(other).position(|(one, other)| one != other);
    if let Some(at) = differs(&make(InitialContent::Byte(0))?) {
        return Err(Error::new(format!("it gives another text for the same seed, from byte {at} on")));
    }
    // What depends on the process, such as its number or an address, stays the same within it.
    registry.end_service(listing);
    if let Some(at) = differs(&make(InitialContent::Byte(0))?) {
        return Err(Error::new(format!("it gives another text in another process, from byte {at} on")));
    }
    if let Some(at) = differs(&make(InitialContent::Byte(255))?) {
        return Err(Error::new(format!("it leaves byte {at} of {TEXT} unwritten")));
    }
    make(InitialContent::Pattern)?;
    Ok(format!("{name}: {TEXT} bytes, the same each time and in two processes, all of them written"))
}

fn backend(registry: &Registry, listing: &Listing) -> Result<Trial> {
    let id = &listing.id;
    let mut events = Events::new(registry);
    let known = match events.find(id) {
        Ok(known) => known,
        Err(error) => return Ok(Err(message(error))),
    };
    let (count, mut tried) = (known.len(), 0);
    for known in known {
        let name = &known.event.name;
        match events.by_name(id, name) {
            Ok(Some(found)) if found.event.name == *name => {}
            Ok(_) => {
                return Ok(Err(format!("{id}:{name}: it lists this event but does not find it by its name")));
            }
            Err(error) => return Ok(Err(message(error))),
        }
        if known.is_available() {
            let part = BackendEvents::new(registry, listing, vec![name.clone()]);
            if let Err(message) = rehearse_twice(&part)? {
                return Ok(Err(format!("{id}:{name}: {message}")));
            }
            tried += 1;
        }
    }
    Ok(Ok(format!(
        "{count} events listed and found; {tried} count here: opened, started, read, stopped and closed, twice"
    )))
}
