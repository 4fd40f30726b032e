use std::path::{Path, PathBuf};

use clap::builder::NonEmptyStringValueParser;
use clap::{ArgGroup, ValueHint};
use indicatif::ProgressBar;

use super::{Outcome, Session};
use crate::error::{Error, Result};
use crate::experiment::Resolved;
use crate::experiment::definition::{Experiment, Order, Pin, Stats};
use crate::experiment::pattern_spec::Pattern;
use crate::io::console::Console;
use crate::io::table::Format;
use crate::process::Interrupt;
use crate::report::export::run_table::{self, Shown};
use crate::results::Run;
use crate::results::folder::statistics;
use crate::run::{Finished, Step, execute};

const EXAMPLES: &str = "\
Examples:
  assay run bf bm hor                          times on the embedded text, 2 to 4096 bytes
  assay run bf bm hor --stats algo             what they do inside
  assay run 'bndm.*' --rand 4 --plen 8 64      all whose id matches, on random text over 4 letters
  assay run hor --text book.txt --pattern-hex 746865 --runs 1
  assay run --all --counters tsc,perf:page-faults --format json >result.json
  assay run hor --dry-run >experiment.toml; assay run experiment.toml

What is timed: one preparation and one search at a time, each for itself, in a process of its own for each algorithm.
Loading libraries, starting processes, reading counters and warm-up repetitions are in no figure. Every count is
checked against a reference search; what is wrong, too slow or dead costs its own row, and the exit status is 1 then.";

/// Measure algorithms: times and counters, or what they do inside
///
/// Texts are looked up as files or folders, then on ASSAY_DATA_PATH, then in ./data. Patterns are drawn from the text by
/// the seed, and are the same for all algorithms. SMART's single-dash options work too.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
#[command(group = ArgGroup::new("source").args(["text", "rand", "data", "corpus"]))]
#[command(group = ArgGroup::new("what").args(["pattern", "pattern_hex", "plen", "short", "very_short"]))]
pub struct Args {
    /// Algorithms: ids or regular expressions for whole ids, in any case; or an experiment as a .toml file
    #[arg(value_name = "ALGO|REGEX|FILE.toml")]
    algorithms: Vec<String>,
    /// All algorithms; with --stats algo, all that have an instrumented variant
    #[arg(long)]
    all: bool,
    /// Times and counters (perf), or what the instrumented variants count (algo) [default: perf]
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

    /// Search for this pattern
    #[arg(long, value_name = "STRING", value_parser = NonEmptyStringValueParser::new(), help_heading = "Patterns")]
    pattern: Option<String>,
    /// Search for this pattern, given in hexadecimal
    #[arg(long, value_name = "HEX", help_heading = "Patterns")]
    pattern_hex: Option<Pattern>,
    /// Lengths of the patterns drawn from the text [default: 2 4096]
    #[arg(long, value_names = ["MIN", "MAX"], num_args = 1..=2, help_heading = "Patterns")]
    plen: Vec<usize>,
    /// How to get from one length to the next: '*2' or '+4' [default: *2]
    #[arg(long, value_name = "*N|+N", requires = "plen", value_parser = parse_increment, help_heading = "Patterns")]
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
    /// Counters to read around each phase: see `assay counters list`
    #[arg(long, value_name = "BACKEND[:EVENT]", value_delimiter = ',', help_heading = "Measuring")]
    counters: Vec<String>,
    /// SMART's choice of CPU statistics: cache misses of the first and last level, branch misses
    #[arg(long, value_name = "KIND", value_delimiter = ',', help_heading = "Measuring")]
    cpu_stats: Vec<CpuStat>,
    /// The CPU to measure on: off, last or a number [default: last]
    #[arg(long, value_name = "CPU", help_heading = "Measuring")]
    pin: Option<Pin>,
    /// Measure in this process, without protection from what an algorithm does (for profiling)
    #[arg(long, help_heading = "Measuring")]
    in_process: bool,

    /// How to print the results
    #[arg(long, value_name = "FORMAT", default_value = "table", help_heading = "Results")]
    format: Format,
    /// A description to keep with the results
    #[arg(long, value_name = "TEXT", help_heading = "Results")]
    description: Option<String>,
    /// Decimals of the table
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(..=9), help_heading = "Results")]
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

/// SMART's names for hardware events.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum CpuStat {
    /// Misses of the first-level data cache
    First,
    /// Misses of the last-level cache
    Last,
    /// Mispredicted branches
    Branch,
}

impl CpuStat {
    /// The same, in the names of the counter backends.
    fn counter(self) -> &'static str {
        match self {
            CpuStat::First => "perf:L1-dcache-load-misses",
            CpuStat::Last => "perf:cache-misses",
            CpuStat::Branch => "perf:branch-misses",
        }
    }
}

