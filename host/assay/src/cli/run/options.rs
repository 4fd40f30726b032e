//! The options that `run` shares with other commands that measure: the text, the patterns, and the method.

use assay_base::error::{Error, Result};
use assay_experiment::definition::{CpuPin, Experiment, Order};
use assay_experiment::pattern_kind::PatternKind;
use assay_experiment::pattern_spec::Pattern;
use assay_experiment::range::Over;
use assay_experiment::size::parse_size;
use clap::builder::{NonEmptyStringValueParser, StyledStr};
use clap::{Arg, ArgGroup, ValueHint};

use super::values::{Increment, Lengths, parse_increment, parse_lengths};

/// The corpus of `--rand`, and of a range over alphabets without a corpus.
pub(crate) const RANDOM: &str = "rand";

/// Text, patterns, and how they are measured.
#[derive(clap::Args, Debug)]
#[command(group = ArgGroup::new("source").args(["text", "rand", "data", "corpus"]))]
#[command(group = ArgGroup::new("what").args(["pattern", "pattern_hex", "plen", "short", "very_short"]))]
pub(crate) struct Options {
    /// Texts: names, files or folders, joined
    ///
    /// Name the algorithms before this option, because all words that follow it are texts. `assay list texts`
    /// shows the names
    #[arg(long, value_name = "NAME|FILE|DIR", num_args = 1.., value_hint = ValueHint::AnyPath, help_heading = "Text")]
    pub text: Vec<String>,
    /// Uniformly random text over SIGMA letters (2 to 256)
    #[arg(long, value_name = "SIGMA", value_parser = parse_letters, help_heading = "Text")]
    rand: Option<usize>,
    /// Search this string
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
    /// Use a text that has changed since the experiment was recorded. With --resume, continue although a
    /// library, assay or the machine has changed; the new part is marked
    #[arg(long, help_heading = "Text")]
    pub force: bool,

    /// Search for this pattern
    #[arg(long, value_name = "STRING", value_parser = NonEmptyStringValueParser::new(), help_heading = "Patterns")]
    pattern: Option<String>,
    /// Search for this pattern, given in hexadecimal
    #[arg(long, value_name = "HEX", help_heading = "Patterns")]
    pattern_hex: Option<Pattern>,
    /// Lengths of the patterns [default: 2 4096]
    ///
    /// One, from MIN to MAX, or a list; the patterns are drawn from the text
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
    /// Which patterns of the text: drawn anywhere; absent, made of its letters; rare or common, the least or
    /// most frequent tenth of a sample; or those at places that take turns, as at:start,middle,end,12345,50%
    /// [default: drawn]
    #[arg(long, value_name = "drawn|absent|rare|common|at:PLACE,..", conflicts_with_all = ["pattern", "pattern_hex"], help_heading = "Patterns")]
    patterns: Option<PatternKind>,

    /// Repetitions of each length [default: 500]
    ///
    /// Each has a pattern of its own, which all algorithms search for
    #[arg(long, value_name = "N", help_heading = "Measuring")]
    runs: Option<usize>,
    /// Decides patterns, generated text and order [default: random, and printed]
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(..1 << 63), help_heading = "Measuring")]
    seed: Option<u64>,
    /// End a search that takes longer, preparation included [default: 300]
    #[arg(long, value_name = "MS", help_heading = "Measuring")]
    time_limit: Option<u64>,
    /// Repetitions before each block that are not measured [default: 1]
    #[arg(long, value_name = "N", help_heading = "Measuring")]
    warmup: Option<usize>,
    /// Flush the text from the caches before each repetition: searches of a text that was not read just now
    #[arg(long, help_heading = "Measuring")]
    cold: bool,
    /// The order of measurement [default: interleaved]
    #[arg(long, help_heading = "Measuring")]
    order: Option<Order>,
    /// Rounds, each with a part of the repetitions and with fresh workers: intervals come from them [default:
    /// 10]
    #[arg(long, value_name = "N", help_heading = "Measuring")]
    rounds: Option<usize>,
    /// The CPU to measure on: off, last or a number [default: last]
    #[arg(long, value_name = "CPU", help_heading = "Measuring")]
    pin: Option<CpuPin>,
    /// Measure in this process, without protection from what an algorithm does (for profiling)
    #[arg(long, help_heading = "Measuring")]
    in_process: bool,
    /// Time debug builds too, without a warning; their figures are marked (ASSAY_ALLOW_DEBUG=1 does the same)
    #[arg(long, help_heading = "Measuring")]
    allow_debug: bool,
}

