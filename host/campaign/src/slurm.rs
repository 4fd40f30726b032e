//! Slurm, by its programs: `sbatch`, `squeue`, `sacct`, `scancel` and `scontrol`.

use std::ffi::OsString;
use std::time::Duration;

use assay_base::error::{Error, Result};
use assay_load::plugin::printable::line;

use crate::program::{ProgramOutput, beginning, call, missing};
use crate::scheduler::{ArrayRequest, ElementState, JobStage, JobStates, Scheduler, SubmitAnswer};

/// How long a program of Slurm may take. On a large cluster that is busy they take seconds; Slurm itself
/// gives up after some 10 s (`MessageTimeout`) and tries again a few times.
const MOST: Duration = Duration::from_secs(120);

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
        let Some(output) = call("sbatch", &words[1..], MOST)? else {
            return Ok(SubmitAnswer::Refused(missing("sbatch")));
        };
        let is_refusal = is_refusal(&output);
        let printed = match output.checked("sbatch") {
            Ok(printed) => printed,
            Err(error) if is_refusal => return Ok(SubmitAnswer::Refused(error)),
            Err(error) => return Err(error),
        };
        // "123", or "123;cluster".
        let job = printed.trim().split(';').next().unwrap_or_default();
        let is_number = !job.is_empty() && job.bytes().all(|byte| byte.is_ascii_digit());
        if is_number {
            return Ok(SubmitAnswer::Job(job.to_owned()));
        }
        let printed = beginning(&printed);
        Err(Error::new(format!("`sbatch` printed `{printed}` instead of the number of a job"))
            .remedy("`assay campaign status DIR` shows whether it was submitted"))
    }

    fn find(&self, name: &str) -> Result<Option<String>> {
        let by_name = format!("--name={name}");
        let queue = required("squeue", &["--noheader", "--states=all", "--format=%F", &by_name])?;
        if let Some(job) = queue.split_whitespace().next() {
            return Ok(Some(job.to_owned()));
        }
        let words =
            ["--noheader", "--parsable2", "--allocations", "--format=JobID", "--starttime=2000-01-01"];
        let words: Vec<&str> = words.into_iter().chain([by_name.as_str()]).collect();
        let accounted = call("sacct", &words, MOST)?.filter(|output| output.success);
        let job = accounted.and_then(|output| {
            let first = output.stdout.split_whitespace().next()?;
            Some(first.split('_').next()?.to_owned())
        });
        Ok(job)
    }

    fn states(&self, jobs: &[String]) -> Result<JobStates> {
        let mut states = JobStates::default();
        if jobs.is_empty() {
            return Ok(JobStates { asked: true, ..states });
        }
        // All jobs of the user, because squeue refuses a list with a job that it has forgotten.
        let words = ["--noheader", "--me", "--array", "--states=all", "--format=%F|%K|%T|%N"];
        match call("squeue", &words, MOST)? {
            Some(output) => {
                let listed = output.checked("squeue")?;
                states.asked = true;
                states
                    .elements
                    .extend(listed.lines().filter_map(queued).filter(|(key, _)| jobs.contains(&key.0)));
            }
            None => {
                states.notes.push("there is no `squeue` here, so this is what the attempts say".to_owned())
            }
        }
        let by_number = format!("--jobs={}", jobs.join(","));
        let words =
            ["--noheader", "--parsable2", "--allocations", "--format=JobID,State,NodeList", &by_number];
        match call("sacct", &words, MOST)? {
            Some(output) if output.success => {
                for (key, state) in output.stdout.lines().filter_map(accounted) {
                    // The queue knows more: a job that was sent back has an ended record, too.
                    states.elements.entry(key).or_insert(state);
                }
            }
            _ if states.asked => {
                let note = "Slurm keeps no accounts here (`sacct`), so it has forgotten jobs that ended some minutes ago";
                states.notes.push(note.to_owned());
            }
            _ => {}
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
    call(name, words, MOST)?.ok_or_else(|| missing(name))?.checked(name)
}

/// An element of an array in a line of `squeue`: `job|element|state|node`.
fn queued(line: &str) -> Option<((String, usize), ElementState)> {
    let [job, element, word, node] = line.trim().split('|').collect::<Vec<_>>().try_into().ok()?;
    Some(((job.to_owned(), element.parse().ok()?), ElementState::of_word(word, node)))
}

/// An element of an array in a line of `sacct`: `job_element|state|node`.
fn accounted(line: &str) -> Option<((String, usize), ElementState)> {
    let [id, word, node] = line.trim().split('|').collect::<Vec<_>>().try_into().ok()?;
    let (job, element) = id.split_once('_')?;
    Some(((job.to_owned(), element.parse().ok()?), ElementState::of_word(word, node)))
}

impl ElementState {
    /// The state of an element for which Slurm has this word.
    fn of_word(word: &str, node: &str) -> Self {
        let stage =
            match word.split(' ').next().unwrap_or_default() {
                "PENDING" | "REQUEUED" | "REQUEUE_HOLD" | "REQUEUE_FED" | "SPECIAL_EXIT"
                | "RESV_DEL_HOLD" => JobStage::Waiting,
                "CANCELLED" | "PREEMPTED" | "TIMEOUT" | "DEADLINE" | "NODE_FAIL" | "BOOT_FAIL"
                | "REVOKED" => JobStage::Ended,
                "COMPLETED" => JobStage::Completed,
                "FAILED" | "OUT_OF_MEMORY" => JobStage::Failed,
                // CONFIGURING, COMPLETING, SUSPENDED, STOPPED and others: it has a machine.
                _ => JobStage::Running,
            };
        let is_node = !node.is_empty() && node != "None assigned" && node != "(null)";
        let node = is_node.then(|| line(node));
        ElementState { stage, word: line(word), node }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_squeue_and_sacct_are_read() {
        use JobStage::{Completed, Ended, Failed, Running, Waiting};
        let (key, state) = queued("123|4|PENDING|\n").unwrap();
        assert_eq!((key, state.stage, state.node), (("123".to_owned(), 4), Waiting, None));
        let (key, state) = accounted("123_4|CANCELLED by 0|n1").unwrap();
        assert_eq!(key, ("123".to_owned(), 4));
        assert_eq!((state.stage, state.node.as_deref()), (Ended, Some("n1")));
        for other in ["", "123|N/A|RUNNING|n1", "123_[4-9]|PENDING|None assigned", "123.batch|COMPLETED|n1"] {
            assert!(queued(other).is_none() && accounted(other).is_none(), "{other}");
        }
        let stages = ["RUNNING", "COMPLETING", "COMPLETED", "OUT_OF_MEMORY", "REQUEUED"]
            .map(|word| ElementState::of_word(word, "n1").stage);
        assert_eq!(stages, [Running, Running, Completed, Failed, Waiting]);
        let coloured = ElementState::of_word("TIME\x1b[31mOUT", "n\x1b]0;x\x07");
        assert!(!format!("{coloured:?}").contains("\\u{1b}"), "{coloured:?}");
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
