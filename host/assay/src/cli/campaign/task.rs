//! `assay campaign task`: measures one task, in the job of a batch system.

use assay_base::error::Result;
use assay_campaign::slurm::SlurmJob;
use assay_campaign::{CampaignFolder, TaskEnd};
use assay_load::process::Interrupt;

use super::CampaignPath;
use super::measure::TaskRunner;
use crate::cli::{Outcome, Session};

/// Measure one task on this machine: what the job scripts call
///
/// First the program, its libraries and the texts are compared with the manifest, the machine is checked, and
/// the reference experiment is measured. A task that was interrupted on this machine goes on where it was.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay campaign task c 7

Exit status, beyond the usual: 0 also if the task is done already, or another process is measuring it; 75 if the machine is \
busy or too hot, so that another machine, or this one later, should measure the task. A job of Slurm is then \
requeued, at most five times. SIGTERM, which batch systems send before they kill, keeps what was \
measured (130).")]
pub(super) struct Args {
    #[command(flatten)]
    campaign: CampaignPath,
    /// The number of the task
    number: u32,
    /// Measure on a busy machine too
    #[arg(long)]
    ignore_doctor: bool,
}

pub(super) fn run(args: &Args, session: &Session) -> Result<Outcome> {
    let (folder, manifest) = CampaignFolder::open(&args.campaign.folder)?;
    let registry = session.registry()?;
    let interrupt = Interrupt::watch();
    let runner = TaskRunner {
        folder: &folder,
        manifest: &manifest,
        registry: &registry,
        session,
        interrupted: interrupt.flag(),
        ignore_doctor: args.ignore_doctor,
    };
    let (number, console) = (args.number, &session.console);
    Ok(match runner.measure(number, "")? {
        TaskEnd::Measured { failures: None, .. } => {
            console.note(&format!("task {number} is done"));
            Outcome::Done
        }
        TaskEnd::Measured { .. } => Outcome::SomethingFailed,
        TaskEnd::WasDone => {
            console.note(&format!("task {number} was done before"));
            Outcome::Done
        }
        TaskEnd::InUse => {
            console.note(&format!("another process is measuring task {number}"));
            Outcome::Done
        }
        TaskEnd::Busy(found) => {
            console.warn(&format!("task {number} is not measured, because this machine is busy: {found}"));
            if let Some(job) = SlurmJob::here() {
                let requeued = job.requeue()?;
                console.note(&if requeued {
                    "the job is requeued".to_owned()
                } else {
                    format!(
                        "the job was requeued five times already, so it ends; {} submits the task again",
                        folder.command("resume")
                    )
                });
            }
            Outcome::TryLater
        }
        TaskEnd::Interrupted => {
            console.warn(&format!("task {number} was interrupted: what was measured is kept"));
            Outcome::Interrupted
        }
    })
}
