//! The child's side of a test: searches here. Before each case it notes which one that is, where the host can
//! read it when there is no child any more.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::Duration;

use assay_base::error::reason;
use assay_load::process;
use assay_plugin_api::testing::cases::{Case, Plan, Size};
use assay_plugin_api::testing::{Fault, Trial, in_one_thread, in_two_threads};
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

use super::loaded::{LoadedSearcher, LoadedVariant};
use super::subject::Subject;

/// What a child is to do.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Work {
    /// With whom.
    pub subject: Subject,
    /// What.
    pub workload: Workload,
    /// Where to note the case in work.
    pub note: PathBuf,
}

/// What is done with a subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Workload {
    /// Try all cases of a plan, and then two searchers at a time.
    All {
        /// Of the plan.
        seed: u64,
        /// Whether it is [`Size::Quick`].
        quick: bool,
        /// Of the plan.
        lengths: Vec<usize>,
    },
    /// Try one case.
    One(Case),
}

impl Workload {
    /// All cases of a plan.
    pub(crate) fn all(plan: &Plan) -> Self {
        Workload::All { seed: plan.seed, quick: plan.size == Size::Quick, lengths: plan.lengths.clone() }
    }
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CaseVerdict {
    /// So many cases were searched, and all was right.
    Right {
        /// How many; the twin's are not counted apart.
        cases: usize,
        /// How many others were refused, though patterns of the same length were searched for, and nothing in
        /// the declared needs says why.
        refused: usize,
        /// Whether the functions begin where those of others do.
        aligned: bool,
        /// Why one of those was refused; or, if there is none, the last case that could not be searched.
        refusal: String,
        /// The length of the shortest pattern that it takes.
        least: usize,
        /// From this pattern length on, what was left was not tried: a case took too long.
        slow: Option<usize>,
    },
    /// This is wrong.
    Wrong {
        /// In words.
        message: String,
        /// As in [`Fault`].
        in_other_text: bool,
    },
    /// It could not be tried: the library is not what it was, or the machine had no room for another thread.
    Gone(String),
}

/// What is in work: a step, and which variant of the subject does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TestStep {
    /// The library is loaded, or asked what it needs.
    Begin,
    /// The case of this number, among all of the plan.
    Case(usize),
    /// Two searchers in one thread.
    TwoSearchers,
    /// Two searchers in two threads.
    TwoThreads,
}

/// A file in memory that says what is in work.
#[derive(Debug)]
pub(crate) struct Note(File);

impl Note {
    /// Opens the file that the host made, or takes a new one.
    pub(crate) fn new(file: File) -> Self {
        Note(file)
    }

    /// Notes what begins. A step that can't be noted will not be named.
    fn begin(&self, step: TestStep, variant: usize) {
        let number = match step {
            TestStep::Begin => 0,
            TestStep::TwoSearchers => 1,
            TestStep::TwoThreads => 2,
            TestStep::Case(number) => 3 + number as u64,
        };
        let words = [number.to_le_bytes(), (variant as u64).to_le_bytes()].concat();
        let _ = self.0.write_all_at(&words, 0);
    }

    /// What was noted last.
    pub(crate) fn read(&self) -> (TestStep, usize) {
        let mut words = [[0; 8]; 2];
        let read = self.0.read_exact_at(words.as_flattened_mut(), 0);
        let [number, variant] =
            words.map(|word| usize::try_from(u64::from_le_bytes(word)).unwrap_or_default());
        let step = match number {
            1 => TestStep::TwoSearchers,
            2 => TestStep::TwoThreads,
            3.. => TestStep::Case(number - 3),
            _ => TestStep::Begin,
        };
        if read.is_ok() { (step, variant) } else { (TestStep::Begin, 0) }
    }
}

/// Works for the host until it has no more to do.
///
/// # Errors
/// If the host is gone.
pub fn serve(host: &UnixStream) -> io::Result<()> {
    let mut known: Option<(Subject, Vec<LoadedVariant>)> = None;
    process::answer_items(host, |work: Work| -> CaseVerdict {
        let mut done = || -> Result<CaseVerdict, String> {
            let note = File::options().read(true).write(true).open(&work.note);
            let note = Note(note.map_err(|error| error.to_string())?);
            note.begin(TestStep::Begin, 0);
            let variants = match known.take() {
                Some((subject, variants)) if subject == work.subject => variants,
                _ => load(&work.subject)?,
            };
            let verdict = attempt(&variants, &work.workload, &note);
            known = Some((work.subject.clone(), variants));
            Ok(verdict)
        };
        done().unwrap_or_else(CaseVerdict::Gone)
    })
}

/// The variants of a subject, loaded here.
fn load(subject: &Subject) -> Result<Vec<LoadedVariant>, String> {
    let load = |variant: &super::TestedVariant| {
        let catalogue = variant.library.verify()?.load()?;
        let entry = catalogue.algorithms.iter().find(|entry| entry.facts.id == variant.id);
        entry
            .map(|entry| LoadedVariant::new(entry, !catalogue.library.abi.is_empty()))
            .ok_or_else(|| format!("`{}` is gone", variant.id))
    };
    subject.variants.iter().map(load).collect()
}

fn attempt(variants: &[LoadedVariant], workload: &Workload, note: &Note) -> CaseVerdict {
    let wrong = |(variant, Fault { message, in_other_text }): (usize, Fault)| CaseVerdict::Wrong {
        message: if variant == 0 { message } else { format!("its twin: {message}") },
        in_other_text,
    };
    match workload {
        Workload::One(case) => {
            let tried = one(variants, case, note);
            tried.map_or_else(wrong, |searched| right(variants, usize::from(searched)))
        }
        Workload::All { seed, quick, lengths } => {
            let size = if *quick { Size::Quick } else { Size::Full };
            let plan = Plan { seed: *seed, size, lengths: lengths.clone() };
            all(variants, &plan, note).unwrap_or_else(wrong)
        }
    }
}

