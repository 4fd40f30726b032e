//! `assay campaign`: an experiment on many machines.

mod gather;
mod measure;
mod plan;
mod status;
mod submit;
mod task;

use std::path::PathBuf;

use assay_base::error::{Error, Result};
use clap::{Subcommand, ValueHint};

use super::{Outcome, Session};

/// Measure an experiment on many machines
///
/// An experiment is cut into tasks of about ten minutes, and a batch system such as Slurm runs a job for
/// each. This program records which tasks are done, and submits the others again.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay campaign plan experiment.toml --out c
  assay campaign submit c --on slurm --option=--partition=long
  assay campaign status c
  assay campaign resume c             submits what is missing
  assay campaign submit c --on local  the same tasks here, one after the other
  assay campaign gather c             saved runs of what is measured

The folder of a campaign must be seen by all machines at the same path, and so must the program and its libraries. \
\"Campaigns\" in the book says what is in it.")]
pub(super) struct Args {
    #[command(subcommand)]
    command: CampaignCommand,
}

#[derive(Subcommand, Debug)]
enum CampaignCommand {
    Plan(plan::Args),
    Submit(submit::Args),
    Status(status::Args),
    Resume(submit::ResumeArgs),
    Cancel(submit::CancelArgs),
    Gather(gather::Args),
    Task(task::Args),
}

/// The folder of a campaign.
#[derive(clap::Args, Debug)]
struct CampaignPath {
    /// The folder of the campaign
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    folder: PathBuf,
}

/// An error of a run that a campaign measures or gathers, with another remedy if its own names options that
/// only `assay run` has.
fn without_options_of_run(error: Error, remedy: &str) -> Error {
    let text = error.to_string();
    if ["--no-save", "--resume"].iter().any(|option| text.contains(option)) {
        error.remedy(remedy)
    } else {
        error
    }
}

/// Runs the command.
pub(super) fn run(args: Args, session: &Session) -> Result<Outcome> {
    match args.command {
        CampaignCommand::Plan(args) => plan::run(&args, session),
        CampaignCommand::Submit(args) => submit::run(args, session),
        CampaignCommand::Status(args) => status::run(&args, session),
        CampaignCommand::Resume(args) => submit::resume(&args, session),
        CampaignCommand::Cancel(args) => submit::cancel(&args, session),
        CampaignCommand::Gather(args) => gather::run(&args, session),
        CampaignCommand::Task(args) => task::run(&args, session),
    }
}
