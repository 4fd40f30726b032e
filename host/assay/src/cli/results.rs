//! `assay results`: a list of the saved runs, and what is made of their rows.

mod export;

use std::path::{Path, PathBuf};

use assay_base::error::Result;
use assay_base::io::console::abridged;
use assay_base::io::output_format::{OutputFormat, table_formats};
use assay_base::io::table::Table;
use assay_base::moment::to_second;
use assay_store::folder::moment_of_id;
use assay_store::{RunIndex, Saved, USUAL, all, is_measuring};
use clap::Subcommand;

use super::{Outcome, Session};

/// List the saved runs, the newest last, or export their rows
///
/// Of each run: id, when, state, text, algorithms, description.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay results
  assay results --out elsewhere --format json
  assay report 20260102-03            the run whose id begins like this
  assay run results/ID --runs 1000    the same again, with more repetitions
  assay run --resume ID               continue one that was interrupted
  assay results export last --out data   its rows, for DuckDB, pandas ..

States: complete; measuring, in a process that runs now; interrupted, by the user or because its process ended.")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Option<ResultsCommand>,
    /// The folder that holds the runs
    #[arg(long, value_name = "DIR", default_value = USUAL)]
    out: PathBuf,
    /// Output format
    #[arg(long, default_value = "table", value_parser = table_formats())]
    format: OutputFormat,
}

#[derive(Subcommand, Debug)]
enum ResultsCommand {
    Export(export::Args),
}

pub(super) fn run(args: &Args, session: &Session) -> Result<Outcome> {
    match &args.command {
        Some(ResultsCommand::Export(export)) => export::run(export, &args.out, session),
        None => list(args, session),
    }
}

fn list(args: &Args, session: &Session) -> Result<Outcome> {
    let runs = all(&args.out);
    let mut index = RunIndex::open(&args.out);
    let mut table = Table::new(["id", "when", "state", "stats", "text", "algorithms", "description", "path"]);
    for saved in &runs {
        let Saved { id, folder, partial } = saved;
        let read = index.summary(saved);
        if let Err(error) = &read {
            session.console.warn(&error.to_string());
        }
        let run = read.ok();
        let state = if *partial && is_measuring(folder) {
            "measuring"
        } else if *partial || run.as_ref().is_some_and(|run| run.interrupted) {
            "interrupted"
        } else {
            "complete"
        };
        let ids = run.as_ref().and_then(|run| run.algorithms.as_ref());
        table.push([
            id.as_str().into(),
            moment_of_id(id).map(to_second).into(),
            state.into(),
            run.as_ref().map(|run| if run.instrumented { "algo" } else { "perf" }).into(),
            run.as_ref().map(|run| text(&run.texts, args.format)).into(),
            ids.map(|ids| algorithms(ids, args.format)).into(),
            run.as_ref().map(|run| run.description.clone()).filter(|text| !text.is_empty()).into(),
            folder.display().to_string().into(),
        ]);
    }
    index.save(&runs);
    if args.format == OutputFormat::Table {
        // People find the folder by the id; the path is for programs.
        table.columns.pop();
        table.rows.iter_mut().for_each(|row| drop(row.pop()));
    }
    if runs.is_empty() {
        session
            .console
            .note(&format!("no run is saved in `{}`; --out names another folder", args.out.display()));
    }
    if !runs.is_empty() || args.format != OutputFormat::Table {
        session.console.print(&table.render(args.format))?;
    }
    Ok(Outcome::Done)
}

/// The text. People get the name of a file, programs get its path.
fn text(texts: &str, format: OutputFormat) -> String {
    match Path::new(texts).file_name() {
        Some(name) if format == OutputFormat::Table => name.to_string_lossy().into_owned(),
        _ => texts.to_owned(),
    }
}

/// The ids of the algorithms. A table abridges a long list.
fn algorithms(ids: &[String], format: OutputFormat) -> String {
    match format {
        OutputFormat::Table => abridged(ids),
        _ => ids.join(" "),
    }
}