fn right(variants: &[LoadedVariant], cases: usize) -> CaseVerdict {
    let refusal = variants.first().map(LoadedVariant::refusal).unwrap_or_default();
    let least = variants
        .iter()
        .filter_map(|variant| variant.needs(1).ok())
        .map(|needs| needs.raw().min_pattern)
        .max();
    let aligned = variants.iter().all(LoadedVariant::is_aligned);
    CaseVerdict::Right { cases, refused: 0, aligned, refusal, least: least.unwrap_or(1), slow: None }
}

/// Tries one case with fresh searchers.
fn one(variants: &[LoadedVariant], case: &Case, note: &Note) -> Result<bool, (usize, Fault)> {
    let mut searchers: Vec<_> = variants.iter().map(LoadedVariant::searcher).collect();
    judge(&mut searchers, &Trial::new(case.clone()), TestStep::Case(0), note)
}

/// Lets all variants try a case: all search it, or none.
fn judge(
    searchers: &mut [LoadedSearcher<'_>],
    trial: &Trial,
    step: TestStep,
    note: &Note,
) -> Result<bool, (usize, Fault)> {
    let mut searched = None;
    for (variant, searcher) in searchers.iter_mut().enumerate() {
        note.begin(step, variant);
        let here = trial.judge(searcher).map_err(|fault| (variant, fault))?;
        if searched.is_some_and(|searched| searched != here) {
            let fault = if here {
                "it searches what its algorithm can't"
            } else {
                "it can't search what its algorithm can"
            };
            return Err((variant, fault.to_owned().into()));
        }
        searched = Some(here);
    }
    Ok(searched == Some(true))
}

/// A case of a long pattern that takes longer is the last of its length, and of longer patterns: preparations
/// may be cubic.
const SLOW: Duration = Duration::from_millis(150);
/// Patterns of up to this many bytes count as short.
const SHORT: usize = 64;

/// How long this thread has had a CPU.
fn worked() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// What became of the cases with patterns of one length.
#[derive(Default)]
struct LengthOutcome {
    searched: usize,
    /// Those that were refused, though the declared needs say nothing against them; and why the last one was.
    refused: usize,
    refusal: String,
}

/// Tries all cases, and then two searchers at a time.
fn all(variants: &[LoadedVariant], plan: &Plan, note: &Note) -> Result<CaseVerdict, (usize, Fault)> {
    for (variant, loaded) in variants.iter().enumerate() {
        note.begin(TestStep::Begin, variant);
        let needs = loaded.needs(1).map_err(|fault| (variant, fault.into()))?;
        if needs.fresh_process() {
            let searched = once(loaded, plan, note).map_err(|fault| (variant, fault.into()))?;
            return Ok(right(variants, usize::from(searched)));
        }
    }
    let mut searchers: Vec<_> = variants.iter().map(LoadedVariant::searcher).collect();
    let (mut lengths, mut slow_from) = (BTreeMap::<usize, LengthOutcome>::new(), None);
    for (number, (_, case)) in plan.cases().enumerate() {
        let [m, n] = [case.0.len(), case.1.len()];
        if slow_from.is_some_and(|slow| m >= slow) {
            continue;
        }
        let begun = worked();
        let searched = judge(&mut searchers, &Trial::new(case), TestStep::Case(number), note)?;
        // The host itself answers a text that is shorter than the pattern.
        if m <= n {
            let of_length = lengths.entry(m).or_default();
            if searched {
                of_length.searched += 1;
            } else if variants.iter().all(|variant| variant.accepts(m, n)) {
                of_length.refused += 1;
                of_length.refusal = variants.first().map(LoadedVariant::refusal).unwrap_or_default();
            }
        }
        if m > SHORT && worked().saturating_sub(begun) > SLOW {
            slow_from = Some(m);
        }
    }
    for (variant, loaded) in variants.iter().enumerate() {
        note.begin(TestStep::TwoSearchers, variant);
        in_one_thread(&|| Box::new(loaded.searcher())).map_err(|fault| (variant, fault.into()))?;
        note.begin(TestStep::TwoThreads, variant);
        match in_two_threads(&|| Box::new(loaded.searcher())) {
            Ok(undisturbed) => undisturbed.map_err(|fault| (variant, fault.into()))?,
            // The machine's lack, unless the library itself has taken what there was.
            Err(error) => {
                let lack = format!(
                    "it could not be tried in two threads, since none could be started: {}",
                    reason(&error)
                );
                return Ok(CaseVerdict::Gone(lack));
            }
        }
    }
    let mut verdict = right(variants, lengths.values().map(|of_length| of_length.searched).sum());
    if let CaseVerdict::Right { refused, refusal, slow, .. } = &mut verdict {
        *slow = slow_from;
        for of_length in lengths.into_values().filter(|of| of.searched > 0 && of.refused > 0) {
            *refused += of_length.refused;
            *refusal = of_length.refusal;
        }
    }
    Ok(verdict)
}

/// Tries the first case that is not refused: a process that each pattern wants for itself is used up by it.
fn once(variant: &LoadedVariant, plan: &Plan, note: &Note) -> Result<bool, String> {
    for (number, (_, case)) in plan.cases().enumerate() {
        note.begin(TestStep::Case(number), 0);
        if Trial::new(case).once(&mut variant.searcher())? {
            return Ok(true);
        }
    }
    Ok(false)
}
