//! The experiment: everything that decides what a run measures. Flags and TOML files give the same type, and
//! a saved run holds it, so that the run can be repeated.

use std::collections::BTreeMap;
use std::path::Path;

use assay_base::error::{Error, Result};
use assay_base::io::toml_input;
use clap::ValueEnum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::by_length::ByLength;
use super::calls::CallSpec;
use super::how_long::{Budget, TargetWidth};
use super::pattern_spec::PatternSpec;
use super::range::{Over, Range};
use super::text_spec::TextSpec;

/// Greatest number of repetitions of all cells together. Their rows take some 40 GB, which is more than most
/// disks have free.
const MOST_MEASUREMENTS: usize = 1_000_000_000;

/// What to measure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Experiment {
    /// What the experiment is for, in the user's words.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Ids of the algorithms, or regular expressions that match whole ids.
    pub algorithms: Vec<String>,
    /// Whether to measure times and counters, or to count what the algorithms do inside.
    pub stats: Stats,
    /// Number of repetitions of each algorithm at each range value, each with a pattern of its own.
    pub runs: usize,
    /// A formula for the number of repetitions at a range value, over `text_length` (all bytes that a
    /// repetition searches) and `pattern_length`. Its value is rounded and kept within 1 to `runs`. Without
    /// it, every range value has `runs`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs_by: Option<ByLength>,
    /// Decides patterns, generated texts and the order of measuring. If it is left out, it is drawn at
    /// random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Greatest time of one preparation and search, in milliseconds. A search that takes longer is ended.
    pub time_limit_ms: u64,
    /// Number of repetitions before each block that are not measured.
    pub warmup: usize,
    /// Whether to flush the text from the caches before each repetition.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cold: bool,
    /// The order in which algorithms, range values and repetitions take turns.
    pub order: Order,
    /// Number of rounds. Each goes through all range values and algorithms with a part of the repetitions and
    /// with fresh workers.
    pub rounds: usize,
    /// Continue, in rounds of the same size, until the interval of each median is this narrow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<TargetWidth>,
    /// Continue, in rounds of the same size, for this long.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
    /// If the run continues: the greatest number of repetitions at a range value. If it is left out, 100
    /// times `runs`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most_runs: Option<usize>,
    /// The counters to read around each call: `backend` or `backend:event`.
    pub counters: Vec<String>,
    /// The counter that reports show first, instead of the time: `backend:event`, which is then counted, or an
    /// event of one of the counters, such as `cycles`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_counter: Option<String>,
    /// Options of counter backends, as `backend.option=value`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub counter_options: Vec<String>,
    /// Whether groups of events may take turns if the hardware has too few counters. Their counts are then
    /// scaled up.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub multiplex: bool,
    /// How many threads search together, each a part of the text.
    #[serde(skip_serializing_if = "is_one")]
    pub threads: usize,
    /// Whether the searches after a preparation are done at the same time, each by a thread that prepares for
    /// itself.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub calls_parallel: bool,
    /// Whether all values of the sum-range are gone through at the same time, and all searches of each.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sumrange_parallel: bool,
    /// A formula for the number of operations of a repetition's searches, such as `2 * text_length`. Metrics
    /// call it `flops`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complexity: Option<ByLength>,
    /// How many operations this machine can do in a nanosecond. The metric `efficiency` is a share of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_gflops: Option<f64>,
    /// The CPU that the workers run on.
    pub pin: CpuPin,
    /// Whether to measure in the host's own process. This is for profilers, and nothing protects the host
    /// from the algorithms.
    pub in_process: bool,
    /// Whether to time debug builds. It is not saved, so that a repeated run asks again.
    #[serde(skip)]
    pub allow_debug: bool,
    /// What varies instead of the pattern length.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<Range>,
    /// The texts that each repetition goes through, preparing anew for each. Its figures are sums over them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sumrange: Option<Range>,
    /// The text.
    pub text: TextSpec,
    /// The patterns.
    pub patterns: PatternSpec,
    /// The ids among the algorithms that meant others before, each with the last version in which they did: an
    /// id that has changed and is missing here has its old meaning. It is recorded together with the text, so
    /// a file without records of its text says nothing of the meaning of its ids.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub changed_ids: BTreeMap<String, String>,
    /// What is searched after each preparation, in order. If it is left out, the text is searched once.
    #[serde(rename = "call", skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<CallSpec>,
}

