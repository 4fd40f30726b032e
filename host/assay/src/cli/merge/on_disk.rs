//! `assay merge --engine`: tables that don't fit into memory.

use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use assay_base::error::{Error, Result};
use assay_base::io::atomic::Output;
use assay_base::io::csv_input::Numbers;
use assay_base::io::output_format::OutputFormat;
use assay_load::plugin::Merger;
use assay_load::process::Interrupt;
use assay_merge::{self as merge, DiskMerge, DuckDb};
use tempfile::TempDir;

use super::Args;
use crate::cli::{Outcome, Session};

/// The options of a merge on disk.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Tables that don't fit into memory")]
pub(super) struct DiskOptions {
    /// Let this program sort the tables on disk, with at most --memory-limit of memory (hrm)
    #[arg(long, value_name = "PROGRAM", requires = "out")]
    pub(super) engine: Option<Engine>,
    /// Keep the temporary files of --engine in DIR [default: the folder of --out]
    #[arg(long, value_name = "DIR", requires = "engine")]
    temp: Option<PathBuf>,
}

/// A program that sorts tables on disk.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(super) enum Engine {
    /// DuckDB, which must be installed.
    Duckdb,
}

/// Merges on disk.
pub(super) fn run(args: &Args, merger: &Merger, format: OutputFormat, session: &Session) -> Result<Outcome> {
    let console = &session.console;
    DiskMerge::check(merger)?;
    refuse_what_needs_memory(args, format)?;
    let engine = DuckDb::find(usize::try_from(session.common.sandbox_policy().memory).unwrap_or(usize::MAX))?;
    let out = args.out.as_deref().unwrap_or(Path::new(""));
    let output = Output::create(out)?;
    let folder = temporary_folder(args.disk.temp.as_deref(), out)?;

    let codes = args.names.as_deref().map(merge::Codes::read).transpose()?;
    let selection = args.part.selection();
    let headers = args.inputs.iter().map(|path| header(args, path)).collect::<Result<Vec<_>>>()?;
    selection.check(&headers)?;
    merge::mixed(&args.inputs, &selection).iter().for_each(|warning| console.warn(warning));
    let widths = headers.iter().map(|header| header.titles.len());
    let inputs: Vec<(PathBuf, usize)> = args.inputs.iter().cloned().zip(widths).collect();
    let counters = args.counters.map(|counters| counters as usize);
    let blocks = merge::split(headers, counters, codes.as_ref(), console)?;
    let options = args.options(merger, &blocks)?;

    let (bar, interrupt) = (console.progress(1000), Interrupt::watch());
    let progress = |done: f64| {
        bar.set_position((done * 1000.0) as u64);
        !interrupt.flag().load(Ordering::SeqCst)
    };
    let merge = DiskMerge {
        merger,
        options: &options,
        inputs: &inputs,
        selection: &selection,
        engine: &engine,
        folder: folder.path(),
        progress: &progress,
    };
    let mut file = BufWriter::with_capacity(1 << 18, output);
    let remarks = merge.write(blocks, &mut file, out, console);
    bar.finish_and_clear();
    let remarks = remarks?;
    let output = file.into_inner().map_err(|error| Error::io("write", out, error.error()))?.complete()?;
    args.print_notes(&remarks.notes, &remarks.warnings, console)?;
    output.publish()?;
    Ok(Outcome::Done)
}

/// The titles of an input.
fn header(args: &Args, path: &Path) -> Result<Numbers> {
    let is_file = path.metadata().map_or(true, |found| found.is_file() || found.is_dir());
    if path == Path::new("-") || !is_file {
        return Err(Error::new(format!(
            "--engine: `{}` is no file, and can't be read twice",
            path.display()
        ))
        .remedy("write the table to a file, and name that"));
    }
    args.part.titles(path)
}

/// Refuses options that need the whole table in memory.
fn refuse_what_needs_memory(args: &Args, format: OutputFormat) -> Result<()> {
    let given = [
        ("--diagnostics", args.diagnostics.is_some()),
        ("--picture", args.picture.is_some()),
        ("--check", args.check),
        ("--validate", args.validate.is_some()),
        ("--compat", args.compat),
    ];
    if let Some((option, _)) = given.iter().find(|(_, is_given)| *is_given) {
        return Err(Error::new(format!(
            "{option} needs the whole table in memory, and --engine keeps it on disk"
        ))
        .remedy(format!("leave {option} or --engine out")));
    }
    if format != OutputFormat::Csv {
        return Err(Error::new(format!("--engine writes CSV, not {}", format.name()))
            .remedy("name the file of --out .csv; other programs make other formats of it"));
    }
    Ok(())
}

/// A private folder, which is removed when the merge is over.
fn temporary_folder(given: Option<&Path>, out: &Path) -> Result<TempDir> {
    let out = out.canonicalize().unwrap_or_else(|_| out.to_owned());
    if given.is_none() && out.exists() && !out.is_file() {
        return Err(Error::new(format!(
            "`{}` is no file, so temporary files can't be beside it",
            out.display()
        ))
        .remedy("name a folder for them with --temp"));
    }
    let beside = out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let place = given.unwrap_or(beside);
    let place = place.canonicalize().map_err(|error| Error::io("write to", place, &error))?;
    let folder = tempfile::Builder::new().prefix(".assay-merge-").tempdir_in(&place);
    folder.map_err(|error| Error::io("write to", &place, &error))
}
