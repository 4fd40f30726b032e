//! The host's side of the test of one algorithm and its twin.

use std::process::Stdio;
use std::time::{Duration, Instant};

use assay_base::error::{Error, Result};
use assay_load::process::{
    ChildAnswer, ChildEnd, ChildGuard, Permissions, Requests, Stopwatch, Task, memory_file, not_started,
    send_files,
};
use assay_plugin_api::testing::cases::{Case, Place, Plan};
use assay_plugin_api::testing::{Fault, show, shrunk};

use super::child::{CaseVerdict, Note, TestStep, Work, Workload};
use super::report::{Repeat, TestReport, TestStatus};
use super::subject::Subject;

/// Time limits of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrialLimits {
    /// For one case.
    pub case: Duration,
    /// For all cases of a subject together.
    pub whole: Duration,
    /// For making a failing case smaller.
    pub shrink: Duration,
}

impl TrialLimits {
    /// The limits that follow from the limit for one case.
    pub fn new(case: Duration) -> Self {
        TrialLimits { case, whole: case * WHOLE, shrink: SHRINK }
    }
}

/// Time limit for all cases of a subject, in time limits for one case: with five seconds for a case, five
/// minutes.
const WHOLE: u32 = 60;

/// Time limit for making a failing case smaller. The user waits for it, and a case that is not the smallest
/// shows the failure as well.
const SHRINK: Duration = Duration::from_secs(4);

/// Greatest length of pattern and text together that a command for repeating the failure spells out. Longer
/// cases are named by their place in the plan.
const LONGEST_TEXT: usize = 300;
/// Time limit for one case while a failing case is made smaller: its texts are short, so a search that takes
/// longer hangs.
const SHRINK_CASE: Duration = Duration::from_millis(500);
/// Longer patterns are not tried. A library may declare any minimum, and the test would allocate that much.
const LONGEST_PATTERN: usize = 1 << 20;

/// Tries a subject on the cases of a plan. `look` is called every now and then; its error ends the test.
///
/// # Errors
/// If no child can be started, or if `look` returns an error.
pub fn try_plan(
    subject: &Subject,
    plan: &Plan,
    limits: TrialLimits,
    look: &dyn Fn() -> Result<()>,
) -> Result<TestReport> {
    let mut trial = Trial { subject, child: None, whole: limits.whole, look };
    match trial.work(&Workload::all(plan), limits.case)? {
        WorkloadResult::Right { cases: 0, least, .. }
            if plan.lengths.is_empty()
                && (1..LONGEST_PATTERN).contains(&least)
                && plan.cases().all(|(_, case)| case.0.len() < least) =>
        {
            try_plan(subject, &Plan { lengths: vec![least], ..plan.clone() }, limits, look)
        }
        WorkloadResult::Right { cases: 0, refusal, .. } => {
            Ok(TestReport::new(TestStatus::CannotSearch, refusal))
        }
        WorkloadResult::Right { cases, refused, aligned, refusal, slow, .. } => {
            let refusals = (refused > 0).then(|| {
                let all = cases + refused;
                format!(
                    "refused {refused} of {all} cases, though it takes patterns of their lengths: {refusal}"
                )
            });
            let slow = slow.map(|length| {
                format!("not all patterns of {length} bytes and more were tried, as one took too long")
            });
            let remarks: Vec<String> = refusals.into_iter().chain(slow).collect();
            let message = (!remarks.is_empty()).then(|| remarks.join("; "));
            Ok(TestReport { refused, message, ..TestReport::passed(cases, aligned) })
        }
        WorkloadResult::Gone(message) => Ok(TestReport::new(TestStatus::Error, message)),
        WorkloadResult::Fails(failure) => trial.explain(failure, plan, limits),
    }
}

/// Tries a subject on one case.
///
/// # Errors
/// As for [`try_plan`].
pub fn try_case(
    subject: &Subject,
    case: &Case,
    limits: TrialLimits,
    look: &dyn Fn() -> Result<()>,
) -> Result<TestReport> {
    let mut trial = Trial { subject, child: None, whole: limits.whole, look };
    Ok(match trial.work(&Workload::One(case.clone()), limits.case)? {
        WorkloadResult::Right { cases: 0, refusal, .. } => TestReport::new(TestStatus::CannotSearch, refusal),
        WorkloadResult::Right { cases, aligned, .. } => TestReport::passed(cases, aligned),
        WorkloadResult::Gone(message) => TestReport::new(TestStatus::Error, message),
        WorkloadResult::Fails(failure) => TestReport::new(failure.status, show(&failure.fault.message, case)),
    })
}

