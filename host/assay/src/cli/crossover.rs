//! `assay crossover`: finds where one algorithm overtakes another.

mod json;
mod measuring;
mod plan;
mod shown;

use std::path::PathBuf;

use assay_base::columns::Call;
use assay_base::error::{Error, Result};
use assay_base::io::atomic::Output;
use assay_base::io::console::counted;
use assay_base::io::output_format::{OutputFormat, table_formats};
use assay_base::work_budget::WorkBudget;
use assay_crossover::{CrossoverEnd, SourceLanguage, search};
use assay_experiment::definition::{Experiment, Stats};
use assay_experiment::range::Range;
use assay_experiment::selection::select;
use assay_load::process::Interrupt;
use clap::ValueHint;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::report::IncludedCalls;
use super::run::Options;
use super::work_budget::work_budget;
use super::{Outcome, Session};
use measuring::{MeasurementNotes, PointMeasurement};
use shown::ShownCrossover;

/// Find where one algorithm overtakes another
///
/// The algorithms are measured on a coarse grid of pattern lengths, alphabets and sizes of the text, and then
/// in between wherever others lead at two neighbours, until the border is known to the resolution of the
/// grid.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay crossover hor bndm
  assay crossover hor bndm --rand 4 --plen 2 64
  assay crossover hor bm qs --text book.txt --budget 5min
  assay crossover hor bndm so --emit rust >choose.rs
  assay crossover hor bndm so --to choose.h --to choose.rs
  assay crossover hor bndm --rand 4 --plen 8 --range text-size=4KiB..1MiB

Algorithms that are not significantly slower than the fastest are tied with it. Where they are tied, a border is an interval; \
its ends are lengths at which one of the two is significantly faster. The lead is the number of times that the next \
algorithm takes.

A dispatcher takes in each cell an algorithm that leads at all lengths that were measured there. Its regret is by how \
much that is slower than the best of those that are named. --emit and --to write it as source, which chooses nothing \
outside of what was measured.

Without options: patterns of 2 to 256 bytes by doublings, 50 of each, in random text of 2, 4, 16 and 64 letters.")]
pub(super) struct Args {
    /// The algorithms, two at least
    ///
    /// By id, by name, by shell pattern ('bndm*') or by regular expression for whole ids
    #[arg(value_name = "ALGO|REGEX", required = true)]
    algorithms: Vec<String>,
    /// How long to measure: a time, or a number of points
    ///
    /// The points that are being measured when the time is up are finished
    #[arg(long, value_name = "TIME|N", default_value = "60s", value_parser = parse_budget)]
    budget: WorkBudget,
    /// Look along these alphabets or text sizes, too (repeatable)
    ///
    /// A list, or A..B, which doubles
    #[arg(long, value_name = "alphabet|text-size=V,..")]
    range: Vec<Range>,
    /// Which calls are compared [default: search]
    #[arg(long, value_parser = calls())]
    call: Option<IncludedCalls>,
    #[command(flatten)]
    options: Options,
    /// Print the dispatcher, which chooses by length and alphabet, as source
    #[arg(long, value_name = "LANGUAGE", value_parser = languages(), conflicts_with = "format", help_heading = "Results")]
    emit: Option<SourceLanguage>,
    /// Write the dispatcher, too, to FILE.rs, FILE.c or FILE.h (repeatable)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Results")]
    to: Vec<PathBuf>,
    /// Output format
    #[arg(long, default_value = "table", value_parser = table_formats(), help_heading = "Results")]
    format: OutputFormat,
}

/// Reads which calls are compared.
fn calls() -> impl TypedValueParser<Value = IncludedCalls> {
    let names = PossibleValuesParser::new([
        PossibleValue::new(Call::Prepare.name()).help("The preparation of the pattern"),
        PossibleValue::new(Call::Search.name()).help("The search of the text"),
        PossibleValue::new("all").help("Both together"),
    ]);
    names.map(|name| Call::ALL.into_iter().find(|call| call.name() == name))
}

/// The languages of `--emit`.
fn languages() -> impl TypedValueParser<Value = SourceLanguage> {
    PossibleValuesParser::new(["rust", "c"])
        .map(|name| if name == "c" { SourceLanguage::C } else { SourceLanguage::Rust })
}

