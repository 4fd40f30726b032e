//! `assay atlas`: a site about all algorithms, from saved runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use assay_atlas::{
    Atlas, AtlasEntry, AtlasRun, IN_RUST, Relative, TracedExample, check_place, check_runs, publish,
};
use assay_base::error::{Error, Result};
use assay_base::io::console::counted;
use assay_base::io::shell::quoted;
use assay_conformance::Passes;
use assay_experiment::cpu;
use assay_experiment::selection;
use assay_load::plugin::{Kind, Listing, Registry, twin_id};
use assay_load::process::Interrupt;
use assay_report::Report;
use assay_store::{EXPERIMENT, USUAL, find};
use assay_trace::TracedTwin;
use clap::ValueHint;

use super::list::lineage::{Lineage, year};
use super::{Outcome, Session, info};
use crate::bibtex::{self, BibEntry, Citation};

/// Make a site about all algorithms from saved runs
///
/// A page for each algorithm with its facts, relatives, ranks and a trace, and a table of all. The site is a folder of
/// files that needs no server and no network.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay run --all --corpus english --plen 4,8,32
  assay atlas last --out site
  assay atlas results/20261128-061646-c5fb results/20261128-0620 --out site

Name a run of times for each text, measured over pattern lengths. A run of counts (`--stats algo`) can be named beside \
them. Algorithms that the libraries bring and no run has measured have a page without figures.

The folder of --out is made. If it is an atlas already, it is replaced as a whole; any other folder with files is \
refused.

The twin of each algorithm searches a standard example, in a child process. If one crashes or hangs, its page says so.

Exit status: 0 the site is made; 1 it is made, and a twin crashed, hung or failed; 2 wrong usage or unusable input; 130 \
interrupted (nothing is made).")]
pub(super) struct Args {
    /// The saved runs: a folder, an id or `last`
    #[arg(value_name = "RESULT", required = true, value_hint = ValueHint::DirPath)]
    runs: Vec<String>,
    /// The folder of the site
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    out: PathBuf,
    /// The folder in which ids of saved runs are looked up
    #[arg(long, value_name = "DIR", default_value = USUAL, value_hint = ValueHint::DirPath)]
    results: PathBuf,
}

