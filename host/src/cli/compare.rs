//! `assay compare`: what differs between saved runs.

mod shown;

use std::path::PathBuf;

use super::export::Export;
use super::report::{Calls, calls};
use super::{Outcome, Session};
use crate::error::{Error, Result};
use crate::io::output_format::OutputFormat;
use crate::report::Call;
use crate::report::Report;
use crate::report::export::paper::label;
use crate::report::unlike::{Unlike, conditions, unlike};
use crate::report::versus::versus;
use crate::results::{USUAL, find, listing};
use shown::{not_compared, sheets};

/// Compare saved runs with the first of them: what is faster, slower or the same, beyond noise
///
/// What differs between the runs besides their times (machine, libraries, seed, settings) is said first. Runs on different texts
/// are refused, since their ratios say nothing of the algorithms.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay compare 20260102-03 last                before and now
  assay compare results/A results/B results/C   two runs, each with the first
  assay compare results/A last --call all --format markdown
  assay compare results/A last --fail-if-slower 5%

A run is named by its id (the beginning is enough), its folder or a file in it; `last` is the newest.

Each round has processes of its own, so the intervals know the luck that a process has with its place in memory. They don't \
know what only changes from run to run, such as the temperature of the room: repeat a run to see how much that is. Runs with \
the same seed, text, rounds and --runs (and --runs-by) are compared pattern by pattern, others by the medians of their rounds.

For CI: --fail-if-slower ends with exit status 1 if anything is slower by more than that and noise together (p < 0.05, \
corrected for all comparisons), or fails or lacks times where it did not before.")]
pub struct Args {
    /// The saved runs; all are compared with the first
    #[arg(required = true, num_args = 2.., value_name = "RESULT")]
    results: Vec<String>,
    /// Which calls are included [default: search]
    #[arg(long, value_parser = calls())]
    call: Option<Calls>,
    /// End with exit status 1 if anything is slower by more than this, beyond noise: 5% or 5
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    fail_if_slower: Option<f64>,
    /// Compare runs on different texts, too
    #[arg(long)]
    force: bool,
    /// Leave out the first repetition of each algorithm and pattern length, unless it is the only one
    #[arg(long)]
    discard_first: bool,
    /// The folder in which ids are looked up
    #[arg(long, value_name = "DIR", default_value = USUAL)]
    out: PathBuf,
    #[command(flatten)]
    export: Export,
}

/// A share from `5%` or `5`.
fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim().trim_end_matches('%').trim_end().parse::<f64>().ok();
    number
        .filter(|percent| percent.is_finite() && *percent >= 0.0)
        .map(|percent| percent / 100.0)
        .ok_or_else(|| "a share in percent is expected, such as 5%".to_owned())
}

pub fn run(args: &Args, session: &Session) -> Result<Outcome> {
    let console = &session.console;
    let target = args.export.open_for_tables()?;
    let mut reports = args.load()?;
    let first = reports.remove(0);
    let mut unlikes = Vec::new();
    for later in &reports {
        let Unlike { senseless, telling } = unlike(&first.facts, &later.facts);
        if let (Some(why), false) = (senseless.first(), args.force) {
            return Err(Error::new(format!("the runs did not do the same: {why}")).remedy(
                "ratios would be those of what differs; repeat one like the other, or compare all the same with --force",
            ));
        }
        unlikes.push(senseless.into_iter().chain(telling).collect::<Vec<_>>());
    }
    let call = args.call.unwrap_or(Some(Call::Search));
    let found = versus(&first, &reports, call, args.fail_if_slower)?;
    let lacking = || found.runs.iter().flat_map(|run| &run.lacking);
    let failing = lacking().filter(|lack| lack.why.is_new_failure()).count();
    // That all fails is the worst that can be found, and no wrong use.
    let has_failed = args.fail_if_slower.is_some() && failing > 0;
    if found.runs.iter().all(|run| run.cells.is_empty()) && !has_failed {
        let mut reasons: Vec<&str> = Vec::new();
        for lack in lacking() {
            if !reasons.contains(&lack.why.words()) {
                reasons.push(lack.why.words());
            }
        }
        return Err(Error::new(format!(
            "nothing that both runs have can be compared: {}",
            reasons.join(", ")
        ))
        .remedy("`assay report RESULT` tells what each of them has"));
    }
    if args.fail_if_slower.is_some() && found.comparisons == 0 && !has_failed {
        return Err(Error::new("nothing can be said to be slower or not: a run has one round")
            .remedy("measure with several --rounds, in `interleaved` or `shuffled` --order"));
    }
    if [OutputFormat::Csv, OutputFormat::Json, OutputFormat::Parquet].contains(&target.form) {
        for report in std::iter::once(&first).chain(&reports) {
            conditions(&report.facts)
                .iter()
                .for_each(|line| console.warn(&format!("{}: {line}", report.facts.id)));
        }
        for (later, lines) in reports.iter().zip(&unlikes) {
            lines.iter().for_each(|line| console.warn(&format!("{} differs: {line}", later.facts.id)));
        }
        for (later, run) in reports.iter().zip(&found.runs) {
            let lines = not_compared(&run.lacking, &later.facts.axis());
            lines.iter().for_each(|line| console.warn(&format!("{}: {line}", later.facts.id)));
        }
    }
    let sheets = sheets(&first, &reports, &unlikes, call, &found, args.fail_if_slower);
    let content = sheets.content(target.form, &label(&first.facts.id, "compared"))?;
    target.deliver(&content, console)?;
    let Some(limit) = args.fail_if_slower else { return Ok(Outcome::Done) };
    let lines = || found.runs.iter().flat_map(|run| run.cells.iter().chain(&run.overall));
    let slow = lines().filter(|line| line.too_slow).count();
    if slow > 0 {
        let limit = 100.0 * limit;
        console.warn(&format!(
            "slower by more than {limit} %, beyond noise: {slow} of {} comparisons",
            found.comparisons
        ));
    }
    if failing > 0 {
        console.warn(&format!("{failing} that did not fail before, or had all times: see above"));
    }
    Ok(if slow + failing > 0 { Outcome::SomethingFailed } else { Outcome::Done })
}

impl Args {
    /// The reports, each on another run.
    fn load(&self) -> Result<Vec<Report>> {
        let mut places = Vec::new();
        for result in &self.results {
            let place = find(result, &self.out)?;
            let same = std::fs::canonicalize(&place).unwrap_or_else(|_| place.clone());
            if places.iter().any(|(_, other)| *other == same) {
                return Err(Error::new(format!("`{result}` is named twice: {}", place.display()))
                    .remedy(format!("name different runs; {} lists them", listing(&self.out))));
            }
            places.push((place, same));
        }
        let load = |(place, _): &(PathBuf, PathBuf)| {
            let report = Report::load(place)?;
            Ok(if self.discard_first { report.discard_first_repetitions() } else { report })
        };
        places.iter().map(load).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_a_share_in_percent() {
        for (text, share) in [("5%", 0.05), ("5", 0.05), ("0.5 %", 0.005), ("0", 0.0), ("150%", 1.5)] {
            assert_eq!(percent(text), Ok(share), "{text}");
        }
        for text in ["", "%", "x%", "-5%", "inf", "NaN%", "5%%x"] {
            assert!(percent(text).is_err(), "{text}");
        }
    }
}
