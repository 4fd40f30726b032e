//! Slurm, by its programs: `sbatch`, `squeue`, `sacct`, `scancel` and `scontrol`.

use std::collections::HashMap;
use std::ffi::OsString;
use std::thread::sleep;
use std::time::Duration;

use assay_base::error::{Error, Result};
use assay_load::plugin::printable;

use crate::program::{ProgramOutput, beginning, call, missing};
use crate::scheduler::{ArrayRequest, ElementState, JobStage, JobStates, Scheduler, SubmitAnswer};

/// How long a program of Slurm may take. On a large cluster that is busy they take seconds; Slurm itself
/// gives up after some 10 s (`MessageTimeout`) and tries again a few times.
const CALL_TIMEOUT: Duration = Duration::from_secs(120);

/// How long a request of an `sbatch` that was killed may be under way. Slurm takes it in milliseconds; a
/// controller that is busy takes some seconds.
const SUBMIT_GRACE: Duration = Duration::from_secs(5);

/// Greatest number of an element: that of Slurm for `MaxArraySize`.
const MOST_ELEMENTS: usize = 4_000_001;

/// Slurm on this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Slurm;

/// The job of Slurm in which this process runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlurmJob {
    /// Its number: `123_4` for element 4 of array 123. The variable `SLURM_JOB_ID` would not do, because the
    /// last element of an array has the number of the whole array there.
    pub id: String,
    /// How often it was begun again.
    restarts: u32,
}

/// How often a job that finds its machine busy goes back to the queue. On a cluster whose machines are always
/// busy it would do so for ever otherwise.
const MOST_RESTARTS: u32 = 5;

impl SlurmJob {
    /// The job of this process, if there is one.
    pub fn here() -> Option<Self> {
        SlurmJob::of_environment(|name| std::env::var(name).ok())
    }

    fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let id = variable("SLURM_JOB_ID")?;
        let element = variable("SLURM_ARRAY_JOB_ID").zip(variable("SLURM_ARRAY_TASK_ID"));
        let id = element.map_or(id, |(job, element)| format!("{job}_{element}"));
        let restarts = variable("SLURM_RESTART_COUNT").and_then(|count| count.parse().ok()).unwrap_or(0);
        Some(SlurmJob { id, restarts })
    }

    /// Sends this job back to the queue, which ends this process. `false` if it was sent back often enough.
    ///
    /// # Errors
    /// If Slurm refuses.
    pub fn requeue(&self) -> Result<bool> {
        if self.restarts >= MOST_RESTARTS {
            return Ok(false);
        }
        required("scontrol", &["requeue", &self.id]).map(|_| true)
    }
}

impl Slurm {
    /// The words of the command that submits an array.
    pub fn command(request: &ArrayRequest) -> Vec<OsString> {
        let ArrayRequest { name, script, logs, elements, exclusive, options } = request;
        let mut words: Vec<OsString> = ["sbatch", "--parsable", "--requeue"].map(OsString::from).to_vec();
        words.push(format!("--job-name={name}").into());
        words.push(format!("--array=0-{}", elements.saturating_sub(1)).into());
        // sbatch replaces `%` in the whole path. A job that is sent back goes on in the same file.
        let logs = logs.to_string_lossy().replace('%', "%%");
        words.push(format!("--output={logs}/%A_%a.txt").into());
        words.push("--open-mode=append".into());
        words.extend(exclusive.then(|| "--exclusive".into()));
        words.extend(options.iter().map(OsString::from));
        words.push(script.into());
        words
    }
}

impl Scheduler for Slurm {
    fn submit(&self, request: &ArrayRequest) -> Result<SubmitAnswer> {
        if request.logs.to_string_lossy().contains('\\') {
            return Ok(SubmitAnswer::Refused(
                Error::new(format!(
                    "the path `{}` has a backslash, which Slurm does not take as a character of a name",
                    request.logs.display()
                ))
                .remedy("rename the folder, or use --on script"),
            ));
        }
        let words = Slurm::command(request);
        let Some(output) = call("sbatch", &words[1..], CALL_TIMEOUT)? else {
            return Ok(SubmitAnswer::Refused(missing("sbatch")));
        };
        answer(&output)
    }

    fn find(&self, name: &str, is_final: bool) -> Result<Option<String>> {
        let found = find_by_name(name)?;
        if found.is_some() || !is_final {
            return Ok(found);
        }
        sleep(SUBMIT_GRACE);
        find_by_name(name)
    }

