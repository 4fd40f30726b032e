//! The options of `run` for experiments with a range, or with several calls in a repetition.

use std::num::NonZero;

use assay_experiment::by_length::ByLength;
use assay_experiment::calls::CallSpec;
use assay_experiment::definition::Experiment;
use assay_experiment::range::{Over, Range};

use super::options::RANDOM;
use super::values::parse_count;

/// What varies, and what a repetition does.
#[derive(clap::Args, Debug)]
pub(super) struct RangeOptions {
    /// Vary something else than the length of the patterns: a column for each of these text sizes, texts (or
    /// corpus:ID), numbers of letters, or numbers of threads; A..B doubles
    #[arg(long, value_name = "text-size|text|alphabet|threads=V,..", help_heading = "Range")]
    range: Option<Range>,
    /// Search for each pattern in all of these texts, preparing anew for each: a repetition is the sum
    #[arg(long, value_name = "text|text-size|alphabet=V,..", help_heading = "Range")]
    sum_range: Option<Range>,
    /// Prepare once and search N times: a repetition is the sum, and each call is kept by itself [default: 1]
    #[arg(long, value_name = "N", value_parser = parse_count, help_heading = "Range")]
    searches: Option<NonZero<usize>>,
    /// Let N threads search, each a part of the text [default: 1]
    #[arg(long, value_name = "N", value_parser = parse_count, help_heading = "Range")]
    threads: Option<NonZero<usize>>,
    /// Do the searches after a preparation at the same time, each in a thread that prepares for itself
    #[arg(long, help_heading = "Range")]
    calls_parallel: bool,
    /// Go through all texts of the sum-range at the same time, each in a thread of its own
    #[arg(long, help_heading = "Range")]
    sum_range_parallel: bool,
    /// How many repetitions a pattern length, or other value, has, over text_length and pattern_length:
    /// rounded, from 1 to --runs
    #[arg(long, value_name = "FORMULA", help_heading = "Range")]
    runs_by: Option<ByLength>,
    /// How many operations the searches of a repetition do, over text_length and pattern_length: what the
    /// metrics flops, gflops and flops_per_cycle count
    #[arg(long, value_name = "FORMULA", help_heading = "Range")]
    complexity: Option<ByLength>,
    /// How many operations this machine can do in a nanosecond: what the metric efficiency is a share of
    #[arg(long, value_name = "GFLOPS", help_heading = "Range")]
    peak_gflops: Option<f64>,
}

impl RangeOptions {
    /// Overrides the settings of a file by the flags.
    pub(super) fn apply(&self, experiment: &mut Experiment) {
        if let Some(range) = &self.range {
            experiment.range = Some(range.clone());
        }
        if let Some(range) = &self.sum_range {
            experiment.sumrange = Some(range.clone());
        }
        if let Some(searches) = self.searches {
            experiment.calls = match searches.get() {
                1 => Vec::new(),
                searches => vec![CallSpec { searches, ..CallSpec::default() }],
            };
        }
        if let Some(threads) = self.threads {
            experiment.threads = threads.get();
        }
        experiment.calls_parallel |= self.calls_parallel;
        experiment.sumrange_parallel |= self.sum_range_parallel;
        if let Some(runs_by) = &self.runs_by {
            experiment.runs_by = Some(runs_by.clone());
        }
        if let Some(complexity) = &self.complexity {
            experiment.complexity = Some(complexity.clone());
        }
        experiment.peak_gflops = self.peak_gflops.or(experiment.peak_gflops);
        if let (true, None) = (experiment.varies(Over::Alphabet), &experiment.text.corpus) {
            experiment.text.corpus = Some(RANDOM.to_owned());
        }
    }
}
