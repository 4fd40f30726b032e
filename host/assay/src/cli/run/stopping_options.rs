//! The options of `run` that let the run decide itself how long to measure.

use assay_experiment::definition::Experiment;
use assay_experiment::how_long::{Budget, TargetWidth};

/// How long to measure.
#[derive(clap::Args, Debug)]
pub(super) struct StoppingOptions {
    /// Go on after --runs, in rounds of the same size, until the 95 % interval of each median search time is
    /// this narrow: half of its width, as a share of its middle, at two looks in a row. A look is after
    /// --runs, and when there are a quarter more
    #[arg(long, value_name = "PERCENT%", help_heading = "Measuring")]
    until: Option<TargetWidth>,
    /// Go on after --runs for so long in all, and give the time to the pattern lengths whose intervals are
    /// widest: 90s, 10min, 1h
    #[arg(long, value_name = "TIME", help_heading = "Measuring")]
    budget: Option<Budget>,
    /// With --until or --budget: how many repetitions of each length are enough in any case [default: 100
    /// times --runs]
    #[arg(long, value_name = "N", help_heading = "Measuring")]
    most_runs: Option<usize>,
}

impl StoppingOptions {
    /// Overrides the settings of a file by the flags.
    pub(super) fn apply(&self, experiment: &mut Experiment) {
        experiment.until = self.until.or(experiment.until);
        experiment.budget = self.budget.or(experiment.budget);
        experiment.most_runs = self.most_runs.or(experiment.most_runs);
    }
}
