//! `assay campaign gather`: makes saved runs of what the tasks have measured.

mod gathered_folder;
mod ranks;

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use assay_base::error::{Error, Result};
use assay_base::io::console::{Console, counted};
use assay_base::io::output_format::{OutputFormat, table_formats};
use assay_base::io::table::{Datum, Table};
use assay_campaign::CampaignFolder;
use assay_campaign::gather::{MeasuredTasks, ReferenceRun};
use assay_campaign::references::{Compared, Disagreement, ReferenceTime, disagreements, too_few_nodes};
use assay_campaign::slurm::Slurm;
use assay_report::Report;
use assay_store::Run;
use assay_store::gathered::MissingTask;
use clap::ValueHint;
use serde_json::{Value, json};

use self::gathered_folder::GatheredFolder;
use super::without_options_of_run;
use crate::cli::sheets::Sheets;
use crate::cli::{Outcome, Session};

/// The folder of gathered runs in that of a campaign.
const GATHERED: &str = "gathered";
/// The file with the summary. It is hidden, so that `gathered/*` names runs alone.
const SUMMARY: &str = ".gathered.json";

/// What to do if a gathered run can't be written.
const NO_ROOM: &str = "free some space, or name a folder elsewhere with --out; then gather again";

/// Make saved runs of what the tasks have measured, also before all are done
///
/// There is one run for each text and model of CPU. It has the node of each row, and lists the tasks that are
/// missing.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay campaign gather c
  assay results --out c/gathered                 lists the runs
  assay report c/gathered/20260102-03            one of them, by the beginning of its id
  assay compare c/gathered/A c/gathered/B --ranks   do the CPUs rank alike?
  assay campaign gather zen5 icelake --out all   two models of CPU

What was gathered from the same folder before is replaced, unless it has a task that can't be gathered now. Missing tasks are listed; when they are done, gather again. Nodes whose reference \
experiment took longer or shorter than on the other nodes with the same CPU model are named. The exit status is 1 if the \
run of a task is damaged.")]
pub(super) struct Args {
    /// The folder of the campaign, or of several
    #[arg(value_name = "DIR", required = true, value_hint = ValueHint::DirPath)]
    campaigns: Vec<PathBuf>,
    /// The folder of the gathered runs [default: `gathered` in the folder of the campaign]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    out: Option<PathBuf>,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = table_formats())]
    format: OutputFormat,
}

/// A run that was gathered.
struct GatheredRun {
    run: Run,
    /// The number of tasks.
    tasks: usize,
    /// SHA-256 of the manifest of the campaign.
    campaign: String,
}

/// Everything that was gathered.
struct GatheredCampaigns {
    runs: Vec<GatheredRun>,
    missing: Vec<(String, MissingTask)>,
    disagreements: Vec<Disagreement>,
    /// How the models of CPU agree that have measured the same text.
    ranks: Option<Sheets>,
}

