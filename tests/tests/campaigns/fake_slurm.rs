//! Programs with the names of Slurm's, which write down how they are called and answer what a test wants.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use assay_tests::{Ran, run};
use tempfile::TempDir;

use super::{Campaign, count, with_path_before};

/// The programs, and the folder in which they keep what they know.
pub(crate) struct FakeSlurm {
    folder: TempDir,
}

/// What each does first: it writes down the variables that are options of Slurm's programs. `$0` is in the
/// folder of the programs. `with_names` ends each line of a file that looks like a job with the name of that
/// job, or with another if there is a file `stranger`.
const BEGINNING: &str = "\
#!/bin/sh
cd \"$(dirname \"$0\")/..\" || exit
env | grep -E '^S(BATCH|QUEUE|ACCT|CANCEL|CONTROL)_|_CLUSTERS=' | sed \"s/^/$(basename \"$0\") /\" >>variables
name() { sed -n \"s/ $1\\$//p\" found found.later 2>/dev/null | grep . || sed -n 's/^--job-name=//p' \"sbatch.$1\" 2>/dev/null; }
with_names() {
    while IFS= read -r line; do
        case $line in
            $2) if [ -e stranger ]; then echo \"$line|stranger\"; else echo \"$line|$(name \"${line%%[_|]*}\")\"; fi ;;
            *) echo \"$line\" ;;
        esac
    done <\"$1\"
}
";

/// Each writes its arguments to a file, a line for each.
const PROGRAMS: [(&str, &str); 5] = [
    (
        "sbatch",
        "[ -e refuse ] && { cat refuse >&2; exit 1; }\nn=$(ls | grep -c '^sbatch[.]')\nn=$((n + 1))\n\
         printf '%s\\n' \"$@\" >sbatch.$n\nwhile [ -e hang ]; do sleep 0.05; done\n\
         [ -e silent ] && { . ./silent; exit 0; }\necho \"$n;cluster\"\n[ ! -e fail ]\n",
    ),
    // `found` has the name and the number of each job that is found by its name; after the first question,
    // `found.later` takes its place. All jobs are in a partition that is hidden from this user.
    (
        "squeue",
        "case \" $* \" in *' --all '*) ;; *) exit ;; esac\nfor word; do\ncase $word in --name=*)\nsed -n \"s/^${word#--name=} //p\" found || exit\n\
         [ ! -e found.later ] || mv found.later found\nexit ;;\nesac\ndone\n\
         with_names queue '*|*|*|*'\n",
    ),
    (
        "sacct",
        "[ -e accounts ] && { with_names accounts '*|*|*'; exit 0; }\necho 'Slurm accounting storage is disabled' >&2\nexit 1\n",
    ),
    ("scancel", "printf '%s\\n' \"$@\" >scancel\n"),
    (
        "scontrol",
        "printf '%s\\n' \"$@\" >>scontrol\n[ \"$1\" = show ] && echo 'MaxArraySize            = 3'\n[ ! -e name ] || echo \"ClusterName             = $(cat name)\"\nexit 0\n",
    ),
];

impl FakeSlurm {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, body) in PROGRAMS {
            let path = folder.path().join("bin").join(name);
            fs::create_dir_all(folder.path().join("bin")).unwrap();
            fs::write(&path, format!("{BEGINNING}{body}")).unwrap();
            fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        }
        let slurm = FakeSlurm { folder };
        slurm.queue(&[]);
        slurm.write("found", "");
        slurm
    }

    /// The path of a file that the programs keep.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The lines of such a file.
    pub(crate) fn lines(&self, name: &str) -> Vec<String> {
        let text = fs::read_to_string(self.path(name)).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    /// What `squeue` shows from now on.
    pub(crate) fn queue(&self, lines: &[&str]) {
        self.write("queue", &lines.iter().map(|line| format!("{line}\n")).collect::<String>());
    }

    /// A command that finds these programs.
    pub(crate) fn see(&self, mut command: Command) -> Command {
        command.env("PATH", with_path_before(&self.path("bin")));
        command
    }

    /// Runs a command of a campaign.
    pub(crate) fn run(&self, campaign: &Campaign, name: &str, words: &[&str]) -> Ran {
        run(&mut self.see(campaign.command(name, words)))
    }

    /// The number of tasks in a state.
    pub(crate) fn count(&self, campaign: &Campaign, state: &str) -> u64 {
        count(&mut self.see(campaign.command("status", &["--format", "json"])), state)
    }
}