/// Whether the number of threads is the default, so that a file need not name it.
fn is_one(threads: &usize) -> bool {
    *threads == 1
}

impl Default for Experiment {
    fn default() -> Self {
        Experiment {
            description: String::new(),
            algorithms: Vec::new(),
            stats: Stats::Perf,
            runs: 500,
            runs_by: None,
            seed: None,
            time_limit_ms: 300,
            warmup: 1,
            cold: false,
            order: Order::Interleaved,
            rounds: 10,
            until: None,
            budget: None,
            most_runs: None,
            counters: Vec::new(),
            first_counter: None,
            counter_options: Vec::new(),
            multiplex: false,
            threads: 1,
            calls_parallel: false,
            sumrange_parallel: false,
            complexity: None,
            peak_gflops: None,
            pin: CpuPin::Last,
            in_process: false,
            allow_debug: false,
            range: None,
            sumrange: None,
            text: TextSpec::default(),
            patterns: PatternSpec::default(),
            changed_ids: BTreeMap::new(),
            calls: Vec::new(),
        }
    }
}

/// What a run measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Stats {
    /// Times of the calls, and counters.
    Perf,
    /// What the instrumented twin of each algorithm counts: bytes read, branches, jumps, look-ups ..
    Algo,
}

/// The order in which algorithms take turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// Each round goes through the lengths in shuffled order; at each length, the algorithms take turns on
    /// the same patterns, in shuffled order, so that a drift of the machine affects all of them alike
    Interleaved,
    /// One algorithm after the other, length by length, with all repetitions at once, as SMART does; there is
    /// only one round
    Sequential,
    /// Each round goes through the blocks of all algorithms and lengths in one shuffled order
    Shuffled,
}

impl Order {
    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Order::Interleaved => "interleaved",
            Order::Sequential => "sequential",
            Order::Shuffled => "shuffled",
        }
    }
}

/// The CPU that the workers run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub enum CpuPin {
    /// The system places the workers, and may move them.
    Off,
    /// The last CPU that this process may use.
    Last,
    /// The CPU of this number.
    Cpu(usize),
}

impl std::str::FromStr for CpuPin {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "off" => Ok(CpuPin::Off),
            "last" => Ok(CpuPin::Last),
            _ => text
                .parse()
                .map(CpuPin::Cpu)
                .map_err(|_| format!("`{text}` is not off, last or the number of a CPU")),
        }
    }
}

impl TryFrom<String> for CpuPin {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<CpuPin> for String {
    fn from(pin: CpuPin) -> Self {
        match pin {
            CpuPin::Off => "off".to_owned(),
            CpuPin::Last => "last".to_owned(),
            CpuPin::Cpu(cpu) => cpu.to_string(),
        }
    }
}

/// Whether an experiment has a field of this name, outside all tables of the file.
pub(super) fn is_field(name: &str) -> bool {
    let refused = toml::from_str::<Experiment>(&format!("{name} = {{ }}")).err();
    refused.is_none_or(|error| !error.message().starts_with("unknown field"))
}

impl Experiment {
    /// Reads a TOML file.
    ///
    /// # Errors
    /// If the file can't be read or is not an experiment. The message names file and line.
    pub fn load(path: &Path) -> Result<Self> {
        toml_input::read(path).map_err(|error: Error| {
            if error.is_denied() {
                return error;
            }
            let message = error.to_string();
            let field = toml_input::unknown_field(&message).filter(|field| is_field(field));
            error.remedy(match field {
                Some(field) => format!("`{field}` belongs above the first [table] of the file"),
                None => "`assay run --dry-run ..` prints an experiment to start from".to_owned(),
            })
        })
    }

    /// The experiment without what was recorded when it was resolved, to compare what was asked for.
    #[must_use]
    pub fn without_records(mut self) -> Self {
        self.text.recorded.clear();
        self.changed_ids.clear();
        self
    }