/// A time, or a number of points.
fn parse_budget(word: &str) -> Result<WorkBudget, String> {
    work_budget(word, "a time or a number of points from 1 on is expected: 60s, 10min, 40")
}

/// Repetitions without `--runs`: five in each of ten rounds, which give an interval.
const RUNS: usize = 50;
/// Steps of the progress bar.
const STEPS: f64 = 1000.0;

/// Runs the command.
pub(super) fn run(args: &Args, session: &Session) -> Result<Outcome> {
    let console = &session.console;
    let files = args.open_files()?;
    let registry = session.registry()?;
    let chosen = select(&args.algorithms, Stats::Perf, &registry, console)?;
    let ids: Vec<String> = chosen.into_iter().map(|chosen| chosen.id).collect();
    if ids.len() < 2 {
        return Err(Error::new(format!(
            "a border takes two algorithms, and there is `{}` alone",
            ids.concat()
        ))
        .remedy("name another one, too"));
    }
    let mut experiment = Experiment { algorithms: ids.clone(), runs: RUNS, ..Experiment::default() };
    args.options.apply(&mut experiment)?;
    let (grid, corpus) = args.grid(&mut experiment)?;
    let call = args.call.unwrap_or(Some(Call::Search));
    let interrupt = Interrupt::watch();
    let bar = console.progress(STEPS as u64);
    let mut measurement = PointMeasurement {
        experiment,
        corpus,
        has_sizes: grid.text_sizes.len() > 1,
        ids: &ids,
        call,
        registry: &registry,
        session,
        interrupt: &interrupt,
        bar: &bar,
        notes: MeasurementNotes::default(),
    };
    let crossover =
        search(&grid, args.budget, &mut |points| measurement.measure(points), &mut |share, points| {
            bar.set_position((share * STEPS) as u64);
            bar.set_message(measuring::place(points));
        });
    bar.finish_and_clear();
    let crossover = crossover?;
    let notes = &measurement.notes;
    notes.report(console);
    let Some(facts) = &notes.facts else {
        console.warn("interrupted: nothing was measured yet");
        return Ok(Outcome::Interrupted);
    };
    let shown = ShownCrossover::new(&ids, &grid, &crossover, facts, call);
    match (args.emit, &shown.dispatcher) {
        (Some(language), Some(dispatcher)) => {
            console.print(&language.source(dispatcher, &ids, &shown.about()))?;
        }
        (Some(_), None) => {}
        (None, _) => console.print(&shown.in_format(args.format))?,
    }
    for (file, language, output) in files {
        let Some(dispatcher) = &shown.dispatcher else { continue };
        let source = language.source(dispatcher, &ids, &shown.about());
        output.write(|out| out.write_all(source.as_bytes()))?;
        console.note(&format!("{} is written", file.display()));
    }
    if crossover.points.values().all(|standings| standings.leaders().is_empty()) {
        console.warn("nothing could be compared, so there are no borders and no dispatcher");
        return Ok(Outcome::SomethingFailed);
    }
    match crossover.end {
        CrossoverEnd::Interrupted => {
            console.warn("interrupted: what was measured before is shown");
            return Ok(Outcome::Interrupted);
        }
        CrossoverEnd::BudgetUsed => console.note(&format!(
            "the budget was used up, and {} left; a greater --budget narrows the borders",
            counted(crossover.left, "point") + if crossover.left == 1 { " was" } else { " were" }
        )),
        CrossoverEnd::Complete => {}
    }
    Ok(if notes.has_failures() { Outcome::SomethingFailed } else { Outcome::Done })
}

impl Args {
    /// The files of `--to`, each with its language, opened before anything is measured.
    fn open_files(&self) -> Result<Vec<(&PathBuf, SourceLanguage, Output)>> {
        let mut files = Vec::new();
        for file in &self.to {
            let name = file.display();
            let language = SourceLanguage::of_file(file).ok_or_else(|| {
                Error::new(format!("--to writes Rust or C, and `{name}` ends in none of .rs, .c and .h"))
                    .remedy("name a file such as choose.rs or choose.h")
            })?;
            files.push((file, language, Output::create(file)?));
        }
        Ok(files)
    }
}
