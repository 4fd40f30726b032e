//! `assay campaign gather`: makes saved runs of what the tasks have measured.

use std::fs;
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
use assay_report::Report;
use assay_report::agreement::agreement;
use assay_report::export::page::page;
use assay_store::Run;
use assay_store::folder::{SaveFolder, new_id};
use assay_store::gathered::MissingTask;
use assay_store::join::join;
use clap::ValueHint;
use serde_json::{Value, json};

use crate::cli::compare::rank_sheets;
use crate::cli::{Outcome, Session};

/// The folder of gathered runs in that of a campaign.
const GATHERED: &str = "gathered";
/// The file that marks a folder of gathered runs, and has the summary. It is hidden, so that `gathered/*` names runs
/// alone.
const SUMMARY: &str = ".gathered.json";

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
  assay compare c/gathered/* --ranks             do the CPUs rank alike?
  assay campaign gather zen5 icelake --out all   campaigns of one experiment on two models of CPU

What was gathered before is replaced. Missing tasks are listed; when they are done, gather again. Nodes whose reference \
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
}

pub(super) fn run(args: &Args, session: &Session) -> Result<Outcome> {
    let console = &session.console;
    let mut found = MeasuredTasks::default();
    for campaign in &args.campaigns {
        let (folder, manifest) = CampaignFolder::open(campaign)?;
        let MeasuredTasks { groups, references, missing, notes } =
            MeasuredTasks::find(&folder, &manifest, &Slurm)?;
        found.groups.extend(groups);
        found.references.extend(references);
        found.missing.extend(missing);
        notes.iter().for_each(|note| console.note(note));
    }
    let out = args.out()?;
    if found.groups.is_empty() {
        return Err(Error::new("no task of this campaign is done").remedy("`assay campaign status` says why"));
    }
    let place = Replacement::begin(&out)?;
    let bar = console.progress(found.groups.len() as u64);
    let mut runs = Vec::new();
    for group in &found.groups {
        runs.push(gathered(place.path(), group)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let reports = runs.iter().map(|gathered| Report::begun(&place.path().join(&gathered.run.experiment.id)));
    let reports = reports.collect::<Result<Vec<Report>>>()?;
    let odd = disagreements(&reference_times(&found.references)?);
    let ranks =
        if reports.len() > 1 { agreement(&reports, Some(assay_report::Call::Search)).ok() } else { None };
    let ranks = ranks.filter(|groups| groups.iter().all(|group| group.text.is_some()));
    let ranks = ranks.map(|groups| rank_sheets(&groups, &reports, Some(assay_report::Call::Search), false));
    let object = object(&runs, &found.missing, &odd, ranks.as_ref().map(|sheets| &sheets.object));
    let summary = place.path().join(SUMMARY);
    Output::create(&summary)?.write(|file| writeln!(file, "{object:#}"))?;
    place.publish()?;
    let table = runs_table(&runs);
    console.print(&match args.format {
        OutputFormat::Json => format!("{object:#}\n"),
        OutputFormat::Table => {
            let ranks = match &ranks {
                Some(sheets) => sheets.table(),
                None => String::new(),
            };
            let missing = missing_table(&found.missing);
            let missing = if missing.rows.is_empty() {
                String::new()
            } else {
                format!("\nMissing tasks:\n{}", missing.render(OutputFormat::Table))
            };
            let ranks = if ranks.is_empty() { ranks } else { format!("\n{ranks}") };
            table.render(OutputFormat::Table) + &missing + &ranks
        }
        format => table.render(format),
    })?;
    warn(&found.missing, &odd, console);
    console.note(&format!("gathered {} in {}", counted(runs.len(), "run"), out.display()));
    let is_damaged = found.missing.iter().any(|(_, task)| task.is_damaged());
    Ok(if is_damaged { Outcome::SomethingFailed } else { Outcome::Done })
}

impl Args {
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

/// The new content of a folder, which takes the place of the old one when it is complete.
struct Replacement {
    place: PathBuf,
    new: tempfile::TempDir,
}

impl Replacement {
    /// Begins to replace what was gathered into a folder before.
    fn begin(place: &Path) -> Result<Self> {
        let failed = |error| Error::io("write", place, &error);
        let is_other = place.is_dir() && !place.join(SUMMARY).is_file();
        if is_other && fs::read_dir(place).map_err(failed)?.next().is_some() {
            return Err(Error::new(format!(
                "`{}` holds something else than gathered runs, which would be lost",
                place.display()
            ))
            .remedy("name another folder with --out"));
        }
        let parent = place.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(parent).map_err(failed)?;
        let new = tempfile::Builder::new().prefix(".gathered-").tempdir_in(parent).map_err(failed)?;
        Ok(Replacement { place: place.to_owned(), new })
    }

    fn path(&self) -> &Path {
        self.new.path()
    }

    /// Puts the new content into its place.
    fn publish(self) -> Result<()> {
        let failed = |error| Error::io("write", &self.place, &error);
        let old = self.new.path().with_extension("old");
        let has_old = self.place.is_dir();
        if has_old {
            fs::rename(&self.place, &old).map_err(failed)?;
        }
        let new = self.new.keep();
        fs::rename(&new, &self.place).map_err(failed)?;
        if has_old {
            fs::remove_dir_all(&old).map_err(failed)?;
        }
        Ok(())
    }
}

/// Joins the tasks of a group into a run, and computes its figures.
fn gathered(out: &Path, group: &TasksOfRun) -> Result<GatheredRun> {
    let id = new_id();
    let folder = SaveFolder::create(out, &id)?;
    let TasksOfRun { text, model, facts, pieces } = group;
    join(&folder, &id, &format!("{text} on {model}"), facts.clone(), pieces)?;
    let run = Report::begun(folder.path())?.results()?;
    folder.fill_joined(pieces, &run, &page(&run))?;
    Report::begun(folder.path())?;
    folder.keep().finish()?;
    Ok(GatheredRun { run, tasks: pieces.len() })
}

/// The time of each reference experiment.
fn reference_times(references: &[ReferenceRun]) -> Result<Vec<ReferenceTime>> {
    let mut times = Vec::new();
    for ReferenceRun { model, piece } in references {
        let measured = Report::load(&piece.folder)?.median_times()?;
        let time = |cell: &assay_report::time_doubts::CellTimes| ReferenceTime {
            model: model.clone(),
            node: piece.node.clone(),
            task: piece.task,
            ns: cell.search_ns,
        };
        times.extend(measured.iter().take(1).map(time));
    }
    Ok(times)
}

/// Warns of tasks that are damaged, and of nodes that disagree with others or with themselves.
fn warn(missing: &[(String, MissingTask)], odd: &[Disagreement], console: &Console) {
    for (text, task) in missing.iter().filter(|(_, task)| task.is_damaged()) {
        console.warn(&format!(
            "task {} on {text} is {}; remove its folder in `attempts`, and `assay campaign resume` measures it again",
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
    for GatheredRun { run, tasks } in runs {
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

/// Everything as an object, for programs.
fn object(
    runs: &[GatheredRun],
    missing: &[(String, MissingTask)],
    odd: &[Disagreement],
    ranks: Option<&Value>,
) -> Value {
    let odd = odd.iter().map(|one| {
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
    json!({
        "runs": runs_table(runs).json(),
        "missing": missing_table(missing).json(),
        "disagreeing": odd.collect::<Vec<_>>(),
        "agreement": ranks,
    })
}
