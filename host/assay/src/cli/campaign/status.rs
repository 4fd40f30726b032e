//! `assay campaign status`: the state of each task.

use assay_base::error::Result;
use assay_base::io::output_format::{OutputFormat, table_formats};
use assay_base::io::table::{Datum, Table};
use assay_campaign::manifest::CampaignManifest;
use assay_campaign::slurm::Slurm;
use assay_campaign::{CampaignFolder, CampaignStatus, TaskState, submit};
use serde_json::{Map, Value};

use super::CampaignPath;
use super::plan::{group, values};
use crate::cli::{Outcome, Session};

/// Count the tasks in each state, and list those that are not done
///
/// The attempts in the folder decide what is done. `squeue`, and `sacct` where Slurm keeps accounts, say what
/// waits and runs. Rows are not read: `resume` and `gather` find damaged runs.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay campaign status c
  assay campaign status c --format json
  assay campaign status c --format csv >left.csv

States: done; running, in a job or another process; waiting, for a machine; interrupted, by a signal, a time limit, a \
busy machine or a cancelled job; failed, and will fail again unless you change something; not submitted. The table has all tasks that are not \
done. The exit status is 1 if a task has failed.")]
pub(super) struct Args {
    #[command(flatten)]
    campaign: CampaignPath,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = table_formats())]
    format: OutputFormat,
}

pub(super) fn run(args: &Args, session: &Session) -> Result<Outcome> {
    let (folder, manifest) = CampaignFolder::open_checked(&args.campaign.folder)?;
    let status = submit::status(&folder, &manifest, &Slurm)?;
    status.warnings.iter().for_each(|warning| session.console.warn(warning));
    status.notes.iter().for_each(|note| session.console.note(note));
    let table = table(&status, &manifest);
    session.console.print(&match args.format {
        OutputFormat::Json => {
            let mut object = counts(&status);
            object.insert("tasks".to_owned(), table.json());
            serde_json::to_string(&object).expect("counts have a JSON form") + "\n"
        }
        OutputFormat::Table => {
            let listed = if table.rows.is_empty() { String::new() } else { table.render(args.format) };
            lines(&status) + &listed
        }
        format => table.render(format),
    })?;
    let failed = status.count(TaskState::Failed) > 0;
    Ok(if failed { Outcome::SomethingFailed } else { Outcome::Done })
}

/// A line for each state that a task is in.
fn lines(status: &CampaignStatus) -> String {
    let states = TaskState::ALL.into_iter().map(|state| (state, status.count(state)));
    let states = states.filter(|(state, count)| *count > 0 || *state == TaskState::Done);
    states.map(|(state, count)| format!("{count:>6} {}\n", state.words())).collect()
}

/// The number of tasks in each state.
fn counts(status: &CampaignStatus) -> Map<String, Value> {
    let count = |state: TaskState| (state.words().replace(' ', "_"), status.count(state).into());
    TaskState::ALL.into_iter().map(count).collect()
}

/// The tasks that are not done, and those of which something failed.
fn table(status: &CampaignStatus, manifest: &CampaignManifest) -> Table {
    let mut table =
        Table::new(["task", "state", "text", "values", "group", "attempts", "node", "job", "reason"]);
    for (task, of_plan) in status.tasks.iter().zip(&manifest.tasks) {
        if task.state == TaskState::Done && task.reason.is_none() {
            continue;
        }
        table.push([
            Datum::Number(task.number.into(), 0),
            task.state.words().into(),
            of_plan.text.as_str().into(),
            values(of_plan).into(),
            group(of_plan).into(),
            Datum::Number(task.attempts as f64, 0),
            task.node.clone().into(),
            task.job.clone().into(),
            task.reason.clone().into(),
        ]);
    }
    table
}
