//! What the answers of `sbatch` mean.

use assay_base::error::{Error, Result};

use super::listings::is_number;
use crate::batch_system::SubmitAnswer;
use crate::program::{ProgramOutput, beginning};

/// Words of `sbatch` when its request was sent and the answer did not come. Slurm may have submitted the job.
const WITHOUT_ANSWER: [&str; 5] =
    ["timed out", "zero bytes were transmitted", "send failure", "receive failure", "unexpected message"];

/// Whether a call of `sbatch` that failed has certainly submitted nothing.
fn is_refusal(output: &ProgramOutput) -> bool {
    let words = output.stderr.to_lowercase();
    !output.killed && !WITHOUT_ANSWER.iter().any(|sign| words.contains(sign))
}

/// What `sbatch` has answered; `None` if it succeeded and printed no number.
///
/// # Errors
/// If it is unknown whether the job was submitted.
pub(super) fn answer(output: &ProgramOutput) -> Result<Option<SubmitAnswer>> {
    // "123", or "123;cluster". Programs around `sbatch` may print other lines before it.
    let last = output.stdout.trim().lines().next_back().unwrap_or_default();
    let job = last.trim().split(';').next().filter(|job| is_number(job)).map(str::to_owned);
    match job {
        Some(job) if output.success => Ok(Some(SubmitAnswer::Job(job))),
        Some(job) => Ok(Some(SubmitAnswer::Doubtful(job, output.failure("sbatch")))),
        None if output.success => Ok(None),
        None if is_refusal(output) => Ok(Some(SubmitAnswer::Refused(output.failure("sbatch")))),
        None => Err(output.failure("sbatch")),
    }
}

/// The error that `sbatch` succeeded, but neither printed a number nor submitted a job that Slurm knows.
pub(super) fn without_number(output: &ProgramOutput) -> Error {
    let printed = match beginning(&output.stdout) {
        printed if printed.is_empty() => "nothing".to_owned(),
        printed => format!("`{printed}`"),
    };
    Error::new(format!(
        "`sbatch` printed {printed} instead of the number of a job, and Slurm knows no job of this submission"
    ))
    .remedy(
        "see what `sbatch` is here (`type sbatch`); `assay campaign resume DIR` asks for the job once more before it \
         submits the tasks again",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_sbatch_counts_also_if_it_fails() {
        let output = |success, stdout: &str| {
            let (stdout, stderr) = (stdout.to_owned(), "sbatch: error: epilog".to_owned());
            answer(&ProgramOutput { success, killed: false, stdout, stderr })
        };
        let job = |number: &str| SubmitAnswer::Job(number.to_owned());
        assert_eq!(output(true, "12;cluster\n"), Ok(Some(job("12"))));
        assert_eq!(output(true, "welcome\n12\n"), Ok(Some(job("12"))));
        assert!(
            matches!(output(false, "12\n"), Ok(Some(SubmitAnswer::Doubtful(number, _))) if number == "12")
        );
        assert!(matches!(output(false, ""), Ok(Some(SubmitAnswer::Refused(_)))));
        assert_eq!(output(true, "welcome\n"), Ok(None));
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
}