    /// The experiment as a TOML file.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("an experiment has a TOML form")
    }

    /// Whether the run may continue after the rounds that were asked for.
    pub fn goes_on(&self) -> bool {
        self.until.is_some() || self.budget.is_some()
    }

    /// The rule by which a run continued, as a sentence. It does not say whether the intervals became narrow
    /// enough.
    pub fn goes_on_in_words(&self) -> Option<String> {
        let rule = match (self.until, self.budget) {
            (None, None) => return None,
            (Some(until), None) => format!("until each interval was within ±{until}"),
            (None, Some(budget)) => format!("until {budget} after the run began, the widest intervals first"),
            (Some(until), Some(budget)) => {
                format!(
                    "until each interval was within ±{until}, the widest first, or until {budget} after the run began"
                )
            }
        };
        let (runs, most) = (self.runs, self.most_runs(self.rounds()));
        Some(match &self.runs_by {
            None => format!("Repeated {runs} times, then {rule}; at most {most} times"),
            Some(_) => format!(
                "Repeated as asked for, then {rule}; at most {most} times where {runs} were asked for, others in proportion"
            ),
        })
    }

    /// What varies from column to column.
    pub fn over(&self) -> Over {
        self.range.as_ref().map_or(Over::PatternLength, Range::over)
    }

    /// Whether the range or the sum-range goes over this quantity.
    pub fn varies(&self, what: Over) -> bool {
        [&self.range, &self.sumrange].into_iter().flatten().any(|range| range.over() == what)
    }

    /// Whether several searches are done at the same time, each by a thread of its own.
    pub fn is_parallel(&self) -> bool {
        self.calls_parallel || self.sumrange_parallel
    }

    /// The greatest number of threads that search together.
    pub(crate) fn most_threads(&self) -> usize {
        if self.is_parallel() {
            let searches: usize = self.calls.iter().map(|call| call.searches).sum::<usize>().max(1);
            let values = self.sumrange.as_ref().filter(|_| self.sumrange_parallel);
            return searches * values.map_or(1, |values| values.values().len());
        }
        match &self.range {
            Some(Range::Threads(values)) => values.iter().copied().max().unwrap_or(1),
            _ => self.threads,
        }
    }

    /// Whether the experiment declares the calls of a repetition, instead of one preparation and one search.
    pub fn has_calls(&self) -> bool {
        self.sumrange.is_some() || !self.calls.is_empty()
    }

    /// Whether the calls declare their operations, each its own.
    pub fn calls_have_complexity(&self) -> bool {
        self.calls.iter().any(|call| call.complexity.is_some())
    }

    /// Whether each call names its text, so that the text of the experiment is not searched.
    pub(crate) fn calls_name_all_texts(&self) -> bool {
        !self.calls.is_empty() && self.calls.iter().all(|call| call.text.is_some())
    }