/// Runs the command.
pub(super) fn run(args: &Args, session: &Session) -> Result<Outcome> {
    let console = &session.console;
    check_place(&args.out)?;
    let mut folders: Vec<PathBuf> = Vec::new();
    for run in &args.runs {
        let folder = find(run, &args.results)?;
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    let reports = folders.iter().map(|folder| Report::load(folder)).collect::<Result<Vec<Report>>>()?;
    check_runs(&reports)?;
    let registry = session.registry()?;
    for report in &reports {
        session.note_changed_ids_in(&report.facts, report.algorithms(), &registry);
    }
    let (mut timed, mut counted_runs) = (Vec::new(), Vec::new());
    for (report, folder) in reports.into_iter().zip(&folders) {
        let runs = if report.facts.instrumented() { &mut counted_runs } else { &mut timed };
        runs.push(AtlasRun::new(report, experiment(folder))?);
    }
    let (mut entries, bibtex) = entries(&registry);
    let failed = trace(&mut entries, &registry, session)?;
    let atlas = Atlas { entries, timed, counted: counted_runs, bibtex, command: args.command() };
    publish(&atlas.files()?, &args.out)?;
    let algorithms = counted(atlas.entries.len(), "algorithm");
    console.note(&format!("{} shows {algorithms}; open index.html in it", args.out.display()));
    for (id, problem) in &failed {
        console.warn(&format!("the trace of `{id}` is not in order: {problem}"));
    }
    Ok(if failed.is_empty() { Outcome::Done } else { Outcome::SomethingFailed })
}

/// Traces each algorithm with a twin that this CPU can run. Returns the failures: ids, and what went wrong.
///
/// # Errors
/// If the user interrupts it.
fn trace(
    entries: &mut [AtlasEntry],
    registry: &Registry,
    session: &Session,
) -> Result<Vec<(String, String)>> {
    let interrupt = Interrupt::watch();
    let look = || match interrupt.flag().load(Ordering::Relaxed) {
        true => Err(Error::interruption("interrupted: no site was made")),
        false => Ok(()),
    };
    let bar = session.console.progress(entries.len() as u64);
    let mut failed = Vec::new();
    for entry in entries {
        look().inspect_err(|_| bar.finish_and_clear())?;
        bar.set_message(format!("trace of {}", entry.id));
        bar.inc(1);
        let (Ok(twin), Ok(listing)) =
            (TracedTwin::new(&entry.id, registry), registry.find(Kind::Algorithm, &twin_id(&entry.id)))
        else {
            continue;
        };
        if let Some(lacks) = cpu::lacks(&listing.cpu) {
            entry.trace = Some(TracedExample { problem: Some(lacks), ..TracedExample::default() });
            continue;
        }
        let length = |name| listing.fact(name).and_then(|number| number.parse().ok());
        let lengths = (length("min_pattern").unwrap_or(1), length("max_pattern").unwrap_or(usize::MAX));
        let traced = TracedExample::new((&entry.id, &entry.name), &twin, &listing.extra, lengths, &look);
        let example = traced.inspect_err(|_| bar.finish_and_clear())?;
        let problem = example.problem.clone().filter(|_| example.is_failure);
        failed.extend(problem.map(|problem| (entry.id.clone(), problem)));
        entry.trace = Some(example);
    }
    bar.finish_and_clear();
    Ok(failed)
}

/// The experiment of a saved run, if the file is there.
fn experiment(folder: &Path) -> Option<String> {
    fs::read_to_string(folder.join(EXPERIMENT)).ok()
}

/// All algorithms that the libraries bring, and the references of all.
fn entries(registry: &Registry) -> (Vec<AtlasEntry>, String) {
    let listings: Vec<(&str, &Listing)> = selection::ids(registry)
        .into_keys()
        .filter_map(|id| Some((id, selection::listing(id, registry)?)))
        .collect();
    let citations: Vec<Citation> = listings.iter().map(|(id, listing)| Citation::new(id, listing)).collect();
    let references = bibtex::entries(&citations);
    let (lineage, passes) = (Lineage::new(registry.listings(), true), Passes::open());
    let relative = |(label, id): (String, Option<&str>)| Relative { label, id: id.map(str::to_owned) };
    let entries = listings.iter().map(|(id, listing)| {
        let mut facts = info::facts(listing, &lineage, registry, &passes);
        let library = &listing.library.info;
        // Without its path, which is of this machine.
        facts.push(("library".to_owned(), format!("{} {}", library.name, library.version)));
        facts.extend(info::in_rust(listing).map(|program| (IN_RUST.to_owned(), program)));
        let children = lineage.built_upon_by(listing).into_iter();
        let reference = references.iter().find(|reference| reference.ids.iter().any(|other| other == id));
        AtlasEntry {
            id: (*id).to_owned(),
            name: listing.title().unwrap_or_default().to_owned(),
            facts,
            year: year(listing),
            builds_on: lineage.parents_of(listing).into_iter().map(relative).collect(),
            built_upon_by: children.map(|(label, ids)| relative((label, ids.first().copied()))).collect(),
            bibtex: reference.map(|reference| reference.text().to_owned()),
            trace: None,
        }
    });
    let bibtex: Vec<&str> = references.iter().map(BibEntry::text).collect();
    (entries.collect(), bibtex.join("\n"))
}

impl Args {
    /// The command that makes the atlas, as a shell reads it.
    fn command(&self) -> String {
        let words = self.runs.iter().map(String::as_str);
        let out = self.out.to_string_lossy();
        let results = self.results.to_string_lossy();
        let looked_up = (results != USUAL).then_some(["--results", &*results]);
        let words = ["assay", "atlas"].into_iter().chain(words).chain(["--out", &*out]);
        let words = words.chain(looked_up.into_iter().flatten());
        words.map(quoted).collect::<Vec<_>>().join(" ")
    }
}