/// An option of [`Options`] whose default value is another one in a command.
pub(crate) fn with_default(option: Arg, value: &str) -> Arg {
    const START: &str = "[default: ";
    let changed = |help: &StyledStr| {
        let help = help.to_string();
        let (before, rest) = help.split_once(START)?;
        Some(format!("{before}{START}{value}{}", &rest[rest.find(']')?..]))
    };
    let short = option.get_help().and_then(changed);
    let long = option.get_long_help().and_then(changed);
    let option = option.help(short.expect("the help names the default value"));
    match long {
        Some(long) => option.long_help(long),
        None => option,
    }
}

/// The value of `--rand`.
fn parse_letters(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|letters| (2..=256).contains(letters)).ok_or_else(|| {
        "a number of letters is expected, from 2 to 256: `--rand 4` has the bytes 0, 1, 2 and 3".to_owned()
    })
}

impl Options {
    /// Overrides the settings of a file by the flags.
    ///
    /// # Errors
    /// If options don't go together.
    pub(crate) fn apply(&self, experiment: &mut Experiment) -> Result<()> {
        fn set<T: Clone>(target: &mut T, given: &Option<T>) {
            if let Some(given) = given {
                target.clone_from(given);
            }
        }
        set(&mut experiment.runs, &self.runs);
        set(&mut experiment.time_limit_ms, &self.time_limit);
        set(&mut experiment.warmup, &self.warmup);
        set(&mut experiment.order, &self.order);
        set(&mut experiment.rounds, &self.rounds);
        set(&mut experiment.pin, &self.pin);
        experiment.seed = self.seed.or(experiment.seed);
        experiment.in_process |= self.in_process;
        experiment.cold |= self.cold;
        experiment.allow_debug = self.allow_debug;
        if self.text_size.is_some() && experiment.varies(Over::TextBytes) {
            return Err(Error::new("both a text size and a range over text sizes are given")
                .remedy("leave out --text-size: each value of the range is one"));
        }
        let text = &mut experiment.text;
        let corpus = self.corpus.clone().or_else(|| self.rand.map(|sigma| format!("{RANDOM}{sigma}")));
        if !self.text.is_empty() || corpus.is_some() || self.data.is_some() {
            (text.files, text.corpus, text.data) = (self.text.clone(), corpus, self.data.clone());
            text.recorded.clear();
        }
        set(&mut text.bytes, &self.text_size);
        text.fill_buffer |= self.fill_buffer;
        text.force = self.force;
        self.apply_patterns(experiment)
    }

    fn apply_patterns(&self, experiment: &mut Experiment) -> Result<()> {
        let given = self.pattern.as_ref().map(|pattern| Pattern(pattern.as_bytes().to_vec()));
        let given = given.or_else(|| self.pattern_hex.clone());
        let chosen = if self.short {
            (2..=32).step_by(2).collect()
        } else if self.very_short {
            (1..=16).collect()
        } else {
            match (&self.plen, self.increment) {
                (Some(lengths), increment) => lengths.all(increment)?,
                (None, Some(_)) if !experiment.patterns.lengths.is_empty() => {
                    return Err(Error::new(
                        "--increment goes from a least to a greatest length, and the experiment lists them",
                    )
                    .remedy("give --plen MIN MAX too"));
                }
                (None, Some(increment)) => Lengths::DEFAULT.all(Some(increment))?,
                (None, None) => Vec::new(),
            }
        };
        let patterns = &mut experiment.patterns;
        if given.is_some() {
            patterns.kind = PatternKind::Drawn;
        }
        if given.is_some() || !chosen.is_empty() {
            (patterns.given, patterns.lengths) = (given, chosen);
        }
        if let Some(kind) = &self.patterns {
            (patterns.given, patterns.kind) = (None, kind.clone());
        }
        Ok(())
    }
}
