mod definition;
pub(super) mod values;

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::{ArgGroup, ValueHint};
use indicatif::ProgressBar;

use values::{CpuStat, Increment, Lengths, parse_increment, parse_lengths, parse_size};

use super::names::{self, Names};
use super::report::Asked;
use super::sets::InUse;
use super::{Outcome, Session};
use crate::conformance::{Passes, Subject};
use crate::error::{Error, Result};
use crate::experiment::Resolved;
use crate::experiment::definition::{Order, Pin, Stats};
use crate::experiment::pattern_spec::Pattern;
use crate::experiment::selection::Chosen;
use crate::io::console::Console;
use crate::io::table::Format;
use crate::plugin::Registry;
use crate::process::Interrupt;
use crate::report::Report;
use crate::report::export::run_table::{self, Shown};
use crate::results::folder::{SaveFolder, statistics};
use crate::results::{CellResult, Run};
use crate::run::{Finished, Step, execute};

const EXAMPLES: &str = "\
Examples:
  assay run bf bm hor               times on the embedded text, 2 to 4096 bytes
  assay run bf bm hor --stats algo  what they do inside
  assay run 'bndm.*' --rand 4 --plen 8 64
  assay run hor bm --plen 4,8,100 --metric gbps,ns_per_byte
  assay run hor bm --null           which differences are too small to be told here
  assay run hor --text book.txt --pattern-hex 746865 --runs 1
  assay run --all --counters tsc,perf:page-faults --format json >result.json
  assay run results/ID --runs 1000  a saved run again, with more repetitions
  assay run hor --dry-run >experiment.toml; assay run experiment.toml

What is timed: one preparation and one search at a time, each for itself, in a process of its own for each algorithm. \
Loading libraries, starting processes, reading counters and warm-up repetitions are in no figure. Every count is checked \
against a reference search; what is wrong, too slow or dead costs its own row, and the exit status is 1 then.";

/// Measure algorithms: times and counters, or what they do inside
///
/// Texts are looked up as files or folders, then on ASSAY_DATA_PATH, then in ./data. Patterns are drawn from the text by
/// the seed, and are the same for all algorithms. SMART's single-dash options work too.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
#[command(group = ArgGroup::new("source").args(["text", "rand", "data", "corpus"]))]
#[command(group = ArgGroup::new("what").args(["pattern", "pattern_hex", "plen", "short", "very_short"]))]
pub struct Args {
    /// Algorithms: ids, regular expressions for whole ids, or names, in any case; or an experiment: a .toml file, a
    /// saved run by its folder or id, or `last`, the newest
    #[arg(value_name = "ALGO|REGEX|FILE.toml|results/ID|last")]
    algorithms: Vec<String>,
    /// All algorithms; with --stats algo, all that have an instrumented variant
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    sets: InUse,
    /// Times and counters (perf), or what the instrumented variants count (algo; -v tells what that means)
    /// [default: perf]
    #[arg(long)]
    stats: Option<Stats>,

    /// Texts: names, files or folders, joined (name algorithms before this option)
    #[arg(long, value_name = "NAME|FILE|DIR", num_args = 1.., value_hint = ValueHint::AnyPath, help_heading = "Text")]
    text: Vec<String>,
    /// Uniformly random text over SIGMA letters (2 to 256)
    #[arg(long, value_name = "SIGMA", help_heading = "Text")]
    rand: Option<usize>,
    /// This very text
    #[arg(long, value_name = "STRING", help_heading = "Text")]
    data: Option<String>,
    /// A generated text: see `assay list corpora`
    #[arg(long, value_name = "NAME", help_heading = "Text")]
    corpus: Option<String>,
    /// Greatest size of the text; a bare number is MiB [default: 1MiB]
    #[arg(long, value_name = "N[B|KiB|MiB|GiB]", value_parser = parse_size, help_heading = "Text")]
    text_size: Option<usize>,
    /// Repeat a shorter text until it has that size
    #[arg(long, help_heading = "Text")]
    fill_buffer: bool,
    /// Repeat an experiment though its text has changed, with the text as it is now
    #[arg(long, help_heading = "Text")]
    force: bool,

    /// Search for this pattern
    #[arg(long, value_name = "STRING", value_parser = NonEmptyStringValueParser::new(), help_heading = "Patterns")]
    pattern: Option<String>,
    /// Search for this pattern, given in hexadecimal
    #[arg(long, value_name = "HEX", help_heading = "Patterns")]
    pattern_hex: Option<Pattern>,
    /// Lengths of the patterns drawn from the text: one, from MIN to MAX, or a list [default: 2 4096]
    #[arg(long, value_name = "MIN [MAX]|N,N,..", value_parser = parse_lengths, help_heading = "Patterns")]
    plen: Option<Lengths>,
    /// How to get from one length to the next: '*2' or '+4' [default: *2]
    #[arg(long, value_name = "*N|+N", conflicts_with_all = ["pattern", "pattern_hex", "short", "very_short"], value_parser = parse_increment, help_heading = "Patterns")]
    increment: Option<Increment>,
    /// Lengths 2 to 32 in steps of 2
    #[arg(long, help_heading = "Patterns")]
    short: bool,
    /// Lengths 1 to 16
    #[arg(long, help_heading = "Patterns")]
    very_short: bool,

