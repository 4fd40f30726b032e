//! Which options and variables of `sbatch` a campaign refuses, because it would lose its jobs.

use assay_base::error::{Error, Result};
use assay_load::plugin::printable;

/// Long options by which jobs are found again, or without which none is submitted or its number is not
/// printed.
const DECIDED: [&str; 12] = [
    "array",
    "error",
    "help",
    "job-name",
    "output",
    "parsable",
    "quiet",
    "test-only",
    "usage",
    "version",
    "wait",
    "wrap",
];

/// Their letters.
const DECIDED_LETTERS: &str = "aehJoQVW";

/// Letters of options without a value, after which other letters may follow: `-Ha0-1` is `-H -a 0-1`.
const FLAGS: &str = "HOsv";

/// Variables that make `sbatch` submit to other clusters.
const CLUSTERS: [&str; 2] = ["SLURM_CLUSTERS", "SBATCH_CLUSTERS"];

/// Checks that `sbatch` submits jobs that are found again if it gets these options and the variables of this
/// process.
///
/// # Errors
/// If the campaign decides an option itself, a word is no option, or another cluster is named.
pub fn check_options(options: &[String]) -> Result<()> {
    check(options, |name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

fn check(options: &[String], is_set: impl Fn(&str) -> bool) -> Result<()> {
    for option in options {
        let shown = printable::message(option);
        if !option.starts_with('-') || option == "-" {
            return Err(Error::new(format!(
                "`{shown}` is no option of `sbatch`, so it would be taken for the job script"
            ))
            .remedy("write an option and its value as one word, such as --option=--partition=long"));
        }
        if names(option, &["clusters"], "M") {
            return Err(
                other_cluster(&shown).remedy("leave it out, and submit from a machine of that cluster")
            );
        }
        if names(option, &DECIDED, DECIDED_LETTERS) {
            return Err(Error::new(format!(
                "`{shown}` is decided by the campaign, which would lose its jobs otherwise"
            ))
            .remedy("leave it out"));
        }
    }
    match CLUSTERS.into_iter().find(|name| is_set(name)) {
        Some(name) => Err(other_cluster(name).remedy(format!(
            "`unset {name}`, and submit from a machine of that cluster, or with its SLURM_CONF"
        ))),
        None => Ok(()),
    }
}

/// The error that an option or a variable names a cluster.
fn other_cluster(named: &str) -> Error {
    Error::new(format!(
        "`{named}` names a cluster for `sbatch`, but a campaign finds its jobs only on the cluster of this machine"
    ))
}

/// Whether a word names one of these options of `sbatch`: by the beginning of its long name, which Slurm takes,
/// too, or by its letter.
fn names(word: &str, long: &[&str], letters: &str) -> bool {
    if let Some(option) = word.strip_prefix("--") {
        let name = option.split('=').next().unwrap_or_default();
        return !name.is_empty() && long.iter().any(|long| long.starts_with(name));
    }
    let mut given = word.chars().skip(1).skip_while(|letter| FLAGS.contains(*letter));
    given.next().is_some_and(|letter| letters.contains(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The message about an option; `None` if it is taken.
    fn refused(option: &str) -> Option<String> {
        check(&[option.to_owned()], |_| false).err().map(|error| error.message().to_owned())
    }

    #[test]
    fn options_by_which_jobs_would_be_lost_are_refused() {
        for option in [
            "--array=1-3",
            "--ar=0-1",
            "-a1-3",
            "-Ha0-1",
            "-HOsa",
            "-vJmine",
            "--job-name=mine",
            "--j=mine",
            "-J",
            "--out=x",
            "--test-only",
            "--quiet",
            "-Q",
            "--help",
            "-W",
            "--wait",
            "--wrap=true",
        ] {
            assert!(
                refused(option).is_some_and(|words| words.contains("is decided by the campaign")),
                "{option}"
            );
        }
        for option in ["--clusters=other", "--cluster=other", "-Mother", "-HMother"] {
            assert!(refused(option).is_some_and(|words| words.contains("names a cluster")), "{option}");
        }
        for word in ["", "-", "long", "job.sh", ":", "a=b"] {
            assert!(refused(word).is_some_and(|words| words.contains("is no option of `sbatch`")), "{word}");
        }
        for option in [
            "--partition=long",
            "--time=30",
            "--constraint=zen5",
            "--comment=a b",
            "-p",
            "-pJava",
            "-Hpa",
            "-C zen5",
            "--exclude=n1",
            "--wait-all-nodes=1",
            "--cluster-constraint=x",
            "--hold",
            "-koff",
        ] {
            assert_eq!(refused(option), None, "{option}");
        }
    }

    #[test]
    fn variables_that_name_a_cluster_are_refused() {
        let set = |set: &str| check(&[], |name| name == set).map_err(|error| error.to_string());
        assert_eq!(set("SBATCH_PARTITION"), Ok(()));
        for name in CLUSTERS {
            let words = set(name).unwrap_err();
            assert!(
                words.contains(&format!("`{name}` names a cluster")) && words.contains("unset"),
                "{words}"
            );
        }
    }
}
