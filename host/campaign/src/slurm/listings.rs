//! What `squeue` and `sacct` print.

use std::collections::HashMap;

use assay_base::error::{Error, Result};
use assay_load::plugin::printable;

use crate::batch_system::{ElementState, Job, JobStage, JobStates};
use crate::program::{ProgramOutput, beginning};

/// Greatest number of an element: that of Slurm for `MaxArraySize`.
const MOST_ELEMENTS: usize = 4_000_001;

/// Elements of arrays, each by its job and its number.
type Elements = Vec<((String, usize), ElementState)>;

/// The elements of these jobs in what `squeue` printed.
///
/// # Errors
/// If it can't be read.
pub(super) fn queued(printed: &str, jobs: &[Job]) -> Result<HashMap<(String, usize), ElementState>> {
    let mut found = HashMap::new();
    for line in printed.lines().filter(|line| !line.trim().is_empty()) {
        let elements = queued_line(line, jobs).ok_or_else(|| unreadable(line))?;
        found.extend(elements);
    }
    Ok(found)
}

/// The elements of these jobs in a line of `squeue`: `job|element|state|node|name`. A job without elements has
/// `N/A`, and is none of ours. `None` if the line is another.
fn queued_line(line: &str, jobs: &[Job]) -> Option<Elements> {
    let [job, element, word, node, name] = line.trim().splitn(5, '|').collect::<Vec<_>>().try_into().ok()?;
    elements_of(jobs, (job, name), Some(element).filter(|element| *element != "N/A"), (word, node))
}

/// The elements of these jobs in a line of `sacct`: `job_element|state|node|name`. Those that were cancelled
/// before they began are in one line: `job_[elements]|..`. A job without elements is none of ours. `None` if
/// the line is another.
fn accounted(line: &str, jobs: &[Job]) -> Option<Elements> {
    let [id, word, node, name] = line.trim().splitn(4, '|').collect::<Vec<_>>().try_into().ok()?;
    let (job, elements) = id.split_once('_').map_or((id, None), |(job, elements)| (job, Some(elements)));
    elements_of(jobs, (job, name), elements, (word, node))
}

/// The elements of a job of this number and name in this state; none if the job is not one of these or has no
/// elements. `None` if these are no words of Slurm.
fn elements_of(
    jobs: &[Job],
    (number, name): (&str, &str),
    elements: Option<&str>,
    (word, node): (&str, &str),
) -> Option<Elements> {
    if !is_number(number) || !is_word(word) {
        return None;
    }
    let is_ours = jobs.iter().any(|job| job.number == number && job.name == name);
    let elements = elements.filter(|_| is_ours).map_or(Some(Vec::new()), element_numbers)?;
    let state = ElementState::of_word(word, node);
    Some(elements.into_iter().map(|element| ((number.to_owned(), element), state.clone())).collect())
}

/// The numbers of elements in the words of Slurm: `4`, `[3-7]`, `[1,5-9:2%4]`.
fn element_numbers(words: &str) -> Option<Vec<usize>> {
    let inside = words.strip_prefix('[').and_then(|words| words.strip_suffix(']')).unwrap_or(words);
    let mut numbers = Vec::new();
    // After `%` is how many run at once.
    for part in inside.split('%').next()?.split(',') {
        let (range, step) = part.split_once(':').unwrap_or((part, "1"));
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last, step): (usize, usize, usize) =
            (first.parse().ok()?, last.parse().ok()?, step.parse().ok()?);
        if first > last || last > MOST_ELEMENTS || step == 0 {
            return None;
        }
        numbers.extend((first..=last).step_by(step));
    }
    Some(numbers)
}

impl ElementState {
    /// The state of an element for which Slurm has this word.
    fn of_word(word: &str, node: &str) -> Self {
        let stage = match word.split(' ').next().unwrap_or_default() {
            "PENDING" | "REQUEUED" | "REQUEUE_HOLD" | "REQUEUE_FED" | "SPECIAL_EXIT" | "RESV_DEL_HOLD" => {
                JobStage::Waiting
            }
            // It has a machine.
            "RUNNING" | "CONFIGURING" | "COMPLETING" | "SUSPENDED" | "STOPPED" | "RESIZING" | "SIGNALING"
            | "STAGE_OUT" | "POWER_UP_NODE" | "UPDATE_DB" => JobStage::Running,
            "CANCELLED" | "PREEMPTED" | "TIMEOUT" | "DEADLINE" | "NODE_FAIL" | "BOOT_FAIL" | "REVOKED"
            | "LAUNCH_FAILED" | "RECONFIG_FAIL" => JobStage::Ended,
            "COMPLETED" => JobStage::Completed,
            "FAILED" | "OUT_OF_MEMORY" => JobStage::Failed,
            _ => JobStage::Unknown,
        };
        let is_node = !node.is_empty() && node != "None assigned" && node != "(null)";
        let node = is_node.then(|| printable::message(node));
        ElementState { stage, word: printable::message(word), node }
    }
}