    /// Repetitions for each algorithm and length, each with a pattern of its own [default: 500]
    #[arg(long, value_name = "N", help_heading = "Measuring")]
    runs: Option<usize>,
    /// Decides patterns, generated text and order [default: random, and told]
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(..1 << 63), help_heading = "Measuring")]
    seed: Option<u64>,
    /// End a search that takes longer, preparation included [default: 300]
    #[arg(long, value_name = "MS", help_heading = "Measuring")]
    time_limit: Option<u64>,
    /// Repetitions before each block that are not measured [default: 1]
    #[arg(long, value_name = "N", help_heading = "Measuring")]
    warmup: Option<usize>,
    /// Who measures when [default: interleaved]
    #[arg(long, help_heading = "Measuring")]
    order: Option<Order>,
    /// Rounds, each with a part of the repetitions and with fresh workers: intervals come from them [default: 10]
    #[arg(long, value_name = "N", help_heading = "Measuring")]
    rounds: Option<usize>,
    /// Counters to read around each phase: see `assay counters list`. Commas separate them, but not between slashes or in
    /// brackets: perf:cpu/event=0x3c,umask=0x0/ is one
    #[arg(long, value_name = "BACKEND[:EVENT],..", help_heading = "Measuring")]
    counters: Vec<Names>,
    /// SMART's choice of CPU statistics: accesses and misses of the first and the last level of cache, branches and misses
    #[arg(long, value_name = "KIND", value_delimiter = ',', help_heading = "Measuring")]
    cpu_stats: Vec<CpuStat>,
    /// Let valgrind simulate what --cpu-stats counts, where the CPU counts nothing: times are void then
    #[arg(long, requires = "cpu_stats", help_heading = "Measuring")]
    simulate: bool,
    /// Let counters take turns where the CPU has too few for all: counts are scaled up from a part of the time
    #[arg(long, help_heading = "Measuring")]
    multiplex: bool,
    /// The CPU to measure on: off, last or a number [default: last]
    #[arg(long, value_name = "CPU", help_heading = "Measuring")]
    pin: Option<Pin>,
    /// Measure in this process, without protection from what an algorithm does (for profiling)
    #[arg(long, help_heading = "Measuring")]
    in_process: bool,
    /// Measure the noise floor: the first algorithm takes part twice, and by how much it differs from itself is told; no
    /// smaller difference is called one
    #[arg(long, help_heading = "Measuring")]
    null: bool,

    /// Compute these of each search, as `assay report` does, instead of showing times: see `assay list metrics`
    #[arg(long, value_name = "METRIC,..", help_heading = "Results")]
    metric: Vec<Names>,
    /// How to print the results
    #[arg(long, value_name = "FORMAT", default_value = "table", help_heading = "Results")]
    format: Format,
    /// A description to keep with the results
    #[arg(long, value_name = "TEXT", help_heading = "Results")]
    description: Option<String>,
    /// Decimals of the table
    #[arg(long, value_name = "N", default_value_t = Shown::PRECISION, value_parser = clap::value_parser!(u8).range(..=9), help_heading = "Results")]
    precision: u8,
    /// Show the times of the preparation too
    #[arg(long, help_heading = "Results")]
    preprocessing: bool,
    /// Show the mean number of occurrences too
    #[arg(long, help_heading = "Results")]
    occurrences: bool,
    /// The folder in which the run's own folder is made
    #[arg(long, value_name = "DIR", default_value = "results", value_hint = ValueHint::DirPath, help_heading = "Results")]
    out: PathBuf,
    /// Keep nothing
    #[arg(long, help_heading = "Results")]
    no_save: bool,
    /// Check everything, print the experiment as TOML and measure nothing
    #[arg(long, help_heading = "Results")]
    dry_run: bool,
}

impl Args {
    /// The results, as they are to be printed.
    fn render(&self, run: &Run, untested: &BTreeSet<String>) -> String {
        match self.format {
            Format::Table => run_table::render(
                run,
                Shown {
                    precision: self.precision.into(),
                    preprocessing: self.preprocessing,
                    occurrences: self.occurrences,
                    untested: Some(untested),
                    chosen_by: &self.chosen_by(),
                },
            ),
            Format::Json => serde_json::to_string(run).expect("a run has a JSON form") + "\n",
            Format::Csv => statistics(run),
        }
    }

    /// What is asked of the run with `--metric`.
    fn asked(&self) -> Asked {
        Asked {
            metrics: names::all(&self.metric),
            statistics: vec!["med".to_owned()],
            calls: None,
            include_failed: false,
            discard_first: false,
            format: self.format,
        }
    }

    /// Refuses metrics that this run will not have, before anything is measured: they are asked of the same run without rows.
    fn check_metrics(&self, resolved: &Resolved, registry: &Registry) -> Result<()> {
        if self.metric.is_empty() {
            return Ok(());
        }
        let failed = |error| Error::io("make the folder", &std::env::temp_dir(), &error);
        let folder = tempfile::tempdir().map_err(failed)?;
        let empty = SaveFolder::create(folder.path(), "empty")?;
        empty.begin(resolved, &Run::new(resolved, "empty".to_owned(), 0.0))?;
        self.asked().check(&Report::load(empty.path())?, registry)
    }
}

