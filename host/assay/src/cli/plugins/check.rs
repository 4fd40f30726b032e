//! `assay plugins check`: checks that a library meets the requirements of the host.

use std::path::PathBuf;

use assay_base::error::Result;
use assay_base::io::console::Console;
use assay_conformance::{Subject, TestStatus, TestedVariant, TrialLimits, kinds, side_by_side, try_plan};
use assay_experiment::cpu;
use assay_load::plugin::{Contents, Kind, Library, Registry, Stage, Trust, remark_on_alignment};
use assay_load::process;
use assay_plugin_api::testing::cases::{Plan, Size};

use super::{Outcome, Session, inspect, trust};

/// Check one library: its file, loading, ABI and items, each of which is tried once
///
/// Everything dangerous happens in child processes. Exit status: 0 all is well, 1 something failed, 2 the
/// file can't be read.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  assay plugins check target/release/libmine.so")]
pub(super) struct Args {
    /// The library file
    file: PathBuf,
}

pub(super) fn run(args: &Args, session: &Session) -> Result<Outcome> {
    let library = inspect(&args.file, session)?;
    let mut page = Page { console: session.console, failed: false };
    page.console.print(&format!("{}\n", library.path.display()))?;
    let failed = library.outcome.as_ref().err();
    let has_abi = library.outcome.as_ref().map_or(true, |contents| !contents.library.abi.is_empty());
    for stage in
        Stage::ALL.into_iter().filter(|stage| has_abi || !matches!(stage, Stage::Abi | Stage::Layout))
    {
        match failed {
            Some(failure) if failure.stage == stage => {
                page.fail(&failure.to_string())?;
                session.console.detail(&failure.details);
                break;
            }
            _ => page.pass(stage.passed())?,
        }
    }
    if let Some(line) = trust::remark(&library) {
        page.add("-", &line)?;
    }
    if let Ok(contents) = &library.outcome {
        page.pass(&format!("{}: {}", contents.library.title(), contents.summary()))?;
        if let Some(remark) = contents.library.remark_on_newer_abi() {
            page.add("-", &remark)?;
        }
        // The problems of other libraries are not reported, because the check is about this one.
        let (installed, _) = Registry::open_with(&session.common.plugin_dir, session.judge()?)?;
        for line in installed.with(library.clone()).conflicts_of(&library) {
            page.add("-", &line)?;
        }
        page.try_algorithms(&library, contents)?;
        page.try_kinds(&library, contents)?;
    }
    Ok(if page.failed { Outcome::SomethingFailed } else { Outcome::Done })
}

/// The output of the check. Each line is printed at once, because what is tried next may take long.
struct Page {
    console: Console,
    /// Whether any line reports a failure.
    failed: bool,
}

impl Page {
    /// Tests the algorithms that can run on this CPU, without their twins.
    fn try_algorithms(&mut self, library: &Library, contents: &Contents) -> Result<()> {
        let algorithms = contents.listings.iter().filter(|listing| listing.kind == Kind::Algorithm);
        let (here, elsewhere): (Vec<_>, Vec<_>) = algorithms
            .map(|listing| (listing, cpu::lacks(&listing.cpu)))
            .partition(|(_, missing)| missing.is_none());
        let mut subjects = Vec::new();
        for (listing, _) in here {
            let variants = vec![TestedVariant::new(listing, library.inspected())];
            subjects.push(Subject { id: listing.id.clone(), variants });
        }
        let plan = Plan { size: Size::Quick, ..Plan::default() };
        let limits = TrialLimits::new(process::patience()?);
        let test = |subject: &Subject| try_plan(subject, &plan, limits, &|| Ok(()));
        let (reports, failed) = side_by_side(&subjects, super::super::test::jobs(), &test, |_| ());
        failed?;
        let mut unaligned = Vec::new();
        for (subject, report) in subjects.iter().zip(reports.into_iter().flatten()) {
            let id = subject.id.as_str();
            let message = report.message.unwrap_or_default();
            match report.status {
                TestStatus::Passed => {
                    self.pass(&format!("{id}: {} cases, all right", report.cases.unwrap_or_default()))?;
                    unaligned.extend((!report.aligned).then_some(id));
                }
                TestStatus::CannotSearch => {
                    self.fail(&format!("{id}: it refuses all patterns: {message}"))?
                }
                _ => self.fail(&format!("{id}: {message}"))?,
            }
        }
        if let Some(remark) = remark_on_alignment(&unaligned) {
            self.add("-", &remark)?;
        }
        for (listing, missing) in elsewhere {
            self.add("-", &format!("{}: not tried: {}", listing.id, missing.unwrap_or_default()))?;
        }
        Ok(())
    }

    /// Tries the plugins of the other kinds.
    fn try_kinds(&mut self, library: &Library, contents: &Contents) -> Result<()> {
        let registry = Registry::of_library(library.clone());
        for listing in contents.listings.iter().filter(|listing| listing.kind != Kind::Algorithm) {
            let name = format!("{} {}", listing.kind, listing.id);
            if listing.access.programs && !matches!(library.trust, Trust::Shipped | Trust::Accepted) {
                self.add("-", &format!("{name}: not tried: it starts programs, and is not trusted"))?;
                continue;
            }
            match kinds::try_out(&registry, listing)? {
                Ok(seen) => self.pass(&format!("{name}: {seen}"))?,
                Err(fault) => self.fail(&format!("{name}: {fault}"))?,
            }
        }
        Ok(())
    }

    fn add(&self, state: &str, line: &str) -> Result<()> {
        self.console.print(&format!("  {state:<4}  {line}\n"))
    }

    fn pass(&self, line: &str) -> Result<()> {
        self.add("ok", line)
    }

    fn fail(&mut self, line: &str) -> Result<()> {
        self.failed = true;
        self.add("FAIL", line)
    }
}
