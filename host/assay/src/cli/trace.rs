//! `assay trace`: shows a search step by step.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use assay_base::error::{Error, Result};
use assay_base::io::atomic::Output;
use assay_experiment::pattern_spec::Pattern;
use assay_experiment::texts;
use assay_load::plugin::{Kind, twin_id};
use assay_load::process::Interrupt;
use assay_plugin_api::Field;
use assay_trace::{
    Ending, NamedTrace, Trace, TraceEvent, TracedAttempt, attempts, picture, player, record, render, totals,
};
use clap::builder::NonEmptyStringValueParser;
use clap::{ArgGroup, ValueEnum};
use serde::Serialize;

use super::one_algorithm::with_twin;
use super::trace_colors::print_colored;
use super::{Outcome, Session};

/// Columns of the output. They are the same everywhere, so that a saved trace and a picture look alike.
const WIDTH: usize = 80;
/// The longest text that is traced, because page and JSON contain all of it.
const LONGEST_TEXT: usize = 1 << 20;

/// Show a search step by step
///
/// Each window, what was read and compared there, and the counts.
#[derive(clap::Args, Debug)]
#[command(override_usage = "assay trace [OPTIONS] --data <STRING> --pattern <STRING> <ALGO>")]
#[command(after_help = "\
Examples:
  assay trace hor --data GCATCGCAGAGAGTATACAGTACG --pattern GCAGAGAG
  assay trace bndm --data abracadabra --pattern abra --format json
  assay trace kmp --text notes.txt --pattern word --max-events 500
  assay trace hor --with bm --data GCATCGCAGAGAGTATACAGTACG --pattern GCAGAGAG --html hor-and-bm.html

An attempt is what the search does until its window moves. The line `order` numbers the characters of the text in the \
order in which they were read: 1 to 9, a to z, then +. The line `result` has = under equal characters and x under \
others. Then come the table entries that were looked up. The first lines show the tables that the preparation filled.

The twin of the algorithm searches, in a child process. Its events, added up, are the counts of `run --stats algo`. \
JSON has every event.

--html writes a page that plays the search, needs no network, and steps with the arrow keys; with --with it shows two \
algorithms side by side. --to draws the text as a picture for lecture notes and papers.

Exit status: 0 the search ended; 1 it crashed, hung, failed or can't search for this pattern (the events before that are \
shown), or its events contradict its counts, the text or the pattern; 2 wrong usage.")]
#[command(group = ArgGroup::new("traced_text").args(["data", "text"]).required(true))]
#[command(group = ArgGroup::new("traced_pattern").args(["pattern", "pattern_hex"]).required(true))]
pub(super) struct Args {
    /// The algorithm: its id or name
    #[arg(value_name = "ALGO")]
    algorithm: String,
    /// Search in this string
    #[arg(long, value_name = "STRING", value_parser = NonEmptyStringValueParser::new())]
    data: Option<String>,
    /// Search in this file, or in the text of this name (`assay list texts`)
    #[arg(long, value_name = "FILE|NAME")]
    text: Option<String>,
    /// Search for this pattern
    #[arg(long, value_name = "STRING", value_parser = NonEmptyStringValueParser::new())]
    pattern: Option<String>,
    /// Search for this pattern, given in hexadecimal
    #[arg(long, value_name = "HEX")]
    pattern_hex: Option<Pattern>,
    /// Trace this algorithm as well
    #[arg(long, value_name = "ALGO")]
    with: Option<String>,
    /// Write a page on which the search can be played to FILE, instead of printing the search
    #[arg(long, value_name = "FILE", conflicts_with = "format")]
    html: Option<PathBuf>,
    /// Draw the search in FILE, as SVG, instead of printing it
    #[arg(long, value_name = "FILE.svg", conflicts_with_all = ["format", "html"])]
    to: Option<PathBuf>,
    /// Record at most this number of events; the search goes on without a record
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    max_events: u64,
    /// Output format
    #[arg(long, default_value = "text", value_name = "FORMAT")]
    format: TraceFormat,
}

/// The output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TraceFormat {
    /// A block for each attempt
    Text,
    /// All events, and the attempts
    Json,
}

/// A trace, with the algorithm, pattern and text of the search.
#[derive(Serialize)]
struct TraceFile<'a> {
    algorithm: &'a str,
    /// In hexadecimal, because bytes need be no text.
    pattern_hex: String,
    text_hex: String,
    /// Names of the extra fields, in the order of their indexes.
    extra: &'a [String],
    /// The events of the preparation, and then those of the search.
    events: Vec<TraceEvent>,
    /// Index of the first event of the search, from which the attempts number their events.
    search_begins: usize,
    /// The events, added up.
    totals: BTreeMap<&'static str, u64>,
    ending: &'a Ending,
    /// Events that were not recorded.
    missing: u64,
    /// Events that this version does not know, and that `events` does not have.
    unknown: usize,
    /// How the record contradicts the twin's counts, the text or the pattern.
    contradiction: Option<&'a str>,
    attempts: Vec<TracedAttempt>,
    /// The other algorithm, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    with: Option<Box<TraceFile<'a>>>,
}