    /// Checks the number of all repetitions: those of each point, for this number of algorithms.
    ///
    /// # Errors
    /// If they are more than a machine can hold.
    pub(crate) fn check_size(&self, algorithms: usize, repetitions: &[usize]) -> Result<()> {
        let runs = repetitions.iter().fold(0, |sum: usize, runs| sum.saturating_add(*runs));
        if runs.saturating_mul(algorithms) <= MOST_MEASUREMENTS {
            return Ok(());
        }
        let (most, points) = (repetitions.iter().max().unwrap_or(&0), repetitions.len());
        let over = if points == 1 { self.over().words() } else { self.over().plural() };
        Err(Error::new(format!(
            "{}{most} runs for {algorithms} algorithm(s) and {points} {over} are more than {MOST_MEASUREMENTS} measurements",
            if self.runs_by.is_some() { "up to " } else { "" },
        ))
        .remedy(format!(
            "give fewer --{}runs, algorithms or {}, or make several experiments of this one",
            if self.goes_on() { "most-" } else { "" },
            self.over().plural()
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stopping_rule_is_a_sentence_in_the_past_tense() {
        let words = |until: Option<&str>, budget: Option<&str>, runs_by: Option<&str>| {
            let until = until.map(|until| until.parse().unwrap());
            let budget = budget.map(|budget| budget.parse().unwrap());
            let runs_by = runs_by.map(|formula| formula.parse().unwrap());
            let experiment = Experiment {
                runs: 20,
                most_runs: Some(140),
                until,
                budget,
                runs_by,
                ..Experiment::default()
            };
            experiment.goes_on_in_words()
        };
        assert_eq!(words(None, None, None), None);
        assert_eq!(
            words(Some("2%"), None, None).unwrap(),
            "Repeated 20 times, then until each interval was within ±2%; at most 140 times"
        );
        assert_eq!(
            words(None, Some("10s"), None).unwrap(),
            "Repeated 20 times, then until 10s after the run began, the widest intervals first; at most 140 times"
        );
        assert_eq!(
            words(Some("2%"), Some("10s"), Some("100 / text_length")).unwrap(),
            "Repeated as asked for, then until each interval was within ±2%, the widest first, or until 10s after the run began; at \
             most 140 times where 20 were asked for, others in proportion"
        );
    }

    #[test]
    fn an_experiment_survives_its_file() {
        let experiment = Experiment {
            algorithms: vec!["bf".into()],
            seed: Some(7),
            pin: CpuPin::Cpu(1),
            text: TextSpec { corpus: Some("rand4".into()), ..TextSpec::default() },
            ..Experiment::default()
        };
        assert_eq!(toml::from_str::<Experiment>(&experiment.to_toml()).unwrap(), experiment);
    }

    #[test]
    fn what_is_cold_is_timed() {
        let cold = |stats| Experiment { cold: true, stats, ..Experiment::default() }.validate();
        assert!(cold(Stats::Perf).is_ok() && cold(Stats::Algo).is_err());
    }

    #[test]
    fn an_experiment_has_a_greatest_size() {
        let check =
            |repetitions: &[usize], algorithms| Experiment::default().check_size(algorithms, repetitions);
        assert!(check(&[1_000_000], 1000).is_ok() && check(&[1_000_000], 1001).is_err());
        assert!(check(&[999_999, 1], 1000).is_ok() && check(&[1_000_000, 1], 1000).is_err());
        assert!(check(&[usize::MAX, usize::MAX], 3).is_err());
    }

    #[test]
    fn a_length_is_there_once() {
        let patterns = PatternSpec { lengths: vec![8, 4, 8], ..PatternSpec::default() };
        let twice = Experiment { patterns, ..Experiment::default() };
        assert!(twice.validate().unwrap_err().to_string().contains("length 8"));
    }

    #[test]
    fn what_goes_on_has_a_limit_and_rounds() {
        let until = Some("2%".parse().unwrap());
        let experiment =
            |until, most_runs| Experiment { until, most_runs, runs: 507, ..Experiment::default() };
        assert!(experiment(until, Some(558)).validate().is_ok());
        for (until, most_runs) in [(until, Some(506)), (until, Some(557)), (None, Some(1000))] {
            assert!(experiment(until, most_runs).validate().is_err());
        }
        let algo = Experiment { stats: Stats::Algo, ..experiment(until, None) };
        let sequential = Experiment { order: Order::Sequential, ..experiment(until, None) };
        for wrong in [algo, sequential] {
            assert!(wrong.validate().unwrap_err().to_string().starts_with("--until"));
        }
    }

    #[test]
    fn a_malformed_file_is_named_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.toml");
        std::fs::write(&path, "runs = 3\nrnus = 4\n").unwrap();
        let message = Experiment::load(&path).unwrap_err().to_string();
        assert!(message.contains("x.toml:2: unknown field `rnus`"), "{message}");
        assert!(message.contains("; did you mean runs?"), "{message}");
        std::fs::write(&path, "[patterns]\nlengths = [8]\nuntil = \"2%\"\n").unwrap();
        let error = format!("{:?}", Experiment::load(&path).unwrap_err());
        assert!(error.contains("`until` belongs above the first [table] of the file"), "{error}");
    }
}
