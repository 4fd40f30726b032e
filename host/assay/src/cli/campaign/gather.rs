//! `assay campaign gather`: makes saved runs of what the tasks have measured.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use assay_base::error::{Error, Result};
use assay_base::io::atomic::Output;
use assay_base::io::console::{Console, counted};
use assay_base::io::output_format::{OutputFormat, table_formats};
use assay_base::io::table::{Datum, Table};
use assay_campaign::CampaignFolder;
use assay_campaign::gather::{MeasuredTasks, ReferenceRun, TasksOfRun};
use assay_campaign::references::{Disagreement, Others, ReferenceTime, disagreements};
use assay_campaign::slurm::Slurm;
use assay_report::agreement::agreement;
use assay_report::export::page::page;
use assay_report::{Call, Report};

use assay_store::folder::{SaveFolder, partial};
use assay_store::gathered::MissingTask;
use assay_store::join::join;
use assay_store::{FileLock, Run, is_like_id};
use clap::ValueHint;
use serde_json::{Value, json};

use super::without_options_of_run;
use crate::cli::compare::rank_sheets;
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

What was gathered from the same campaign before is replaced. Missing tasks are listed; when they are done, gather again. Nodes whose reference \
experiment took longer or shorter than on the other nodes of their model are named. The exit status is 1 if the run of a \
task is damaged.")]
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
    let MeasuredTasks { groups, references, missing, .. } = args.measured(console)?;
    let out = args.out()?;
    if groups.is_empty() {
        warn(&missing, &[], console);
        return Err(Error::new("there is nothing to gather: no task is done whose run can be read")
            .remedy("`assay campaign status` says what became of each"));
    }
    fs::create_dir_all(&out).map_err(|error| Error::io("make the folder", &out, &error))?;
    let bar = console.progress(groups.len() as u64);
    let mut runs = Vec::new();
    for group in &groups {
        runs.push(gathered(&out, group).map_err(|error| without_options_of_run(error, NO_ROOM))?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    remove_old(&out, &runs)?;
    let disagreements = disagreements(&reference_times(&references, console));
    let ranks = agreement_of(&out, &runs)?;
    let gathered = GatheredCampaigns { runs, missing, disagreements, ranks };
    let summary = gathered.object();
    Output::create(&out.join(SUMMARY))?.write(|file| writeln!(file, "{summary:#}"))?;
    console.print(&match args.format {
        OutputFormat::Json => format!("{summary:#}\n"),
        OutputFormat::Table => gathered.tables(),
        format => runs_table(&gathered.runs).render(format),
    })?;
    warn(&gathered.missing, &gathered.disagreements, console);
    console.note(&format!("gathered {} in {}", counted(gathered.runs.len(), "run"), out.display()));
    let is_damaged = gathered.missing.iter().any(|(_, task)| task.is_damaged());
    Ok(if is_damaged { Outcome::SomethingFailed } else { Outcome::Done })
}

impl Args {
    /// What the campaigns have measured. The texts of missing tasks name the campaign, if there are several.
    fn measured(&self, console: &Console) -> Result<MeasuredTasks> {
        let mut found = MeasuredTasks::default();
        for campaign in &self.campaigns {
            let (folder, manifest) = CampaignFolder::open(campaign)?;
            let MeasuredTasks { groups, references, missing, notes, warnings } =
                MeasuredTasks::find(&folder, &manifest, &Slurm)?;
            found.groups.extend(groups);
            found.references.extend(references);
            let several = self.campaigns.len() > 1;
            let named = |text: String| if several { format!("{}: {text}", campaign.display()) } else { text };
            found.missing.extend(missing.into_iter().map(|(text, task)| (named(text), task)));
            warnings.iter().for_each(|warning| console.warn(warning));
            notes.iter().for_each(|note| console.note(note));
        }
        Ok(found)
    }

    /// The folder of the gathered runs.
    fn out(&self) -> Result<PathBuf> {
        match (&self.out, self.campaigns.as_slice()) {
            (Some(out), _) => Ok(out.clone()),
            (None, [campaign]) => Ok(campaign.join(GATHERED)),
            (None, _) => {
                Err(Error::new("the runs of several campaigns need a folder")
                    .remedy("name one with `--out DIR`"))
            }
        }
    }
}

/// Joins the tasks of a run in a folder, and computes its figures. A run of the same tasks that was gathered
/// before is replaced.
fn gathered(out: &Path, tasks: &TasksOfRun) -> Result<GatheredRun> {
    let TasksOfRun { text, model, facts, pieces, .. } = tasks;
    let id = id(tasks);
    remove_unfinished(&out.join(partial(&id)))?;
    let folder = SaveFolder::create(out, &id)?;
    join(&folder, &id, &format!("{text} on {model}"), facts.clone(), pieces)?;
    let run = Report::begun(folder.path())?.results()?;
    folder.fill_joined(pieces, &run, &page(&run))?;
    let place = out.join(&id);
    if place.exists() {
        fs::remove_dir_all(&place).map_err(|error| Error::io("replace", &place, &error))?;
    }
    folder.keep().finish()?;
    Ok(GatheredRun { run, tasks: pieces.len(), campaign: facts.campaign_sha256.clone() })
}

/// The id of a gathered run: when the first of its tasks began, and what it was gathered from. So it is the
/// same as long as that task is the first.
fn id(tasks: &TasksOfRun) -> String {
    let began = tasks.began.as_deref().unwrap_or_default();
    let digits: String = began.chars().filter(char::is_ascii_digit).collect();
    let (day, time) = match (digits.get(..8), digits.get(8..14)) {
        (Some(day), Some(time)) => (day, time),
        // A file whose moment is none costs the name of the run, and nothing else.
        _ => ("00000000", "000000"),
    };
    let hash = tasks.facts.hash_with(&[&tasks.text, &tasks.model]);
    format!("{day}-{time}-{hash}")
}

/// Removes what a gather has left that was killed.
fn remove_unfinished(partial: &Path) -> Result<()> {
    if !partial.exists() {
        return Ok(());
    }
    let Some(_lock) = FileLock::of_run(partial)? else {
        return Err(Error::new(format!("another process gathers into `{}`", partial.display()))
            .remedy("wait until it is done, or end it"));
    };
    fs::remove_dir_all(partial).map_err(|error| Error::io("remove", partial, &error))
}

/// Removes the runs that were gathered from these campaigns before, and are not any more.
fn remove_old(out: &Path, runs: &[GatheredRun]) -> Result<()> {
    let Ok(text) = fs::read_to_string(out.join(SUMMARY)) else { return Ok(()) };
    let Ok(before) = serde_json::from_str::<Value>(&text) else { return Ok(()) };
    for run in before["runs"].as_array().into_iter().flatten() {
        let (Some(id), Some(campaign)) = (run["run"].as_str(), run["campaign"].as_str()) else { continue };
        let is_ours = runs.iter().any(|gathered| gathered.campaign == campaign);
        let is_new = runs.iter().any(|gathered| gathered.run.experiment.id == id);
        if is_ours && !is_new && is_like_id(id) {
            let place = out.join(id);
            fs::remove_dir_all(&place).or_else(|error| match error.kind() {
                io::ErrorKind::NotFound => Ok(()),
                _ => Err(Error::io("remove", &place, &error)),
            })?;
        }
    }
    Ok(())
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

/// How the models of CPU agree that have measured the same text; `None` if there is no such text.
fn agreement_of(out: &Path, runs: &[GatheredRun]) -> Result<Option<Sheets>> {
    let key = |gathered: &GatheredRun| {
        let facts = &gathered.run.experiment;
        (facts.texts(), facts.gathered.as_ref().and_then(|gathered| gathered.group))
    };
    let shared = runs.iter().filter(|one| {
        let cpu = &one.run.experiment.machine.cpu;
        runs.iter().any(|other| other.run.experiment.machine.cpu != *cpu && key(other) == key(one))
    });
    let has_times = shared.filter(|one| one.run.experiment.has_times());
    let reports: Vec<Report> =
        has_times.map(|one| Report::begun(&out.join(&one.run.experiment.id))).collect::<Result<_>>()?;
    if reports.len() < 2 {
        return Ok(None);
    }
    let call = Some(Call::Search);
    let groups = agreement(&reports, call)?;
    Ok(Some(rank_sheets(&groups, &reports, call, false)))
}

/// Warns of tasks that are damaged, and of nodes that disagree with others or with themselves.
fn warn(missing: &[(String, MissingTask)], odd: &[Disagreement], console: &Console) {
    for (text, task) in missing.iter().filter(|(_, task)| task.is_damaged()) {
        console.warn(&format!(
            "task {} on {text} is {}; `assay campaign resume` measures it again",
            task.task, task.state
        ));
    }
    for Disagreement { time, with, others, ratio, expected: [low, high] } in odd {
        let with = match with {
            Others::OtherNodes => "on other nodes of this CPU",
            Others::SameNode => "on this node before other tasks",
        };
        console.warn(&format!(
            "{}: before task {}, the reference experiment took {ratio:.3} times as long as {with} ({others} tasks; \
             {low:.3} to {high:.3} expected); find out why before you use its results",
            time.node, time.task
        ));
    }
}

/// The gathered runs.
fn runs_table(runs: &[GatheredRun]) -> Table {
    let mut table = Table::new(["run", "text", "cpu", "nodes", "tasks", "missing", "algorithms", "rows"]);
    let number = |number: usize| Datum::Number(number as f64, 0);
    for GatheredRun { run, tasks, .. } in runs {
        let facts = &run.experiment;
        let gathered = facts.gathered.clone().unwrap_or_default();
        let algorithms = facts.definition.as_ref().map_or(0, |definition| definition.algorithms.len());
        table.push([
            facts.id.as_str().into(),
            facts.texts_in_words().into(),
            facts.machine.cpu.clone().into(),
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
        let disagreeing = self.disagreements.iter().map(|one| {
            json!({
                "node": one.time.node,
                "cpu": one.time.model,
                "task": one.time.task,
                "ratio": one.ratio,
                "expected_low": one.expected[0],
                "expected_high": one.expected[1],
                "others": one.others,
                "same_node": one.with == Others::SameNode,
            })
        });
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

#[cfg(test)]
mod tests {
    use assay_store::gathered::GatheredFacts;

    use super::*;

    #[test]
    fn the_name_of_a_run_begins_with_a_moment_whatever_a_file_says() {
        let id = |began: &str| {
            let (text, model) = ("t".to_owned(), "m".to_owned());
            let (facts, pieces) = (GatheredFacts::default(), Vec::new());
            id(&TasksOfRun { text, model, facts, began: Some(began.to_owned()), pieces })
        };
        assert!(id("2026-01-02T03:04:05Z").starts_with("20260102-030405-"));
        assert!(id("2026").starts_with("00000000-000000-") && id("").starts_with("00000000-000000-"));
        let long = id(&"9".repeat(5000));
        assert!(is_like_id(&long) && long.len() < 30, "{long}");
    }
}
