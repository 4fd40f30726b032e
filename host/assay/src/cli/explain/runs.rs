//! The two runs of an explanation: the times of the algorithms, and what their twins count with the same patterns.

use std::collections::BTreeMap;

use assay_base::error::{Error, Result};
use assay_experiment::Resolved;
use assay_experiment::definition::{Experiment, Stats};
use assay_experiment::range::Over;
use assay_experiment::selection::{measured_ids, named_ids, original};
use assay_explain::ENOUGH_ALGORITHMS;
use assay_load::plugin::{Kind, Registry, twin_id};
use assay_load::process::Interrupt;
use assay_report::{Report, wording};
use assay_store::{ExperimentFacts, find, is_like_id, is_run};

use super::Args;
use crate::cli::Session;
use crate::cli::run::{RunProgress, failures};
use crate::run::{FinishedRun, execute};

/// The pattern lengths without `--plen`: short, usual and long ones for most algorithms.
pub(super) const LENGTHS: [usize; 3] = [8, 16, 64];
/// Repetitions without `--runs`: five in each of ten rounds. With a dozen algorithms and their twins, 1 MiB takes some
/// ten seconds.
pub(super) const RUNS: usize = 50;
/// How many times as long a twin may take as its algorithm. Most take 5 to 20 times as long.
const TWIN_SLOWDOWN: u64 = 50;
/// The fact of algorithms that are measured beside others.
const YARDSTICK: &str = "yardstick";
/// The most algorithms of a saved run that are all explained if none is named: the text then fits a screen or two.
const ALL_EXPLAINED: usize = 6;

/// What was measured and counted.
pub(super) struct ExplainedRuns {
    /// The times.
    pub(super) times: Report,
    /// The counts of the twins.
    pub(super) counts: Report,
    /// The algorithms that are explained, at least two.
    pub(super) algorithms: Vec<String>,
    /// The algorithms that only the cost model is fitted to.
    pub(super) beside: Vec<String>,
    /// Whether a search failed.
    pub(super) failed: bool,
}

impl ExplainedRuns {
    /// Measures what the command line asks for, or finds it in a saved run, and lets the twins count. None if it was
    /// interrupted.
    ///
    /// # Errors
    /// If something that is named is missing or can't be explained.
    pub(super) fn new(args: &Args, session: &Session) -> Result<Option<Self>> {
        let registry = session.registry()?;
        let interrupt = Interrupt::watch();
        let runner = Runner { registry: &registry, session, interrupt: &interrupt };
        let (first, others) = args.names.split_first().expect("one is required");
        let is_place = first.contains('/') || is_like_id(first) || is_run(first, &args.out);
        if is_place { saved(args, first, others, &runner) } else { measured(args, &runner) }
    }
}

/// Executes experiments.
struct Runner<'a> {
    registry: &'a Registry,
    session: &'a Session,
    interrupt: &'a Interrupt,
}

/// Measures algorithms and some beside them.
fn measured(args: &Args, runner: &Runner<'_>) -> Result<Option<ExplainedRuns>> {
    let registry = runner.registry;
    let algorithms = named_ids(&args.names, registry)?;
    at_least_two(&algorithms)?;
    let mut beside = match &args.with[..] {
        [] if algorithms.len() >= ENOUGH_ALGORITHMS => Vec::new(),
        [] => yardsticks(registry),
        with => named_ids(with, registry)?,
    };
    beside.retain(|id| !algorithms.contains(id));
    let all: Vec<String> = algorithms.iter().chain(&beside).cloned().collect();
    for id in &all {
        if registry.find(Kind::Algorithm, &twin_id(id)).is_err() {
            return Err(Error::new(format!("`{id}` has no twin, and only a twin counts what it does"))
                .remedy("explain another algorithm: `assay list algorithms --format csv` shows which are instrumented"));
        }
    }
    let mut experiment = Experiment { algorithms: all, runs: RUNS, ..Experiment::default() };
    experiment.patterns.lengths = LENGTHS.to_vec();
    args.options.apply(&mut experiment)?;
    if experiment.cold {
        return Err(not_modelled("--cold", "leave out --cold"));
    }
    let resolved = experiment.resolve(registry, &runner.session.console)?;
    let Some(times) = runner.execute(&resolved, "times: ")? else { return Ok(None) };
    for remark in wording::remarks(&times.report.facts) {
        runner.session.console.warn(&remark);
    }
    let Some(counts) = runner.counts(&resolved.experiment)? else { return Ok(None) };
    let failed = times.failed || counts.failed;
    Ok(Some(ExplainedRuns { times: times.report, counts: counts.report, algorithms, beside, failed }))
}

/// A saved run, with the counts of its patterns.
fn saved(args: &Args, place: &str, names: &[String], runner: &Runner<'_>) -> Result<Option<ExplainedRuns>> {
    if !args.with.is_empty() {
        return Err(Error::new("--with measures algorithms, and a saved run is explained by its own")
            .remedy("leave out --with, or name algorithms instead of the run"));
    }
    let times = Report::load(&find(place, &args.out)?)?;
    runner.session.note_changed_ids(&times);
    let experiment = explainable(&times.facts)?;
    let mut changed = experiment.clone();
    args.options.apply(&mut changed)?;
    (changed.text.force, changed.allow_debug) = (experiment.text.force, experiment.allow_debug);
    if changed != *experiment {
        return Err(Error::new(
            "options of texts, patterns and measuring change what a saved run has measured",
        )
        .remedy("leave them out, or name algorithms instead of the run"));
    }
    let known: BTreeMap<&str, &str> = times.algorithms().map(|id| (id, "")).collect();
    let mut algorithms: Vec<String> = Vec::new();
    for name in names {
        let found = measured_ids(std::slice::from_ref(name), &known)?;
        for id in found.into_iter().map(str::to_owned) {
            if !algorithms.contains(&id) {
                algorithms.push(id);
            }
        }
    }
    if names.is_empty() {
        algorithms = times.algorithms().map(str::to_owned).collect();
        if algorithms.len() > ALL_EXPLAINED {
            let two = algorithms[..2].join(" ");
            return Err(Error::new(format!("the run has {} algorithms", algorithms.len()))
                .remedy(format!("name those to explain: `assay explain {place} {two}`")));
        }
    }
    at_least_two(&algorithms)?;
    let beside = times.algorithms().filter(|id| !algorithms.iter().any(|other| other == id));
    let beside = beside.map(str::to_owned).collect();
    let Some(counts) = runner.counts(experiment)? else { return Ok(None) };
    Ok(Some(ExplainedRuns { times, counts: counts.report, algorithms, beside, failed: counts.failed }))
}

