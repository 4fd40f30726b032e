//! The job of Slurm in which this process runs.

use assay_base::error::Result;

use super::required;

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

#[cfg(test)]
mod tests {
    use super::*;

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
