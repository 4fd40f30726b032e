//! Slurm, by its programs: `sbatch`, `squeue`, `sacct`, `scancel` and `scontrol`. `answer` reads what
//! `sbatch` answers, `listings` what `squeue` and `sacct` print, `options` decides which options are refused,
//! and `job` is the job of this process.

mod answer;
mod job;
mod listings;
mod options;

use std::ffi::OsString;
use std::thread::sleep;
use std::time::Duration;

use assay_base::error::{Error, Result};

use self::answer::{answer, without_number};
pub use self::job::SlurmJob;
use self::listings::{is_number, queued, unreadable, without_accounts};
pub use self::options::check_options;
use crate::batch_system::{ArrayRequest, BatchSystem, Job, JobStates, SubmitAnswer};
use crate::program::{ProgramOutput, call, missing};

/// How long a program of Slurm may take. On a large cluster that is busy they take seconds; Slurm itself
/// gives up after some 10 s (`MessageTimeout`) and tries again a few times.
const CALL_TIMEOUT: Duration = Duration::from_secs(120);

/// How long a request of an `sbatch` that was killed may be under way. Slurm takes it in milliseconds; a
/// controller that is busy takes some seconds.
const SUBMIT_GRACE: Duration = Duration::from_secs(5);

/// Slurm on this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Slurm;

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

impl BatchSystem for Slurm {
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
        match answer(&output)? {
            Some(answer) => Ok(answer),
            // A program around `sbatch` may keep the number to itself.
            None => {
                self.find(&request.name, true)?.map(SubmitAnswer::Job).ok_or_else(|| without_number(&output))
            }
        }
    }

    fn find(&self, name: &str, is_final: bool) -> Result<Option<String>> {
        let found = find_by_name(name)?;
        if found.is_some() || !is_final {
            return Ok(found);
        }
        sleep(SUBMIT_GRACE);
        find_by_name(name)
    }

    fn states(&self, jobs: &[Job]) -> Result<JobStates> {
        let mut states = JobStates::default();
        if jobs.is_empty() {
            return Ok(JobStates { asked: true, ..states });
        }
        // All jobs of all users: another user may have submitted a part of the campaign, so `--me` would not
        // do; and with `--jobs`, squeue fails if it has forgotten the only job of the list. `--all`: in hidden
        // partitions, too.
        let words = ["--noheader", "--all", "--array", "--states=all", "--format=%F|%K|%T|%N|%j"];
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
        let numbers: Vec<&str> = jobs.iter().map(|job| job.number.as_str()).collect();
        let by_number = format!("--jobs={}", numbers.join(","));
        let accounts = call_sacct("JobID,State,NodeList,JobName", &[&by_number]);
        if let Ok(Some(output)) = &accounts
            && output.success
        {
            states.add_accounts(&output.stdout, jobs);
        } else if states.asked {
            states.notes.push(without_accounts(accounts));
        }
        Ok(states)
    }

    fn cluster(&self) -> Option<String> {
        let config = call("scontrol", &["show", "config"], CALL_TIMEOUT).ok()??;
        setting(&config.stdout, "ClusterName").map(str::to_owned)
    }

    fn cancel(&self, jobs: &[String]) -> Result<()> {
        required("scancel", jobs).map(drop)
    }

    fn array_limit(&self) -> Result<Option<usize>> {
        let config = required("scontrol", &["show", "config"])?;
        let limit = setting(&config, "MaxArraySize").and_then(|limit| limit.parse::<usize>().ok());
        if limit == Some(0) {
            return Err(Error::new("this Slurm runs no job arrays (MaxArraySize is 0)")
                .remedy("use --on script, and submit each script by itself"));
        }
        Ok(limit)
    }
}

/// A setting in what `scontrol show config` prints.
fn setting<'a>(config: &'a str, name: &str) -> Option<&'a str> {
    config
        .lines()
        .find_map(|line| line.split_once('=').filter(|(key, _)| key.trim() == name))
        .map(|(_, value)| value.trim())
}

/// The number of the job of this name.
fn find_by_name(name: &str) -> Result<Option<String>> {
    let by_name = format!("--name={name}");
    let queue = required("squeue", &["--noheader", "--all", "--states=all", "--format=%F", &by_name])?;
    if let Some(other) = queue.lines().map(str::trim).find(|line| !line.is_empty() && !is_number(line)) {
        return Err(unreadable(other));
    }
    if let Some(job) = queue.split_whitespace().next() {
        return Ok(Some(job.to_owned()));
    }
    // Without accounts, a job that the queue does not know has ended, and can't disturb another.
    let accounts = call_sacct("JobID", &["--starttime=2000-01-01", &by_name]);
    let listed = accounts.ok().flatten().filter(|output| output.success).map(|output| output.stdout);
    let mut jobs =
        listed.iter().flat_map(|listed| listed.lines()).filter_map(|line| line.trim().split('_').next());
    Ok(jobs.find(|job| is_number(job)).map(str::to_owned))
}

/// Asks `sacct` for these columns of the jobs that the words select, of all users.
fn call_sacct(columns: &str, select: &[&str]) -> Result<Option<ProgramOutput>> {
    let format = format!("--format={columns}");
    let words = ["--noheader", "--parsable2", "--allusers", "--allocations", &format];
    call("sacct", &[&words, select].concat(), CALL_TIMEOUT)
}

/// The output of a program that must be there and succeed.
fn required(name: &str, words: &[impl AsRef<std::ffi::OsStr>]) -> Result<String> {
    call(name, words, CALL_TIMEOUT)?.ok_or_else(|| missing(name))?.checked(name)
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