/// How to get from one pattern length to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Increment {
    Times(usize),
    Plus(usize),
}

fn parse_increment(text: &str) -> Result<Increment, String> {
    let wrong = || format!("`{text}` is neither *N with N from 2 on nor +N with N from 1 on");
    let number = |digits: &str| digits.parse::<usize>().map_err(|_| wrong());
    match text.split_at_checked(1) {
        Some(("*", digits)) => {
            number(digits).and_then(|n| (n >= 2).then_some(Increment::Times(n)).ok_or_else(wrong))
        }
        Some(("+", digits)) => {
            number(digits).and_then(|n| (n >= 1).then_some(Increment::Plus(n)).ok_or_else(wrong))
        }
        _ => Err(wrong()),
    }
}

fn parse_size(text: &str) -> Result<usize, String> {
    let digits = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let shift = match unit.to_ascii_lowercase().as_str() {
        "b" => 0,
        "k" | "kib" => 10,
        "" | "m" | "mib" => 20,
        "g" | "gib" => 30,
        _ => return Err(format!("`{unit}` is none of B, KiB, MiB, GiB")),
    };
    let size = number.parse::<usize>().ok().and_then(|number| number.checked_mul(1 << shift));
    size.ok_or_else(|| format!("`{text}` is no size: write 64KiB, or 4 for 4 MiB"))
}

/// Greatest number of pattern lengths between the least and the greatest.
const MOST_LENGTHS: usize = 10_000;

/// The lengths from `plen` in steps.
fn lengths(plen: &[usize], increment: Increment) -> Result<Vec<usize>> {
    let (min, max) = (plen[0], *plen.last().expect("clap asks for one or two"));
    if min == 0 || min > max {
        let given: Vec<String> = plen.iter().map(usize::to_string).collect();
        return Err(Error::new(format!("--plen {}: no pattern has such a length", given.join(" ")))
            .remedy("give the least length, from 1 on, and then the greatest"));
    }
    let next = |length: &usize| match increment {
        Increment::Times(factor) => length.checked_mul(factor),
        Increment::Plus(step) => length.checked_add(step),
    };
    let all = std::iter::successors(Some(min), next).take_while(|length| *length <= max);
    let lengths: Vec<usize> = all.take(MOST_LENGTHS + 1).collect();
    if lengths.len() > MOST_LENGTHS {
        return Err(Error::new(format!("--plen {min} {max} makes more than {MOST_LENGTHS} pattern lengths"))
            .remedy("take a greater --increment"));
    }
    Ok(lengths)
}

impl Args {
    /// The experiment: from a file, if one is named, and the flags.
    fn experiment(&self) -> Result<Experiment> {
        let (files, names): (Vec<&String>, Vec<&String>) =
            self.algorithms.iter().partition(|name| name.ends_with(".toml"));
        let mut experiment = match files.as_slice() {
            [] => Experiment::default(),
            [file] => {
                let path: &Path = file.as_ref();
                let experiment = Experiment::load(path)?;
                experiment.validate().map_err(|error| error.within(path))?;
                experiment
            }
            [_, second, ..] => {
                return Err(Error::new(format!("more than one experiment is named: `{second}`")));
            }
        };
        if self.all {
            experiment.algorithms = vec![".*".to_owned()];
        } else if !names.is_empty() {
            experiment.algorithms = names.into_iter().cloned().collect();
        }
        if experiment.algorithms.is_empty() && self.text.len() > 1 {
            let words = self.text[1..].join("`, `");
            return Err(Error::new(format!("no algorithm is named, and `{words}` were taken for texts"))
                .remedy("name the algorithms before --text"));
        }
        self.apply(&mut experiment)?;
        Ok(experiment)
    }

    /// Flags win over a file.
    fn apply(&self, experiment: &mut Experiment) -> Result<()> {
        fn set<T: Clone>(target: &mut T, given: &Option<T>) {
            if let Some(given) = given {
                target.clone_from(given);
            }
        }
        set(&mut experiment.stats, &self.stats);
        set(&mut experiment.runs, &self.runs);
        set(&mut experiment.time_limit_ms, &self.time_limit);
        set(&mut experiment.warmup, &self.warmup);
        set(&mut experiment.order, &self.order);
        set(&mut experiment.rounds, &self.rounds);
        set(&mut experiment.pin, &self.pin);
        set(&mut experiment.description, &self.description);
        experiment.seed = self.seed.or(experiment.seed);
        experiment.in_process |= self.in_process;
        if !self.counters.is_empty() || !self.cpu_stats.is_empty() {
            experiment.counters = self.counters.clone();
            experiment.counters.extend(self.cpu_stats.iter().map(|stat| stat.counter().to_owned()));
        }
        let text = &mut experiment.text;
        let corpus = self.corpus.clone().or_else(|| self.rand.map(|sigma| format!("rand{sigma}")));
        if !self.text.is_empty() || corpus.is_some() || self.data.is_some() {
            (text.files, text.corpus, text.data) = (self.text.clone(), corpus, self.data.clone());
        }
        set(&mut text.bytes, &self.text_size);
        text.fill_buffer |= self.fill_buffer;
        self.apply_patterns(experiment)
    }