pub(super) fn run(args: &Args, session: &Session) -> Result<Outcome> {
    let console = &session.console;
    let (folders, MeasuredTasks { groups, references, missing, .. }) = args.measured(console)?;
    let out = args.out(&folders)?;
    let is_damaged = missing.iter().any(|(_, task)| task.is_damaged());
    if groups.is_empty() {
        warn(&missing, &[], console);
        let error = Error::new("there is nothing to gather: no task is done whose run can be read")
            .remedy("`assay campaign status` shows the state of each");
        if !is_damaged {
            return Err(error);
        }
        console.error(&error.to_string());
        return Ok(Outcome::SomethingFailed);
    }
    let gathered_folder = GatheredFolder::open(&out, &groups, &folders)
        // Damage may be why an earlier run can't be replaced.
        .inspect_err(|_| warn(&missing, &[], console))?;
    let bar = console.progress(groups.len() as u64);
    let mut runs = Vec::new();
    for group in &groups {
        runs.push(gathered_folder.gather(group).map_err(|error| without_options_of_run(error, NO_ROOM))?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    gathered_folder.remove_old()?;
    let times = reference_times(&references, console);
    let disagreements = disagreements(&times);
    let ranks = ranks::agreement_of(&out, &runs, console);
    let gathered = GatheredCampaigns { runs, missing, disagreements, ranks };
    let summary = gathered.object();
    gathered_folder.write(SUMMARY, &format!("{summary:#}\n"))?;
    console.print(&match args.format {
        OutputFormat::Json => format!("{summary:#}\n"),
        OutputFormat::Table => gathered.tables(),
        format => runs_table(&gathered.runs).render(format),
    })?;
    warn(&gathered.missing, &gathered.disagreements, console);
    note_few_nodes(&times, console);
    console.note(&format!("gathered {} in {}", counted(gathered.runs.len(), "run"), out.display()));
    Ok(if is_damaged { Outcome::SomethingFailed } else { Outcome::Done })
}

impl Args {
    /// The folders of the campaigns, and what they have measured. The texts of missing tasks name the campaign,
    /// if there are several.
    fn measured(&self, console: &Console) -> Result<(Vec<CampaignFolder>, MeasuredTasks)> {
        let (mut folders, mut found) = (Vec::new(), MeasuredTasks::default());
        for campaign in &self.campaigns {
            let (folder, manifest) = CampaignFolder::open_checked(campaign)?;
            if is_among(&folder, &folders)? {
                console.note(&format!("`{}` is named twice, and gathered once", campaign.display()));
                continue;
            }
            let MeasuredTasks { groups, references, missing, notes, warnings } =
                MeasuredTasks::find(&folder, &manifest, &Slurm)?;
            found.groups.extend(groups);
            found.references.extend(references);
            let several = self.campaigns.len() > 1;
            let named = |text: String| if several { format!("{}: {text}", campaign.display()) } else { text };
            found.missing.extend(missing.into_iter().map(|(text, task)| (named(text), task)));
            warnings.iter().for_each(|warning| console.warn(warning));
            notes.iter().for_each(|note| console.note(note));
            folders.push(folder);
        }
        Ok((folders, found))
    }

    /// The folder of the gathered runs.
    fn out(&self, folders: &[CampaignFolder]) -> Result<PathBuf> {
        match (&self.out, folders) {
            (Some(out), _) => Ok(out.clone()),
            (None, [_]) => Ok(self.campaigns[0].join(GATHERED)),
            (None, _) => {
                Err(Error::new("the runs of several campaigns need a folder")
                    .remedy("name one with `--out DIR`"))
            }
        }
    }
}

/// Whether a folder is one of these, also if its path is another.
fn is_among(folder: &CampaignFolder, others: &[CampaignFolder]) -> Result<bool> {
    let identity = |folder: &CampaignFolder| {
        let found = fs::metadata(folder.path());
        found
            .map(|facts| (facts.dev(), facts.ino()))
            .map_err(|error| Error::io("read", folder.path(), &error))
    };
    let identities: Result<Vec<_>> = others.iter().map(identity).collect();
    Ok(identities?.contains(&identity(folder)?))
}

/// The times of the reference experiments that can be read. They are a hint, so one that can't be read costs
/// nothing but itself.
fn reference_times(references: &[ReferenceRun], console: &Console) -> Vec<ReferenceTime> {
    let mut times = Vec::new();
    for ReferenceRun { model, experiment, piece } in references {
        let measured = Report::load(&piece.folder).and_then(|report| report.median_times());
        match measured {
            Ok(measured) => times.extend(measured.first().map(|cell| ReferenceTime {
                model: model.clone(),
                experiment: experiment.clone(),
                node: piece.node.clone(),
                task: piece.task,
                ns: cell.search_ns,
            })),
            Err(error) => console.warn(&format!("the reference of task {}: {}", piece.task, error.message())),
        }
    }
    times
}

/// Warns of tasks that are damaged, and of nodes that disagree with others or with themselves.
fn warn(missing: &[(String, MissingTask)], odd: &[Disagreement], console: &Console) {
    for (text, task) in missing.iter().filter(|(_, task)| task.is_damaged()) {
        console.warn(&format!(
            "task {} on {text} is {}; `assay campaign resume` measures it again",
            task.task, task.state
        ));
    }
    odd.iter().for_each(|one| console.warn(&in_words(one)));
}

/// "n2 (4 tasks): the reference experiment took 1.085 times (median) as long as on 3 other nodes ..".
fn in_words(disagreement: &Disagreement) -> String {
    let Disagreement { time, of, others, ratio, expected: [low, high] } = disagreement;
    let node = &time.node;
    let comparison = match of {
        Compared::Node { tasks } => format!(
            "{node} ({}): the reference experiment took {ratio:.3} times (median) as long as on {others} other nodes of \
             this CPU",
            counted(*tasks, "task")
        ),
        Compared::Task => format!(
            "{node}: before task {}, the reference experiment took {ratio:.3} times as long as on this node before {others} \
             other tasks",
            time.task
        ),
    };
    format!("{comparison} ({low:.3} to {high:.3} expected); find out why before you use its results")
}

/// Notes the models of CPU that have measured on several nodes, but on too few to compare them.
fn note_few_nodes(times: &[ReferenceTime], console: &Console) {
    for (model, nodes) in too_few_nodes(times) {
        console.note(&format!(
            "the {nodes} nodes with {model} are not compared with each other: that needs three others for each"
        ));
    }
}

/// The gathered runs.
fn runs_table(runs: &[GatheredRun]) -> Table {
    let columns = ["run", "text", "cpu", "group", "nodes", "tasks", "missing", "algorithms", "rows"];
    let mut table = Table::new(columns);
    let number = |number: usize| Datum::Number(number as f64, 0);
    for GatheredRun { run, tasks, .. } in runs {
        let facts = &run.experiment;
        let gathered = facts.gathered.clone().unwrap_or_default();
        let algorithms = facts.definition.as_ref().map_or(0, |definition| definition.algorithms.len());
        table.push([
            facts.id.as_str().into(),
            facts.texts_in_words().into(),
            facts.machine.cpu.clone().into(),
            gathered.group.map(|[group, groups]| format!("{group} of {groups}")).into(),
            number(gathered.nodes.len()),
            number(*tasks),
            number(gathered.missing.len()),
            number(algorithms),
            facts.rows.map(number).into(),
        ]);
    }
    table
}

/// The tasks that are not measured.
fn missing_table(missing: &[(String, MissingTask)]) -> Table {
    let mut table = Table::new(["task", "text", "values", "state"]);
    for (text, MissingTask { task, values, state }) in missing {
        let values: Vec<String> = values.iter().map(u64::to_string).collect();
        table.push([
            Datum::Number((*task).into(), 0),
            text.as_str().into(),
            values.join(", ").into(),
            state.as_str().into(),
        ]);
    }
    table
}

impl GatheredCampaigns {
    /// The tables for people: the runs, what is missing, and how the models of CPU agree.
    fn tables(&self) -> String {
        let mut parts = vec![runs_table(&self.runs).render(OutputFormat::Table)];
        if !self.missing.is_empty() {
            parts.push(format!(
                "Missing tasks:\n{}",
                missing_table(&self.missing).render(OutputFormat::Table)
            ));
        }
        parts.extend(self.ranks.as_ref().map(Sheets::table));
        parts.join("\n")
    }

    /// Everything as an object, for programs.
    fn object(&self) -> Value {
        let disagreeing = self.disagreements.iter().map(disagreement_object);
        let mut table = runs_table(&self.runs).json();
        for (row, run) in table.as_array_mut().into_iter().flatten().zip(&self.runs) {
            row["campaign"] = run.campaign.as_str().into();
        }
        json!({
            "runs": table,
            "missing": missing_table(&self.missing).json(),
            "disagreeing": disagreeing.collect::<Vec<_>>(),
            "agreement": self.ranks.as_ref().map(|sheets| &sheets.object),
        })
    }
}

/// A node that disagrees with `other_nodes` by the median of its `tasks`; or a `task` of it, with
/// `other_tasks` of the same node.
fn disagreement_object(one: &Disagreement) -> Value {
    let (tasks, task, other_nodes, other_tasks) = match one.of {
        Compared::Node { tasks } => (Some(tasks), None, Some(one.others), None),
        Compared::Task => (None, Some(one.time.task), None, Some(one.others)),
    };
    json!({
        "node": one.time.node,
        "cpu": one.time.model,
        "tasks": tasks,
        "task": task,
        "ratio": one.ratio,
        "expected_low": one.expected[0],
        "expected_high": one.expected[1],
        "other_nodes": other_nodes,
        "other_tasks": other_tasks,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_named_with_its_tasks_and_the_nodes_that_it_is_compared_with() {
        let time = ReferenceTime {
            model: "Fast".to_owned(),
            experiment: "e".to_owned(),
            node: "n2".to_owned(),
            task: 3,
            ns: 1085.0,
        };
        let of = Compared::Node { tasks: 4 };
        let node = Disagreement { time, of, others: 3, ratio: 1.085, expected: [0.98, 1.02] };
        let words = in_words(&node);
        let expected = "n2 (4 tasks): the reference experiment took 1.085 times (median) as long as on 3 other nodes of this CPU (";
        assert!(words.starts_with(expected), "{words}");
        let object = disagreement_object(&node);
        assert_eq!([&object["tasks"], &object["other_nodes"]], [4, 3]);
        assert!(object["task"].is_null() && object["other_tasks"].is_null(), "{object}");
        let task = Disagreement { of: Compared::Task, ..node };
        let words = in_words(&task);
        assert!(
            words.starts_with("n2: before task 3,") && words.contains("on this node before 3 other tasks"),
            "{words}"
        );
        let object = disagreement_object(&task);
        assert_eq!([&object["task"], &object["other_tasks"]], [3, 3]);
        assert!(object["tasks"].is_null() && object["other_nodes"].is_null(), "{object}");
    }
}
