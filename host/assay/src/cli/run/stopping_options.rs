//! The options of `run` that let the run decide itself how long to measure.

use assay_experiment::definition::Experiment;
use assay_experiment::how_long::{Budget, TargetWidth};

/// How long to measure.
#[derive(clap::Args, Debug)]
pub(super) struct StoppingOptions {
    /// Continue until intervals are this narrow
    ///
    /// After --runs, the run continues in rounds of the same size until the half-width of the 95 % interval
    /// of each median search time is at most PERCENT in two checks in a row. The first check is after --runs,
    /// the next ones when a length has a quarter more rounds than at its last check
    #[arg(long, value_name = "PERCENT%", help_heading = "Measuring")]
    until: Option<TargetWidth>,
    /// Continue after --runs until TIME has passed: 90s, 10min, 1h
    ///
    /// TIME begins with the run. The pattern lengths with the widest intervals get the extra time
    #[arg(long, value_name = "TIME", help_heading = "Measuring")]
    budget: Option<Budget>,
    /// With --until or --budget: the greatest number of repetitions of each length [default: 100 times
    /// --runs]
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