    fn apply_patterns(&self, experiment: &mut Experiment) -> Result<()> {
        let given = self.pattern.as_ref().map(|pattern| Pattern(pattern.as_bytes().to_vec()));
        let given = given.or_else(|| self.pattern_hex.clone());
        let increment = self.increment.unwrap_or(Increment::Times(2));
        let chosen = if self.short {
            (2..=32).step_by(2).collect()
        } else if self.very_short {
            (1..=16).collect()
        } else if !self.plen.is_empty() {
            lengths(&self.plen, increment)?
        } else {
            Vec::new()
        };
        if given.is_some() || !chosen.is_empty() {
            (experiment.patterns.given, experiment.patterns.lengths) = (given, chosen);
        }
        Ok(())
    }

    /// The results, as they are to be printed.
    fn render(&self, run: &Run) -> String {
        match self.format {
            Format::Table => run_table::render(
                run,
                Shown {
                    precision: self.precision.into(),
                    preprocessing: self.preprocessing,
                    occurrences: self.occurrences,
                },
            ),
            Format::Json => serde_json::to_string(run).expect("a run has a JSON form") + "\n",
            Format::Csv => statistics(run),
        }
    }
}

pub fn run(args: &Args, session: &Session) -> Result<Outcome> {
    let console = &session.console;
    let registry = session.registry()?;
    let resolved = args.experiment()?.resolve(&registry, console)?;
    if args.dry_run {
        console.print(&resolved.experiment.to_toml())?;
        return Ok(Outcome::Done);
    }
    console.detail(&resolved.describe());
    let interrupt = Interrupt::watch();
    let out = (!args.no_save).then_some(args.out.as_path());
    let bar = Bar::new(console, &resolved);
    let finished = execute(&resolved, &registry, out, interrupt.flag(), |step| bar.step(step));
    bar.0.finish_and_clear();
    let Some(Finished { run, saved }) = finished? else {
        console.warn("interrupted: nothing was measured yet");
        return Ok(Outcome::Interrupted);
    };
    // It is saved already: whoever reads the output may go away, or have no room for it. What can't be saved is printed all
    // the same.
    let printed = console.print(&args.render(&run));
    for remark in run.experiment.noise.remarks() {
        console.warn(&remark);
    }
    for cell in &run.results {
        if let Some(message) = &cell.message {
            let (status, length) = (cell.status.words(), cell.pattern_length);
            console.warn(&format!("{} m={length} {status}: {message}", cell.algorithm));
        }
    }
    if let Some(place) = saved? {
        console.note(&format!("saved in {}", place.display()));
    }
    printed?;
    if run.experiment.interrupted {
        console.warn("interrupted: what was measured before is kept");
        return Ok(Outcome::Interrupted);
    }
    let failed = run.results.iter().any(|cell| cell.status.is_failure());
    Ok(if failed { Outcome::SomethingFailed } else { Outcome::Done })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units_and_a_bare_number_is_mebibytes() {
        assert_eq!(parse_size("64KiB"), Ok(64 << 10));
        assert_eq!(parse_size("4"), Ok(4 << 20));
        assert_eq!(parse_size("100B"), Ok(100));
        assert!(parse_size("4XB").is_err() && parse_size("MiB").is_err());
        assert!(parse_size("99999999999999GiB").is_err());
    }

    #[test]
    fn lengths_go_from_the_least_to_the_greatest() {
        assert_eq!(lengths(&[2, 32], Increment::Times(2)).unwrap(), [2, 4, 8, 16, 32]);
        assert_eq!(lengths(&[3, 10], Increment::Plus(3)).unwrap(), [3, 6, 9]);
        assert_eq!(lengths(&[7], Increment::Times(2)).unwrap(), [7]);
        assert!(lengths(&[8, 4], Increment::Plus(1)).is_err());
        assert!(lengths(&[1, usize::MAX], Increment::Plus(1)).is_err());
        assert!(lengths(&[0, 4], Increment::Plus(1)).is_err());
    }

    #[test]
    fn increments_move_on() {
        assert_eq!(parse_increment("*2"), Ok(Increment::Times(2)));
        assert_eq!(parse_increment("+1"), Ok(Increment::Plus(1)));
        for wrong in ["*1", "+0", "2", "", "*x", "é"] {
            assert!(parse_increment(wrong).is_err(), "{wrong}");
        }
    }
}
