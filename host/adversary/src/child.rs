//! The child's side: the twin searches input after input, and its counts go to the host.

use std::io;
use std::os::unix::net::UnixStream;

use assay_load::plugin::algorithm::AlgorithmEntry;
use assay_load::plugin::{Failure, Searcher, TextBuffer, impossible_figure};
use assay_load::process;
use assay_plugin_api::Hints;
use assay_trace::TracedTwin;
use serde::{Deserialize, Serialize};

use crate::input::SearchInput;

/// A request to a child: inputs to search, one after the other.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct CountRequest {
    pub(crate) twin: TracedTwin,
    pub(crate) inputs: Vec<SearchInput>,
}

/// What a twin counted in a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TwinCounts {
    /// Number of occurrences.
    pub occurrences: u64,
    /// The counts, in the order of [`Field`](assay_plugin_api::Field).
    pub fields: Vec<Option<u64>>,
}

/// How the search of an input ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CountOutcome {
    /// As it should.
    Counted(TwinCounts),
    /// The algorithm does not search for this pattern in this text, because of this.
    CannotSearch(String),
    /// Something went wrong: a sentence without its subject.
    Failed(String),
}

impl From<Failure> for CountOutcome {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::CannotSearch(reason) => CountOutcome::CannotSearch(reason),
            Failure::Error(message) => CountOutcome::Failed(format!("reports an error: {message}")),
            Failure::Panicked(message) => CountOutcome::Failed(format!("panics: {message}")),
        }
    }
}

/// Answers the requests of the host until there are no more. All are about one twin.
///
/// # Errors
/// If the host is gone.
pub fn serve(host: &UnixStream) -> io::Result<()> {
    let mut loaded: Option<AlgorithmEntry> = None;
    process::answer_items(host, |CountRequest { twin, inputs }: CountRequest| -> Vec<CountOutcome> {
        let entry = match loaded.take().map_or_else(|| load(&twin), Ok) {
            Ok(entry) => entry,
            Err(message) => return inputs.iter().map(|_| CountOutcome::Failed(message.clone())).collect(),
        };
        let outcomes = count_all(&entry, &inputs);
        loaded = Some(entry);
        outcomes
    })
}

fn load(twin: &TracedTwin) -> Result<AlgorithmEntry, String> {
    let catalogue = twin.library.verify_in_sandbox()?.load()?;
    let id = catalogue.own_id(&twin.id);
    let entry = catalogue.algorithms.iter().find(|entry| entry.facts.id == id);
    entry.cloned().ok_or_else(|| format!("is gone: `{}` is not in its library any more", twin.id))
}

fn count_all(entry: &AlgorithmEntry, inputs: &[SearchInput]) -> Vec<CountOutcome> {
    let mut searcher = None;
    let mut outcome = |input: &SearchInput| {
        // A searcher that panicked may be broken, so the next input gets another one.
        let mut current = searcher.take().map_or_else(|| Searcher::new(entry), Ok)?;
        let counts = count(&mut current, input);
        searcher = (!matches!(counts, Err(Failure::Panicked(_)))).then_some(current);
        counts
    };
    inputs.iter().map(|input| outcome(input).unwrap_or_else(CountOutcome::from)).collect()
}

fn count(searcher: &mut Searcher, input: &SearchInput) -> Result<CountOutcome, Failure> {
    let (pattern, text) = (&input.pattern, input.text());
    let needs = searcher.needs(pattern.len())?;
    needs.accept(text.len())?;
    if needs.fresh_process() {
        let reason = "it needs a process of its own for each pattern, and this search tries thousands";
        return Err(Failure::CannotSearch(reason.to_owned()));
    }
    let mut buffer = TextBuffer::new(&text, &needs).map_err(Failure::Error)?;
    let fitted = buffer.fit(&needs).map_err(Failure::Error)?;
    let hints = Hints { sample: &text[..needs.raw().sample.min(text.len())], text_length: text.len() };
    let mut prepared = searcher.prepare(pattern, hints)?;
    let occurrences = prepared.count(&fitted)?;
    let figures = prepared.measurements()?.figures;
    Ok(match impossible_figure(&figures.fields, &figures.extra, text.len()) {
        Some(figure) => CountOutcome::Failed(format!("reports an impossible figure: {figure}")),
        None => CountOutcome::Counted(TwinCounts { occurrences, fields: figures.fields.to_vec() }),
    })
}