/// The experiment of a saved run that the cost model can explain.
///
/// # Errors
/// If it has no times, or times that depend on more than work.
fn explainable(facts: &ExperimentFacts) -> Result<&Experiment> {
    if !facts.has_times() {
        return Err(Error::new(format!("the run {} has no times to explain", facts.id))
            .remedy("name a run that was measured without `--stats algo` and `--simulate`"));
    }
    let remedy = "name another run, or algorithms";
    if facts.gathered.is_some() {
        return Err(not_modelled("a run of several machines", remedy));
    }
    if !facts.calls.is_empty() {
        return Err(not_modelled("a run with several calls in a repetition", remedy));
    }
    if facts.over() != Over::PatternLength {
        return Err(not_modelled(&format!("a run over {}", facts.over().plural()), remedy));
    }
    if facts.threads > 1 {
        return Err(not_modelled("a run with several threads", remedy));
    }
    let experiment = facts.definition.as_ref().ok_or_else(|| {
        Error::new(format!("a later version of assay wrote the experiment of run {}", facts.id))
            .remedy("use that version")
    })?;
    if experiment.cold { Err(not_modelled("a run with cold caches", remedy)) } else { Ok(experiment) }
}

fn not_modelled(what: &str, remedy: &str) -> Error {
    Error::new(format!(
        "the cost model can't explain {what}: its times depend on more than the work of a search"
    ))
    .remedy(remedy)
}

/// The algorithms that are made for measuring others. Those of a library that did not come with assay are measured only
/// if they are named, because no test holds them to what a yardstick is.
fn yardsticks(registry: &Registry) -> Vec<String> {
    let all = registry.of_kind(Kind::Algorithm);
    all.filter(|listing| !listing.instrumented && listing.fact(YARDSTICK).is_some())
        .filter(|listing| {
            registry.is_shipped(listing) && registry.find(Kind::Algorithm, &twin_id(&listing.id)).is_ok()
        })
        .map(|listing| listing.id.clone())
        .collect()
}

fn at_least_two(algorithms: &[String]) -> Result<()> {
    let mut originals: Vec<&str> = algorithms.iter().map(|id| original(id)).collect();
    originals.dedup();
    match originals[..] {
        [] | [_] => Err(Error::new(format!(
            "a difference takes two algorithms, and there is `{}` alone",
            algorithms.join(" ")
        ))
        .remedy("name another one, too")),
        _ => Ok(()),
    }
}

/// A run that was measured to its end.
struct Ran {
    report: Report,
    failed: bool,
}

impl Runner<'_> {
    /// What the twins count in an experiment: all its patterns, each once.
    fn counts(&self, experiment: &Experiment) -> Result<Option<Ran>> {
        let experiment = Experiment {
            stats: Stats::Algo,
            rounds: 1,
            warmup: 0,
            until: None,
            budget: None,
            most_runs: None,
            counters: Vec::new(),
            first_counter: None,
            counter_options: Vec::new(),
            time_limit_ms: experiment.time_limit_ms.saturating_mul(TWIN_SLOWDOWN),
            ..experiment.clone()
        };
        let resolved = experiment.resolve(self.registry, &self.session.console)?;
        self.execute(&resolved, "counts: ")
    }

    /// Measures an experiment without saving it. None if it was interrupted.
    fn execute(&self, resolved: &Resolved, prefix: &str) -> Result<Option<Ran>> {
        let console = &self.session.console;
        let bar = RunProgress::new(console, resolved, prefix);
        let finished = execute(resolved, self.registry, None, self.interrupt.flag(), |step| bar.step(step));
        bar.finish();
        let Some(FinishedRun { run, report, .. }) = finished? else { return Ok(None) };
        failures(&run).iter().for_each(|failure| console.warn(failure));
        let failed = run.results.iter().any(|cell| cell.status.is_failure());
        Ok((!run.experiment.interrupted).then_some(Ran { report, failed }))
    }
}

#[cfg(test)]
mod tests {
    use assay_load::plugin::testing::{listing, registry};

    use super::*;

    #[test]
    fn a_library_that_did_not_come_with_assay_brings_no_yardstick() {
        let mut mine = listing(Kind::Algorithm, "mine", "/mine.so", "1");
        mine.facts.push((YARDSTICK.to_owned(), "timed as counted".to_owned()));
        let mut twin = listing(Kind::Algorithm, &twin_id("mine"), "/mine.so", "1");
        (twin.instrumented, twin.twin_of) = (true, Some("mine".to_owned()));
        let registry = registry(vec![("/mine.so", vec![mine, twin])]);
        assert!(registry.find(Kind::Algorithm, "mine").is_ok());
        assert!(yardsticks(&registry).is_empty());
    }
}