/// The outcome of a workload.
enum WorkloadResult {
    Right { cases: usize, refused: usize, aligned: bool, refusal: String, least: usize, slow: Option<usize> },
    Gone(String),
    Fails(TrialFailure),
}

/// A failure, and the step in which it happened.
struct TrialFailure {
    status: TestStatus,
    fault: Fault,
    step: TestStep,
    /// Whether all cases together exceeded their time limit, so that the step alone is not to blame.
    late: bool,
}

/// Tries a subject in a child process. After a failure, the next workload starts a new child.
struct Trial<'a> {
    subject: &'a Subject,
    child: Option<Child>,
    /// Time limit for one workload.
    whole: Duration,
    look: &'a dyn Fn() -> Result<()>,
}

struct Child {
    guard: ChildGuard,
    requests: Requests,
    note: Note,
}

impl Trial<'_> {
    /// Lets the child do a workload, and starts a child if none is alive. `patience` is the time limit for
    /// each step.
    fn work(&mut self, workload: &Workload, patience: Duration) -> Result<WorkloadResult> {
        let mut child = match self.child.take() {
            Some(child) => child,
            None => Child::start(self.subject)?,
        };
        let work = Work { subject: self.subject.clone(), workload: workload.clone() };
        let item = postcard::to_stdvec(&work).map_err(|error| Error::new(error.to_string()))?;
        // If the child has ended already, waiting for its answer shows it.
        let _ = child.requests.send(&item);
        let mut spent = Duration::ZERO;
        let end = loop {
            let before = child.note.read();
            let mut waited = Stopwatch::start();
            match child.requests.hear_last::<CaseVerdict>(&mut waited, patience, self.look)? {
                ChildAnswer::Record(verdict) => {
                    let step = child.note.read().0;
                    self.child = Some(child);
                    return Ok(match verdict {
                        CaseVerdict::Right { cases, refused, aligned, refusal, least, slow } => {
                            WorkloadResult::Right { cases, refused, aligned, refusal, least, slow }
                        }
                        CaseVerdict::Wrong { message, in_other_text } => {
                            let fault = Fault { message, in_other_text };
                            WorkloadResult::Fails(TrialFailure {
                                status: TestStatus::Failed,
                                fault,
                                step,
                                late: false,
                            })
                        }
                        CaseVerdict::Gone(message) => WorkloadResult::Gone(message),
                    });
                }
                ChildAnswer::Nonsense => break ChildEnd::Garbled,
                // The note has changed, so the child is making progress.
                ChildAnswer::None { left } if left.is_zero() && child.note.read() != before => {
                    spent += patience;
                    if spent >= self.whole {
                        break ChildEnd::Hung(spent);
                    }
                }
                ChildAnswer::None { left } => {
                    break child.guard.end_within(left).unwrap_or(ChildEnd::Hung(patience));
                }
            }
        };
        let (step, variant) = child.note.read();
        let late = matches!(end, ChildEnd::Hung(spent) if spent >= self.whole);
        let status =
            if matches!(end, ChildEnd::Hung(_)) { TestStatus::TimedOut } else { TestStatus::Crashed };
        let whose = if variant == 0 { "it" } else { "its twin" };
        let fault = match end {
            ChildEnd::Hung(spent) if late => format!("its cases took more than {} s", spent.as_secs()),
            ChildEnd::Hung(patience) if matches!(step, TestStep::Case(_)) => {
                format!("{whose} hangs, or is slow: no answer within {} s", patience.as_secs_f64())
            }
            end => format!("{whose} {end}"),
        };
        Ok(WorkloadResult::Fails(TrialFailure { status, fault: fault.into(), step, late }))
    }

    /// Tries one case in a child that may have tried others.
    fn one(&mut self, case: &Case, patience: Duration) -> Result<Option<TrialFailure>> {
        Ok(match self.work(&Workload::One(case.clone()), patience)? {
            WorkloadResult::Fails(failure) => Some(failure),
            WorkloadResult::Right { .. } | WorkloadResult::Gone(_) => None,
        })
    }

    /// Tries one case in a new child, as the command that repeats it will.
    fn alone(&mut self, case: &Case, patience: Duration) -> Result<Option<TrialFailure>> {
        self.child = None;
        self.one(case, patience)
    }

    /// Makes the case of a failure smaller, and finds out how to repeat the failure.
    fn explain(&mut self, failure: TrialFailure, plan: &Plan, limits: TrialLimits) -> Result<TestReport> {
        let TrialFailure { status, fault: Fault { message: fault, .. }, step, late } = failure;
        let report = |status, message: String, group, repeat| TestReport {
            group,
            repeat: Some(repeat),
            ..TestReport::new(status, message)
        };
        let Some((place, case)) = placed(plan, step) else {
            let message = match step {
                TestStep::TwoSearchers | TestStep::TwoThreads if fault.starts_with("beside ") => fault,
                TestStep::TwoSearchers => format!("beside another searcher in the same thread, {fault}"),
                TestStep::TwoThreads => format!("beside a searcher in another thread, {fault}"),
                TestStep::Begin | TestStep::Case(_) => fault,
            };
            return Ok(report(status, message, None, Repeat::Plan));
        };
        let group = Some(place.group);
        if late {
            let all = plan.cases().count();
            let done = plan.cases().position(|(other, _)| other == place).unwrap_or_default();
            let message = format!("{fault}: {done} of {all} were tried, and the rest was given up");
            return Ok(report(status, message, group, Repeat::Plan));
        }
        let small = self.shrink(&case, limits)?;
        if let Some(small) = small.filter(|(pattern, text)| pattern.len() + text.len() <= LONGEST_TEXT)
            && let Some(failure) = self.alone(&small, limits.case)?
        {
            return Ok(report(
                failure.status,
                show(&failure.fault.message, &small),
                group,
                Repeat::Case(small),
            ));
        }
        if let Some(failure) = self.alone(&case, limits.case)? {
            return Ok(report(
                failure.status,
                show(&failure.fault.message, &case),
                group,
                Repeat::Place(place),
            ));
        }
        Ok(report(status, format!("after other patterns, {}", show(&fault, &case)), group, Repeat::Plan))
    }

    /// The smallest failing case that is found within the time limit; `None` if the case does not fail by
    /// itself.
    fn shrink(&mut self, case: &Case, limits: TrialLimits) -> Result<Option<Case>> {
        let begun = Instant::now();
        let mut broken = None;
        let patience = limits.case.min(SHRINK_CASE);
        let small = shrunk(case.clone(), |case| {
            if broken.is_some() || begun.elapsed() > limits.shrink {
                return None;
            }
            match self.one(case, patience) {
                // If the text is shorter than the pattern, the host answers it without the algorithm. So the
                // fault was in the other text.
                Ok(failure) => failure.map(|TrialFailure { fault, .. }| Fault {
                    in_other_text: fault.in_other_text || case.1.len() < case.0.len(),
                    ..fault
                }),
                Err(error) => {
                    broken = Some(error);
                    None
                }
            }
        });
        broken.map_or(Ok(small.map(|(_, case)| case)), Err)
    }
}

/// The case of a step, with its place.
fn placed(plan: &Plan, step: TestStep) -> Option<(Place, Case)> {
    let TestStep::Case(number) = step else { return None };
    plan.cases().nth(number)
}

impl Child {
    fn start(subject: &Subject) -> Result<Self> {
        let failed = |error| not_started(&error);
        let file = memory_file("assay-case").map_err(failed)?;
        let libraries = subject.variants.iter().map(|variant| variant.library.path.clone());
        let permissions = Permissions::to_load(libraries);
        let (guard, connection) =
            ChildGuard::start(&Task::TryOut, &permissions, Stdio::null()).map_err(failed)?;
        send_files(&connection, [&file]).map_err(failed)?;
        Ok(Child { guard, requests: Requests::new(connection), note: Note::new(file) })
    }
}