impl JobStates {
    /// Adds the elements in what `sacct` printed that the queue does not list. A line that can't be read costs
    /// what it says alone, and a note: accounts only say how jobs have ended.
    pub(super) fn add_accounts(&mut self, printed: &str, jobs: &[Job]) {
        let mut unreadable = None;
        for line in printed.lines().filter(|line| !line.trim().is_empty()) {
            match accounted(line, jobs) {
                Some(elements) => {
                    elements.into_iter().for_each(|(key, state)| self.add_accounted(key, state))
                }
                None => unreadable = unreadable.or(Some(line)),
            }
        }
        self.notes.extend(unreadable.map(|line| {
            format!(
                "`sacct` printed `{}`, which is not what it was asked for, so it may be unknown how some jobs ended",
                beginning(line)
            )
        }));
    }

    /// Adds an element of the accounts, unless the queue lists it. The queue knows more: a job that was sent
    /// back has an ended record, too.
    fn add_accounted(&mut self, key: (String, usize), mut state: ElementState) {
        // What waits or runs is in the queue. What is not there has ended, whatever the accounts say: they
        // never learn the end of a job if its record was lost (Slurm calls it a runaway job).
        if self.asked && state.is_live() {
            state.word += match state.stage {
                JobStage::Unknown => " by the accounts, which this version of assay does not know",
                _ => " by the accounts, but not in the queue",
            };
            state.stage = JobStage::Ended;
        }
        self.elements.entry(key).or_insert(state);
    }
}

/// Whether this is the number of a job.
pub(super) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether this may be the state of a job, such as `NODE_FAIL` or `CANCELLED by 0`.
fn is_word(text: &str) -> bool {
    let word = text.split(' ').next().unwrap_or_default();
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_uppercase() || b"_+,".contains(&byte))
}

/// The error that `squeue` printed something else than it was asked for. An empty queue would be wrong then,
/// because tasks that run would be submitted again.
pub(super) fn unreadable(line: &str) -> Error {
    Error::new(format!("`squeue` printed `{}`, which is not what it was asked for", beginning(line)))
        .remedy("call `squeue --me` to see the cause; a program around `squeue` may change what it prints")
}

