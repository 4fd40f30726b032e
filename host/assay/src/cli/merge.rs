//! `assay merge`: one table from sub-experiments that counted different events.

mod on_disk;
mod output;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use assay_base::error::{Error, Result};
use assay_base::io::atomic::Output;
use assay_base::io::console::Console;
use assay_base::io::csv_input::{Gaps, Numbers, Selection};
use assay_base::io::output_format::{OutputFormat, data_formats};
use assay_load::plugin::{Merger, ResultMemory};
use assay_load::process::Interrupt;
use assay_merge as merge;
use assay_plugin_api::{Block, Merged};

use on_disk::DiskOptions;
use output::{MergePicture, format_of_figures, format_of_result, refuse_overwriting, write};

use super::input_part::InputPart;
use super::{Outcome, Session};

/// Make one data set of several sub-experiments
///
/// A machine counts only a few events at a time, so many events take several sub-experiments, whose rows
/// belong to different runs. A merger joins them to one table. `assay list merger` shows the installed ones.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay merge hrm raw.csv --counters 6 --anchor PROCESSOR_CYCLES \\
    --names codes.csv --out merged.csv
  assay merge hrm first.csv second.csv --anchor cycles     one file for each
  assay merge much raw.csv --counters 6 --diagnostics quality --out merged.csv
  assay merge hrm raw.csv --counters 6 --engine duckdb --memory-limit 1GiB \\
    --out merged.csv                                       larger than memory
  assay merge hrm results/*/measurements.csv --anchor tsc:cycles \\
    --columns tsc:cycles,perf:page-faults,rusage:minor-faults \\
    --where algorithm=hor --where status=ok                of saved runs

Input: a header line with the titles of the events, then rows of counts. Each group of K columns is a sub-experiment; \
the last may have fewer columns. A cell that is empty, NA or NaN is missing, and its row is left out of its sub-experiment. \
A title such as X24.1 stands for event 24, and --names gives its name. Otherwise the title is the name; in a file that \
--counters cuts, without the .1, .2 that R adds to a title that is repeated there. With several files, a file may lack some of --columns.

Result: CSV, with whole numbers without decimals and others in the fewest digits that give the same number back. JSON is \
an object of `rows`, `notes`, `warnings` and `tables`, which show the quality of the result. --diagnostics writes these \
tables: `pairs` has the measured, the requested and the reached correlation of each pair of events; `events` shows whether \
an event has the same distribution in all sub-experiments.")]
pub(super) struct Args {
    /// How to merge
    #[arg(value_name = "METHOD")]
    method: String,
    /// CSV files; `-` is standard input
    #[arg(value_name = "INPUT.csv", required = true)]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    part: InputPart,
    /// Number of columns that were measured together
    ///
    /// If left out, each of several inputs is a sub-experiment
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    counters: Option<u32>,
    /// The event that every sub-experiment has
    ///
    /// By name or code
    #[arg(long, value_name = "EVENT")]
    anchor: Option<String>,
    /// CSV table of the names of events
    ///
    /// A header line, then a code and a name per line
    #[arg(long, value_name = "CODES.csv")]
    names: Option<PathBuf>,
    /// Number of rows of the result; by default, the merger decides
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rows: Option<u32>,
    /// Number of rows to simulate (much)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    runs: Option<u64>,
    /// Number of simulations; the best is the result (much)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sims: Option<u64>,
    /// Drop events that correlate more with another one, from 0 to 1 (much)
    #[arg(long, value_name = "R")]
    dependency: Option<f64>,
    /// Seed of all random draws
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Do as the published methods do: leave out events whose mean count is at most 100, and repair nothing
    #[arg(long)]
    compat: bool,
    /// End with exit status 2, and write no result, if the merger warns of it or a plugin library can't be
    /// used
    #[arg(long)]
    strict: bool,
    /// Write tables on the quality of the result to DIR
    ///
    /// As CSV files
    #[arg(long, value_name = "DIR")]
    diagnostics: Option<PathBuf>,
    /// Draw the correlations, requested and reached
    ///
    /// With their difference, as SVG or on a page with all tables
    #[arg(long, value_name = "FILE.svg|FILE.html")]
    picture: Option<PathBuf>,
    /// Repeat the merge with half of the rows and with resampled rows: 40 more merges
    #[arg(long)]
    check: bool,
    /// Meet these correlations: a square CSV table with the names of events above and before it (exact)
    #[arg(long, value_name = "FILE.csv")]
    target: Option<PathBuf>,
    /// Compare the result with a table in which all events were measured together, and print the differences
    #[arg(long, value_name = "IDEAL.csv")]
    validate: Option<PathBuf>,
    /// Another option of the merger (repeatable)
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    options: Vec<(String, String)>,
    /// Write the result to FILE, not to standard output
    ///
    /// As CSV, or as its name says (.json, .md, .tex, .parquet)
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Output format [default: csv]
    ///
    /// Of the differences of --validate, the default is a table
    #[arg(long, value_name = "FORMAT", value_parser = data_formats())]
    format: Option<OutputFormat>,
    #[command(flatten)]
    disk: DiskOptions,
}

fn option(given: &str) -> Result<(String, String), String> {
    let (name, value) = given.split_once('=').ok_or("it must have the form NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

impl Args {
    /// The options of the merger, with the names of events that the blocks have.
    fn options(&self, merger: &Merger, blocks: &[merge::SubExperiment]) -> Result<Vec<(String, String)>> {
        let reads_compat = merger.options.iter().any(|option| option == "compat");
        let named = [
            ("anchor", self.anchor.clone()),
            ("target", self.target.as_deref().map(read_text).transpose()?),
            ("rows", self.rows.map(|rows| rows.to_string())),
            ("runs", self.runs.map(|runs| runs.to_string())),
            ("sims", self.sims.map(|sims| sims.to_string())),
            ("dependency", self.dependency.map(|dependency| dependency.to_string())),
            ("seed", self.seed.map(|seed| seed.to_string())),
            ("compat", (self.compat && reads_compat).then(|| "yes".to_owned())),
        ];
        let named = named.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        let mut all: Vec<(String, String)> = named.chain(self.options.iter().cloned()).collect();
        for (at, (name, _)) in all.iter().enumerate() {
            if all[..at].iter().any(|(earlier, _)| earlier == name) {
                return Err(Error::new(format!("the option {name} is given twice"))
                    .remedy(format!("give --{name} or one --option {name}=..")));
            }
        }
        if let Some((_, value)) = all.iter_mut().find(|(name, _)| name == ANCHOR) {
            *value = merge::event(blocks, value)?.to_owned();
        }
        Ok(all)
    }

    /// The sub-experiments, without rows with a missing cell.
    fn blocks(&self, codes: Option<&merge::Codes>, console: &Console) -> Result<Vec<merge::SubExperiment>> {
        let selection = self.part.selection();
        let tables = self.inputs.iter().map(|path| self.part.read(path, Gaps::Missing));
        let tables = tables.collect::<Result<Vec<_>>>()?;
        selection.check(&tables)?;
        merge::mixed(&self.inputs, &selection).iter().for_each(|warning| console.warn(warning));
        let counters = self.counters.map(|counters| counters as usize);
        let mut blocks = merge::split(tables, counters, codes, console)?;
        merge::drop_incomplete_rows(&mut blocks, console)?;
        if let Some(warning) = merge::inexact(&blocks) {
            console.warn(&warning);
        }
        Ok(blocks)
    }

    /// Merges, and repeats the merge with fewer rows if --check asks for it.
    fn merged<'a>(
        &self,
        merger: &Merger,
        blocks: Vec<merge::SubExperiment>,
        options: &[(String, String)],
        console: &Console,
        room: &'a mut ResultMemory,
    ) -> Result<Merged<'a>> {
        let options: Vec<(&str, &str)> =
            options.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let (bar, interrupt) = (console.progress(1000), Interrupt::watch());
        let progress = |done: f64| {
            bar.set_position((done * 1000.0) as u64);
            !interrupt.flag().load(Ordering::SeqCst)
        };
        let tried = self.check.then(|| blocks.clone());
        let merged = merge::merge(merger, blocks, &options, &progress, room).and_then(|mut merged| {
            if let Some(blocks) = tried {
                merge::trial(merger, &blocks, &options, &mut merged, &progress)?;
            }
            Ok(merged)
        });
        bar.finish_and_clear();
        if interrupt.flag().load(Ordering::SeqCst) {
            return Err(Error::interruption("interrupted"));
        }
        merged
    }

    /// Prints the notes and warnings of the merger.
    ///
    /// # Errors
    /// With `--strict`, if there are warnings.
    fn print_notes(&self, notes: &[String], warnings: &[String], console: &Console) -> Result<()> {
        notes.iter().for_each(|note| console.note(note));
        warnings.iter().for_each(|warning| console.warn(warning));
        if self.strict && !warnings.is_empty() {
            return Err(Error::new(
                "the result is refused, because the merger warns of it and --strict was given",
            )
            .remedy("mend what it warns of, or leave --strict out"));
        }
        Ok(())
    }

    /// Refuses to overwrite a file that is read.
    fn check_places(&self) -> Result<()> {
        let read = self.inputs.iter().chain(&self.names).chain(&self.target).chain(&self.validate);
        refuse_overwriting(self.out.iter().chain(&self.picture), read)
    }
}

fn read_text(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|error| Error::io("read", path, &error))
}

/// The option that names an event.
const ANCHOR: &str = "anchor";

/// The table in which all events were measured together.
fn ideal(path: &Path, codes: Option<&merge::Codes>, console: &Console) -> Result<Block<'static>> {
    let table = Numbers::read(path, Gaps::Missing, &Selection::default())?;
    let mut ideal = [merge::whole(table, codes, console)?];
    merge::drop_incomplete_rows(&mut ideal, console)?;
    let [ideal] = ideal;
    Ok(ideal.into())
}

pub(super) fn run(args: Args, session: &Session) -> Result<Outcome> {
    let console = &session.console;
    let merger = session.registry()?.merger(&args.method)?;
    args.check_places()?;
    let format = format_of_result(args.format, args.out.as_deref())?;
    if args.disk.engine.is_some() {
        return on_disk::run(&args, &merger, format, session);
    }
    let picture = args.picture.as_deref().map(MergePicture::named).transpose()?;
    let output = args.out.as_deref().map(Output::create).transpose()?;
    let codes = args.names.as_deref().map(merge::Codes::read).transpose()?;
    let mut blocks = args.blocks(codes.as_ref(), console)?;
    let options = args.options(&merger, &blocks)?;
    let anchor = options.iter().find(|(name, _)| name == ANCHOR).map(|(_, event)| event.as_str());
    if args.compat {
        merge::drop_rare(&mut blocks, anchor, console);
    }
    let ideal = args.validate.as_deref().map(|path| ideal(path, codes.as_ref(), console)).transpose()?;

    let mut room = ResultMemory::default();
    let merged = args.merged(&merger, blocks, &options, console, &mut room)?;
    args.print_notes(&merged.notes, &merged.warnings, console)?;
    if let Some(folder) = &args.diagnostics {
        merge::write_diagnostics(&merged, folder)?;
    }
    if let Some(picture) = picture {
        picture.write(&merged)?;
    }
    if let Some(output) = output {
        output.write(|out| write(&merged, format, out))?;
    } else if ideal.is_none() {
        let mut text = Vec::new();
        write(&merged, format, &mut text).expect("writing to memory");
        console.print(&String::from_utf8(text).expect("made of texts"))?;
    }
    if let Some(ideal) = ideal {
        let validation = merge::validate(&merged.columns, &ideal.columns, anchor)?;
        validation.notes().iter().for_each(|note| console.note(note));
        console.print(&validation.render(format_of_figures(args.format)))?;
    }
    Ok(Outcome::Done)
}
