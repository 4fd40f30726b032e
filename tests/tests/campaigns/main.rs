//! `assay campaign`: tasks that are planned, submitted, killed, resumed and refused, here and with Slurm.

mod damage;
mod fake_slurm;
mod gather;
mod here;
mod real_slurm;
mod slurm;
mod slurm_faults;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use assay_tests::{Ran, assay, run};
use tempfile::TempDir;

/// An experiment of two texts and two lengths, which is cut into four tasks of some 0.1 s. Its time limit is far above
/// what a search takes where all tests run at once.
const EXPERIMENT: &str = "\
algorithms = [\"hor\", \"bf\"]
runs = 20
time_limit_ms = 20000
seed = 7
[range]
text = [\"corpus:rand4\", \"TALE\"]
[text]
bytes = 4096
[patterns]
lengths = [4, 8]
";

/// A folder with an experiment, and a campaign of it.
struct Campaign {
    folder: TempDir,
    name: &'static str,
    /// How long a task should take.
    minutes: &'static str,
}

impl Campaign {
    /// Plans a campaign in a folder of this name, of an experiment with some words replaced.
    fn planned(name: &'static str, replaced: &[(&str, &str)]) -> Self {
        Campaign::planned_in(name, "0.002", replaced)
    }

    /// The same, with tasks of this number of minutes.
    fn planned_in(name: &'static str, minutes: &'static str, replaced: &[(&str, &str)]) -> Self {
        let campaign = Campaign { folder: tempfile::tempdir().unwrap(), name, minutes };
        let tale = campaign.path("tale.txt");
        fs::write(&tale, "It was the best of times, it was the worst of times. ".repeat(100)).unwrap();
        let mut experiment = EXPERIMENT.replace("TALE", tale.to_str().unwrap());
        for (from, to) in replaced {
            experiment = experiment.replace(from, to);
        }
        fs::write(campaign.path("e.toml"), experiment).unwrap();
        let ran = campaign.plan(&[]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        campaign
    }

    /// Plans it with these options.
    fn plan(&self, options: &[&str]) -> Ran {
        let mut command = assay();
        command.args(["campaign", "plan"]).arg(self.path("e.toml")).arg("--out").arg(self.place());
        run(command.args(["--minutes", self.minutes, "--format", "csv"]).args(options))
    }

    /// A path in its folder.
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The folder of the campaign.
    fn place(&self) -> PathBuf {
        self.path(self.name)
    }

    /// A command of the campaign.
    fn command(&self, name: &str, words: &[&str]) -> Command {
        let mut command = assay();
        // The folder comes before the number of a task.
        let is_number = words.last().is_some_and(|word| word.parse::<u32>().is_ok());
        let (options, number) = words.split_at(words.len() - usize::from(is_number));
        command.args(["campaign", name]).args(options).arg(self.place()).args(number);
        command
    }

    fn run(&self, name: &str, words: &[&str]) -> Ran {
        run(&mut self.command(name, words))
    }

    /// The number of tasks in a state, as `status` counts them.
    fn count(&self, state: &str) -> u64 {
        count(&mut self.command("status", &["--format", "json"]), state)
    }

    /// Replaces words in a file of the campaign, which must have them.
    fn edit(&self, file: &str, from: &str, to: &str) {
        let path = self.place().join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{from}: {text}");
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
    }

    /// Gives an edited manifest the checksum of its content.
    fn seal(&self) {
        let path = self.place().join("campaign.toml");
        let text = fs::read_to_string(&path).unwrap();
        let line = text.lines().find(|line| line.starts_with("sha256 = ")).unwrap();
        let unsealed = text.replacen(line, "sha256 = \"\"", 1);
        fs::write(&path, &unsealed).unwrap();
        let hash = assay_load::plugin::sha256(&path).unwrap();
        fs::write(&path, text.replacen(line, &format!("sha256 = \"{hash}\""), 1)).unwrap();
    }

    /// The run of the newest attempt at a task.
    fn run_of(&self, task: &str) -> PathBuf {
        let [run] = complete_runs(&self.attempts(task).pop().unwrap().join("run")).try_into().unwrap();
        run
    }

    /// The folders of attempts at a task.
    fn attempts(&self, task: &str) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.place().join("attempts").join(task)).into_iter().flatten();
        let mut folders: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        folders.retain(|path| path.is_dir());
        folders.sort();
        folders
    }
}

/// The number of tasks in a state, by a command that shows it.
fn count(status: &mut Command, state: &str) -> u64 {
    let ran = run(status);
    let json: serde_json::Value =
        serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    json[state].as_u64().unwrap()
}

/// The names of what is in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The folders of the runs in a folder that are complete.
fn complete_runs(folder: &Path) -> Vec<PathBuf> {
    names(folder).into_iter().filter(|name| !name.starts_with('.')).map(|name| folder.join(name)).collect()
}

/// Copies a folder with everything in it.
fn copy(from: &Path, to: &Path) {
    assert!(Command::new("cp").arg("-r").arg(from).arg(to).status().unwrap().success());
}

/// The search path with a folder before all others.
fn with_path_before(folder: &Path) -> OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(folder.to_owned()).chain(std::env::split_paths(&path));
    std::env::join_paths(folders).expect("they were joined before")
}