    fn states(&self, jobs: &[String]) -> Result<JobStates> {
        let mut states = JobStates::default();
        if jobs.is_empty() {
            return Ok(JobStates { asked: true, ..states });
        }
        // All jobs of all users: another user may have submitted a part of the campaign, so `--me` would not
        // do; and with `--jobs`, squeue fails if it has forgotten the only job of the list.
        let words = ["--noheader", "--array", "--states=all", "--format=%F|%K|%T|%N"];
        match call("squeue", &words, CALL_TIMEOUT)? {
            Some(output) => {
                let listed = output.checked("squeue")?;
                states.asked = true;
                states.elements = queued(&listed, jobs)?;
            }
            None => {
                states.notes.push("there is no `squeue` here, so this is what the attempts say".to_owned())
            }
        }
        let by_number = format!("--jobs={}", jobs.join(","));
        let words =
            ["--noheader", "--parsable2", "--allocations", "--format=JobID,State,NodeList", &by_number];
        let accounts = call("sacct", &words, CALL_TIMEOUT);
        if let Ok(Some(output)) = &accounts
            && output.success
        {
            states.add_accounts(&output.stdout);
        } else if states.asked {
            states.notes.push(without_accounts(accounts));
        }
        Ok(states)
    }

    fn cancel(&self, jobs: &[String]) -> Result<()> {
        required("scancel", jobs).map(drop)
    }

    fn array_limit(&self) -> Result<Option<usize>> {
        let config = required("scontrol", &["show", "config"])?;
        let limit = config.lines().find_map(|line| {
            let (key, value) = line.split_once('=')?;
            (key.trim() == "MaxArraySize").then(|| value.trim().parse::<usize>().ok())?
        });
        if limit == Some(0) {
            return Err(Error::new("this Slurm runs no job arrays (MaxArraySize is 0)")
                .remedy("use --on script, and submit each script by itself"));
        }
        Ok(limit)
    }
}

impl JobStates {
    /// Adds the elements in what `sacct` printed that the queue does not list.
    fn add_accounts(&mut self, printed: &str) {
        for (key, mut state) in printed.lines().filter_map(accounted).flatten() {
            // What waits or runs is in the queue. What is not there has ended, whatever the accounts say:
            // they never learn the end of a job if its record was lost (Slurm calls it a runaway job).
            if self.asked && state.is_live() {
                state.stage = JobStage::Ended;
                state.word += " by the accounts, but not in the queue";
            }
            // The queue knows more: a job that was sent back has an ended record, too.
            self.elements.entry(key).or_insert(state);
        }
    }
}