/// An algorithm that was traced.
struct Traced {
    id: String,
    /// What people call it.
    name: String,
    extra: Vec<String>,
    trace: Trace,
}

/// Runs the command.
pub(super) fn run(args: &Args, session: &Session) -> Result<Outcome> {
    let console = &session.console;
    let registry = session.registry()?;
    let (pattern, text) = (args.pattern(), args.text()?);
    if pattern.len() > text.len() {
        return Err(Error::new(format!(
            "the pattern has {} bytes, and the text {}: there is nothing to search",
            pattern.len(),
            text.len()
        ))
        .remedy("take a longer text"));
    }
    if let Some(file) =
        args.to.as_deref().filter(|file| file.extension().is_none_or(|ending| ending != "svg"))
    {
        return Err(Error::new(format!("--to draws SVG, and `{}` does not end in .svg", file.display()))
            .remedy("name a file such as trace.svg"));
    }
    let file = args.html.as_deref().or(args.to.as_deref());
    let output = file.map(|file| Ok((file, Output::create(file)?))).transpose()?;
    let interrupt = Interrupt::watch();
    let check_in = || match interrupt.flag().load(Ordering::Relaxed) {
        true => Err(Error::interruption("interrupted")),
        false => Ok(()),
    };
    let mut traced = Vec::new();
    for name in std::iter::once(&args.algorithm).chain(&args.with) {
        let (id, twin) = with_twin(name, "trace", &registry)?;
        let listing = registry.find(Kind::Algorithm, &twin_id(&id))?;
        let trace = record(&twin, &pattern, &text, args.max_events, &check_in)?;
        if let Some(wrong) = &trace.contradiction {
            console.warn(&format!("`{id}`: {wrong}"));
        }
        let name = registry.find(Kind::Algorithm, &id).ok().and_then(|listing| listing.fact("name"));
        let name = name.unwrap_or(&id).to_owned();
        traced.push(Traced { extra: listing.extra.clone(), id, name, trace });
    }
    let blocks = || {
        let block = |Traced { id, name, extra, trace }: &Traced| {
            format!("{id}: {name}\n\n{}", render(trace, &pattern, &text, extra, WIDTH))
        };
        traced.iter().map(block).collect::<Vec<_>>().join("\n")
    };
    match (output, args.format) {
        (Some((file, output)), _) => {
            let content = if args.html.is_some() {
                let named: Vec<NamedTrace> = traced
                    .iter()
                    .map(|Traced { id, name, trace, .. }| NamedTrace { id, name, trace })
                    .collect();
                player(&named, &pattern, &text)
            } else {
                picture(&blocks())
            };
            output.write(|out| out.write_all(content.as_bytes()))?;
            console.note(&format!("{} is written", file.display()));
        }
        (None, TraceFormat::Text) => print_colored(&blocks(), console)?,
        (None, TraceFormat::Json) => console.print(&(json(&traced, &pattern, &text) + "\n"))?,
    }
    let is_right = traced.iter().all(|traced| traced.trace.is_right());
    Ok(if is_right { Outcome::Done } else { Outcome::SomethingFailed })
}

/// The trace, and the second one in it.
fn json(traced: &[Traced], pattern: &[u8], text: &[u8]) -> String {
    let file = traced.iter().rev().fold(None, |with, Traced { id, extra, trace, .. }| {
        let events = trace.events();
        let totals = Field::ALL.map(Field::name).into_iter().zip(totals(&events)).collect();
        Some(Box::new(TraceFile {
            algorithm: id,
            pattern_hex: hex::encode(pattern),
            text_hex: hex::encode(text),
            extra,
            search_begins: trace.preparation.len(),
            totals,
            events,
            ending: &trace.ending,
            missing: trace.missing(),
            unknown: trace.unknown,
            contradiction: trace.contradiction.as_deref(),
            attempts: attempts(&trace.search, pattern, text),
            with,
        }))
    });
    serde_json::to_string_pretty(&file).expect("values that came from here")
}

impl Args {
    fn pattern(&self) -> Vec<u8> {
        match (&self.pattern, &self.pattern_hex) {
            (Some(pattern), _) => pattern.clone().into_bytes(),
            (None, hex) => hex.clone().map(|Pattern(bytes)| bytes).unwrap_or_default(),
        }
    }

    fn text(&self) -> Result<Vec<u8>> {
        let Some(name) = &self.text else { return Ok(self.data.clone().unwrap_or_default().into_bytes()) };
        let place = texts::find(name).ok_or_else(|| texts::missing(name))?;
        let mut text = Vec::new();
        for file in texts::files(&place)? {
            let open = File::open(&file).map_err(|error| Error::io("open", &file, &error))?;
            let room = (LONGEST_TEXT + 1).saturating_sub(text.len()) as u64;
            open.take(room).read_to_end(&mut text).map_err(|error| Error::io("read", &file, &error))?;
        }
        if text.len() > LONGEST_TEXT {
            return Err(Error::new(format!(
                "`{name}` has more than 1 MiB, which is the most that can be traced"
            ))
            .remedy("cut a part of it with `head -c`"));
        }
        Ok(text)
    }
}