/// Why jobs that ended some minutes ago are not known, for the user.
pub(super) fn without_accounts(accounts: Result<Option<ProgramOutput>>) -> String {
    let reason = match accounts {
        Ok(Some(output)) if !output.stderr.to_lowercase().contains("accounting storage is disabled") => {
            output.failure("sacct").message().to_owned()
        }
        Ok(_) => "Slurm keeps no accounts here (`sacct`)".to_owned(),
        Err(error) => error.message().to_owned(),
    };
    format!("{reason}, so it has forgotten jobs that ended some minutes ago")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jobs(number: &str) -> [Job; 1] {
        [Job { number: number.to_owned(), name: "ours".to_owned() }]
    }

    #[test]
    fn lines_of_squeue_and_sacct_are_read() {
        use JobStage::{Completed, Ended, Failed, Running, Waiting};
        let jobs = jobs("123");
        let [(key, state)] = queued_line("123|4|PENDING||ours\n", &jobs).unwrap().try_into().unwrap();
        assert_eq!((key, state.stage, state.node), (("123".to_owned(), 4), Waiting, None));
        let [(key, state)] = accounted("123_4|CANCELLED by 0|n1|ours", &jobs).unwrap().try_into().unwrap();
        assert_eq!(key, ("123".to_owned(), 4));
        assert_eq!((state.stage, state.node.as_deref()), (Ended, Some("n1")));
        for other in [
            "123|N/A|RUNNING|n1|ours",
            "123|4|RUNNING|n1|theirs|ours",
            "9|4|RUNNING|n1|a",
            "9|[4-9]|PENDING||a",
            "9|[1,2...]|PENDING||a",
        ] {
            assert_eq!(queued_line(other, &jobs), Some(Vec::new()), "{other}");
        }
        assert_eq!(accounted("123_4|COMPLETED|n1|theirs", &jobs), Some(Vec::new()));
        let cancelled = accounted("123_[3-7%2]|CANCELLED by 0|None assigned|ours", &jobs).unwrap();
        let numbers: Vec<usize> = cancelled.iter().map(|((_, number), _)| *number).collect();
        assert_eq!((numbers, cancelled[4].1.stage), (vec![3, 4, 5, 6, 7], Ended));
        assert_eq!(element_numbers("[0-6:3,9]"), Some(vec![0, 3, 6, 9]));
        for other in ["", "[", "[7-3]", "[1-9:0]", "[0-9999999999]", "[1,2...]"] {
            assert_eq!(element_numbers(other), None, "{other}");
        }
        let words =
            ["RUNNING", "COMPLETING", "COMPLETED", "OUT_OF_MEMORY", "REQUEUED", "LAUNCH_FAILED", "NEW"];
        let stages = words.map(|word| ElementState::of_word(word, "n1").stage);
        assert_eq!(stages, [Running, Running, Completed, Failed, Waiting, Ended, JobStage::Unknown]);
        let coloured = ElementState::of_word("TIME\x1b[31mOUT", "n\x1b]0;x\x07");
        assert!(!format!("{coloured:?}").contains("\\u{1b}"), "{coloured:?}");
    }

    #[test]
    fn what_the_queue_does_not_list_has_ended_whatever_the_accounts_say() {
        use JobStage::{Completed, Ended, Running};
        let accounts = "123_0|COMPLETED|n1|ours\n123_1|RUNNING|n1|ours\n123_2|COMPLETED|n1|ours\n";
        let stages = |asked| {
            let element = (("123".to_owned(), 0), ElementState::of_word("RUNNING", "n1"));
            let mut states = JobStates { asked, elements: [element].into(), notes: Vec::new() };
            states.add_accounts(accounts, &jobs("123"));
            [0, 1, 2].map(|number| states.elements[&("123".to_owned(), number)].stage)
        };
        assert_eq!(stages(true), [Running, Ended, Completed]);
        assert_eq!(
            stages(false),
            [Running, Running, Completed],
            "without a queue, accounts are all there is"
        );
    }

    #[test]
    fn what_sacct_prints_besides_costs_nothing_but_a_note() {
        let states = |printed: &str| {
            let mut states = JobStates { asked: true, ..JobStates::default() };
            states.add_accounts(printed, &jobs("8001"));
            states
        };
        assert_eq!(states("\n8001|COMPLETED|n1|a\n8001|CANCELLED by 0||a\n").notes, [""; 0], "other jobs");
        for other in
            ["Welcome", "8001|N/A|", "8001_0|COMPLETED", "8001_x|COMPLETED|n1|ours", "8001_0||n1|ours"]
        {
            let states = states(&format!("8001_1|COMPLETED|n1|ours\n{other}\nmore\n8001_2|FOOBAR|n1|ours\n"));
            let [note] = states.notes.try_into().unwrap();
            assert!(note.starts_with(&format!("`sacct` printed `{other}`, which is not")), "{note}");
            let [known, unknown] = [1, 2].map(|number| &states.elements[&("8001".to_owned(), number)]);
            assert_eq!((known.stage, unknown.stage), (JobStage::Completed, JobStage::Ended));
            assert_eq!(unknown.word, "FOOBAR by the accounts, which this version of assay does not know");
        }
    }

    #[test]
    fn what_is_no_queue_is_not_taken_for_an_empty_one() {
        let jobs = jobs("123");
        assert_eq!(
            queued("\n123|0|PENDING||ours\n123|1|NEW_STATE|n1|ours\n9|N/A|RUNNING|n2|a\n", &jobs)
                .unwrap()
                .len(),
            2
        );
        for other in [
            "slurm_load_jobs error: Unable to contact slurm controller",
            "JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)",
            "123|0|PENDING",
            "123|0|PENDING|",
            "123|x|PENDING||ours",
            "123|N/A|||ours",
            "JobArrayId|ArrayTaskId|State|Nodes|Name",
        ] {
            let error = queued(&format!("123|0|PENDING||ours\n{other}\n"), &jobs).unwrap_err();
            assert!(error.message().contains(&format!("`squeue` printed `{other}`")), "{error}");
        }
    }

    #[test]
    fn why_accounts_are_missing_is_said_once() {
        let failed = |stderr: &str| {
            let (stdout, stderr) = (String::new(), stderr.to_owned());
            without_accounts(Ok(Some(ProgramOutput { success: false, killed: false, stdout, stderr })))
        };
        let disabled = failed("Slurm accounting storage is disabled\n");
        assert!(disabled.starts_with("Slurm keeps no accounts here (`sacct`), so it has"), "{disabled}");
        assert_eq!(without_accounts(Ok(None)), disabled);
        let refused = failed("sacct: error: Connection refused\n");
        assert!(refused.starts_with("`sacct` failed: sacct: error: Connection refused, so"), "{refused}");
    }
}