/// What `sbatch` has answered.
fn answer(output: &ProgramOutput) -> Result<SubmitAnswer> {
    // "123", or "123;cluster". Programs around `sbatch` may print other lines before it.
    let last = output.stdout.trim().lines().next_back().unwrap_or_default();
    let job = last.trim().split(';').next().filter(|job| is_number(job)).map(str::to_owned);
    match job {
        Some(job) if output.success => Ok(SubmitAnswer::Job(job)),
        Some(job) => Ok(SubmitAnswer::Doubtful(job, output.failure("sbatch"))),
        None if output.success => Err(Error::new(format!(
            "`sbatch` printed `{}` instead of the number of a job",
            beginning(&output.stdout)
        ))
        .remedy("`assay campaign status DIR` shows whether it was submitted")),
        None if is_refusal(output) => Ok(SubmitAnswer::Refused(output.failure("sbatch"))),
        None => Err(output.failure("sbatch")),
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The number of the job of this name.
fn find_by_name(name: &str) -> Result<Option<String>> {
    let by_name = format!("--name={name}");
    let queue = required("squeue", &["--noheader", "--states=all", "--format=%F", &by_name])?;
    if let Some(other) = queue.lines().map(str::trim).find(|line| !line.is_empty() && !is_number(line)) {
        return Err(unreadable(other));
    }
    if let Some(job) = queue.split_whitespace().next() {
        return Ok(Some(job.to_owned()));
    }
    let words = ["--noheader", "--parsable2", "--allocations", "--format=JobID", "--starttime=2000-01-01"];
    let words: Vec<&str> = words.into_iter().chain([by_name.as_str()]).collect();
    // Without accounts, a job that the queue does not know has ended, and can't disturb another.
    let accounts = call("sacct", &words, CALL_TIMEOUT).ok().flatten().filter(|output| output.success);
    let job = accounts.and_then(|output| {
        let first = output.stdout.split_whitespace().next()?;
        Some(first.split('_').next()?.to_owned())
    });
    Ok(job.filter(|job| is_number(job)))
}

/// The error that `squeue` printed something else than it was asked for. An empty queue would be wrong then,
/// because tasks that run would be submitted again.
fn unreadable(line: &str) -> Error {
    Error::new(format!("`squeue` printed `{}`, which is not what it was asked for", beginning(line))).remedy(
        "call `squeue --me` to see the cause; variables such as SQUEUE_FORMAT, or a program around `squeue`, may change \
         what it prints",
    )
}

/// Why jobs that ended some minutes ago are not known, for the user.
fn without_accounts(accounts: Result<Option<ProgramOutput>>) -> String {
    let reason = match accounts {
        Ok(Some(output)) if !output.stderr.to_lowercase().contains("accounting storage is disabled") => {
            output.failure("sacct").message().to_owned()
        }
        Ok(_) => "Slurm keeps no accounts here (`sacct`)".to_owned(),
        Err(error) => error.message().to_owned(),
    };
    format!("{reason}, so it has forgotten jobs that ended some minutes ago")
}

/// Words of `sbatch` when its request was sent and the answer did not come. Slurm may have submitted the job.
const WITHOUT_ANSWER: [&str; 5] =
    ["timed out", "zero bytes were transmitted", "send failure", "receive failure", "unexpected message"];

/// Whether a call of `sbatch` that failed has certainly submitted nothing.
fn is_refusal(output: &ProgramOutput) -> bool {
    let words = output.stderr.to_lowercase();
    !output.killed && !WITHOUT_ANSWER.iter().any(|sign| words.contains(sign))
}

/// The output of a program that must be there and succeed.
fn required(name: &str, words: &[impl AsRef<std::ffi::OsStr>]) -> Result<String> {
    call(name, words, CALL_TIMEOUT)?.ok_or_else(|| missing(name))?.checked(name)
}

/// Elements of arrays, each by its job and its number.
type Elements = Vec<((String, usize), ElementState)>;

/// The elements of these jobs in what `squeue` printed.
///
/// # Errors
/// If it can't be read.
fn queued(printed: &str, jobs: &[String]) -> Result<HashMap<(String, usize), ElementState>> {
    let mut found = HashMap::new();
    for line in printed.lines().filter(|line| !line.trim().is_empty()) {
        let elements = queued_line(line, jobs).ok_or_else(|| unreadable(line))?;
        found.extend(elements);
    }
    Ok(found)
}

/// The elements of these jobs in a line of `squeue`: `job|element|state|node`. A job without elements has
/// `N/A`. `None` if the line is another.
fn queued_line(line: &str, jobs: &[String]) -> Option<Elements> {
    let [job, element, word, node] = line.trim().split('|').collect::<Vec<_>>().try_into().ok()?;
    let is_word = word.starts_with(|letter: char| letter.is_ascii_uppercase());
    if !is_number(job) || !is_word {
        return None;
    }
    let is_ours = jobs.iter().any(|ours| ours == job);
    let numbers = if is_ours && element != "N/A" { element_numbers(element)? } else { Vec::new() };
    let state = ElementState::of_word(word, node);
    Some(numbers.into_iter().map(|number| ((job.to_owned(), number), state.clone())).collect())
}

/// The elements of an array in a line of `sacct`: `job_element|state|node`. Those that were cancelled before
/// they began are in one line: `job_[elements]|..`.
fn accounted(line: &str) -> Option<Elements> {
    let [id, word, node] = line.trim().split('|').collect::<Vec<_>>().try_into().ok()?;
    let (job, elements) = id.split_once('_')?;
    let state = ElementState::of_word(word, node);
    let elements = element_numbers(elements)?.into_iter();
    Some(elements.map(|number| ((job.to_owned(), number), state.clone())).collect())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_squeue_and_sacct_are_read() {
        use JobStage::{Completed, Ended, Failed, Running, Waiting};
        let jobs = ["123".to_owned()];
        let [(key, state)] = queued_line("123|4|PENDING|\n", &jobs).unwrap().try_into().unwrap();
        assert_eq!((key, state.stage, state.node), (("123".to_owned(), 4), Waiting, None));
        let [(key, state)] = accounted("123_4|CANCELLED by 0|n1").unwrap().try_into().unwrap();
        assert_eq!(key, ("123".to_owned(), 4));
        assert_eq!((state.stage, state.node.as_deref()), (Ended, Some("n1")));
        for other in ["123|N/A|RUNNING|n1", "9|4|RUNNING|n1", "9|[4-9]|PENDING|", "9|[1,2...]|PENDING|"] {
            assert_eq!(queued_line(other, &jobs), Some(Vec::new()), "{other}");
        }
        let cancelled = accounted("123_[3-7%2]|CANCELLED by 0|None assigned").unwrap();
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
        let accounts = "123_0|COMPLETED|n1\n123_1|RUNNING|n1\n123_2|COMPLETED|n1\n";
        let stages = |asked| {
            let element = (("123".to_owned(), 0), ElementState::of_word("RUNNING", "n1"));
            let mut states = JobStates { asked, elements: [element].into(), notes: Vec::new() };
            states.add_accounts(accounts);
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
    fn any_path_but_one_with_a_backslash_is_submitted() {
        let request = |folder: &str| ArrayRequest {
            name: "n".to_owned(),
            script: format!("{folder}/s.sh").into(),
            logs: format!("{folder}/logs").into(),
            elements: 3,
            exclusive: true,
            options: vec!["--comment=a b".to_owned()],
        };
        let words = Slurm::command(&request("/it's %a"));
        let expected = [
            "sbatch",
            "--parsable",
            "--requeue",
            "--job-name=n",
            "--array=0-2",
            "--output=/it's %%a/logs/%A_%a.txt",
            "--open-mode=append",
            "--exclusive",
            "--comment=a b",
            "/it's %a/s.sh",
        ];
        assert_eq!(words, expected);
        let SubmitAnswer::Refused(error) = Slurm.submit(&request("/a\\b")).unwrap() else {
            panic!("Slurm takes no backslash")
        };
        assert!(error.message().contains("has a backslash"), "{error}");
    }

    #[test]
    fn what_is_no_queue_is_not_taken_for_an_empty_one() {
        let jobs = ["123".to_owned()];
        assert_eq!(
            queued("\n123|0|PENDING|\n123|1|NEW_STATE|n1\n9|N/A|RUNNING|n2\n", &jobs).unwrap().len(),
            2
        );
        for other in [
            "slurm_load_jobs error: Unable to contact slurm controller",
            "JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)",
            "123|0|PENDING",
            "123|x|PENDING|",
            "JobArrayId|ArrayTaskId|State|Nodes",
        ] {
            let error = queued(&format!("123|0|PENDING|\n{other}\n"), &jobs).unwrap_err();
            assert!(error.message().contains(&format!("`squeue` printed `{other}`")), "{error}");
        }
    }

    #[test]
    fn a_number_of_sbatch_counts_also_if_it_fails() {
        let output = |success, stdout: &str| {
            let (stdout, stderr) = (stdout.to_owned(), "sbatch: error: epilog".to_owned());
            answer(&ProgramOutput { success, killed: false, stdout, stderr })
        };
        let job = |number: &str| SubmitAnswer::Job(number.to_owned());
        assert_eq!(output(true, "12;cluster\n"), Ok(job("12")));
        assert_eq!(output(true, "welcome\n12\n"), Ok(job("12")));
        assert!(matches!(output(false, "12\n"), Ok(SubmitAnswer::Doubtful(number, _)) if number == "12"));
        assert!(matches!(output(false, ""), Ok(SubmitAnswer::Refused(_))));
        assert!(output(true, "welcome\n").is_err());
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

    #[test]
    fn a_call_without_an_answer_is_no_refusal() {
        let output = |stderr: &str, killed| {
            let (stdout, stderr) = (String::new(), stderr.to_owned());
            ProgramOutput { success: false, killed, stdout, stderr }
        };
        let refusal = "sbatch: error: invalid partition specified: x";
        assert!(is_refusal(&output(refusal, false)) && !is_refusal(&output(refusal, true)));
        for words in [
            "sbatch: error: Batch job submission failed: Socket timed out on send/recv operation",
            "sbatch: error: Batch job submission failed: Zero Bytes were transmitted or received",
            "sbatch: error: Unable to contact slurm controller (receive failure)",
        ] {
            assert!(!is_refusal(&output(words, false)), "{words}");
        }
    }

    #[test]
    fn a_job_knows_its_number_and_its_element() {
        let job = |pairs: &[(&str, &str)]| {
            SlurmJob::of_environment(|name| {
                pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert_eq!(job(&[]), None);
        assert_eq!(job(&[("SLURM_JOB_ID", "9")]).unwrap().id, "9");
        let array = [
            ("SLURM_JOB_ID", "9"),
            ("SLURM_ARRAY_JOB_ID", "7"),
            ("SLURM_ARRAY_TASK_ID", "2"),
            ("SLURM_RESTART_COUNT", "5"),
        ];
        let job = job(&array).unwrap();
        assert_eq!((job.id.as_str(), job.restarts), ("7_2", 5));
        assert_eq!(job.requeue(), Ok(false));
    }
}