pub fn run(args: &Args, session: &Session) -> Result<Outcome> {
    let console = &session.console;
    let registry = session.registry()?;
    let resolved = args.experiment(&registry, session)?.resolve(&registry, console)?;
    if args.dry_run {
        console.print(&resolved.experiment.to_toml())?;
        return Ok(Outcome::Done);
    }
    args.check_metrics(&resolved, &registry)?;
    console.detail(&resolved.describe());
    let interrupt = Interrupt::watch();
    // Metrics are computed from what is saved, so it is kept for as long as that takes.
    let passing = (args.no_save && !args.metric.is_empty()).then(tempfile::tempdir).transpose();
    let passing = passing.map_err(|error| Error::io("make the folder", &std::env::temp_dir(), &error))?;
    let out = match &passing {
        Some(folder) => Some(folder.path()),
        None => (!args.no_save).then_some(args.out.as_path()),
    };
    let bar = Bar::new(console, &resolved);
    let finished = execute(&resolved, &registry, out, interrupt.flag(), |step| bar.step(step));
    bar.0.finish_and_clear();
    let Some(Finished { run, saved }) = finished? else {
        console.warn("interrupted: nothing was measured yet");
        return Ok(Outcome::Interrupted);
    };
    // It is saved already: whoever reads the output may go away, or have no room for it. What can't be saved is printed all
    // the same.
    let printed = match (&saved, args.metric.is_empty()) {
        (Ok(Some(place)), false) => args.asked().print(&Report::load(place)?, &registry, console),
        _ => console.print(&args.render(&run, &untested(&resolved, &registry))).map(|()| Outcome::Done),
    };
    if args.metric.is_empty() && args.format == Format::Table && run.experiment.instrumented() {
        console.detail(&format!("What the counts of one search mean:\n{}", run_table::meanings(&run)));
    }
    for remark in run.experiment.remarks() {
        console.warn(&remark);
    }
    for told in failures(&run).into_iter().chain(silent(&run)) {
        console.warn(&told);
    }
    if let Some(place) = saved?.filter(|_| passing.is_none()) {
        console.note(&format!("saved in {}", place.display()));
    }
    let printed = printed?;
    if run.experiment.interrupted {
        console.warn("interrupted: what was measured before is kept");
        return Ok(Outcome::Interrupted);
    }
    let failed = run.results.iter().any(|cell| cell.status.is_failure());
    Ok(if failed { Outcome::SomethingFailed } else { printed })
}

/// The algorithms of an experiment that have not passed their test.
fn untested(resolved: &Resolved, registry: &Registry) -> BTreeSet<String> {
    let passes = Passes::open();
    let lacks = |chosen: &&Chosen| {
        !Subject::beside(registry, &chosen.listing).is_some_and(|subject| passes.has_passed(&subject))
    };
    resolved.algorithms.iter().filter(lacks).map(|chosen| chosen.id.clone()).collect()
}

/// Why cells failed: a line for those of an algorithm that failed alike.
fn failures(run: &Run) -> Vec<String> {
    let mut alike: Vec<(&CellResult, Vec<String>)> = Vec::new();
    for cell in run.results.iter().filter(|cell| cell.message.is_some()) {
        let failure = |cell: &CellResult| (cell.algorithm.clone(), cell.status, cell.message.clone());
        let length = cell.pattern_length.to_string();
        match alike.iter_mut().find(|(other, _)| failure(other) == failure(cell)) {
            Some((_, lengths)) => lengths.push(length),
            None => alike.push((cell, vec![length])),
        }
    }
    let line = |(cell, lengths): (&CellResult, Vec<String>)| {
        let message = cell.message.as_deref().unwrap_or_default();
        format!("{} m={} {}: {message}", cell.algorithm, lengths.join(","), cell.status.words())
    };
    alike.into_iter().map(line).collect()
}

/// Whose rows have no figure though nothing failed: a line for each algorithm, in order.
fn silent(run: &Run) -> BTreeSet<String> {
    let cells = run.results.iter().filter(|cell| cell.lacks_counts());
    cells.map(|cell| format!("`{}` measured nothing ({})", cell.variant, cell.library)).collect()
}

/// Shows how far a run is: first the reference counts, then what is measured.
struct Bar(ProgressBar);

impl Bar {
    fn new(console: &Console, resolved: &Resolved) -> Self {
        let bar = console.progress(resolved.searches() * (1 + resolved.algorithms.len() as u64));
        bar.set_message("reference counts");
        Bar(bar)
    }

    fn step(&self, step: Step<'_>) {
        match step {
            Step::Counted => self.0.inc(1),
            Step::Measured { algorithm, pattern_length, repetitions } => {
                self.0.set_message(format!("{algorithm} m={pattern_length}"));
                self.0.inc(repetitions as u64);
            }
        }
    }
}
