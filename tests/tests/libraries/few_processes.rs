//! What happens where no more processes can be had: nobody is blamed for it. Limits of processes don't bind root, so all
//! this is done as another user, by whom nothing else runs.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use assay_tests::processes::{MARK, marked};
use assay_tests::{assay, c_library, run, skip};
use serde_json::Value;
use tempfile::TempDir;

/// Another user, and a folder with a cache of its own.
struct Other {
    user: u32,
    folder: TempDir,
}

impl Other {
    /// None, with the reason printed, if nothing can be run as another user.
    fn new(number: u32) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).unwrap();
        // One that no other run of this test has.
        let other = Other { user: 1_000_000 + 10 * std::process::id() + number, folder };
        let ran = other.assay(None, &["--version"]).output();
        if ran.is_ok_and(|ran| ran.status.success()) {
            return Some(other);
        }
        skip("nothing can be run as another user here");
        None
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The program, with so many processes at most.
    fn assay(&self, processes: Option<u32>, words: &[&str]) -> Command {
        let program = assay();
        let mut command = Command::new("setpriv");
        command.arg(format!("--reuid={}", self.user)).arg("--clear-groups");
        if let Some(processes) = processes {
            command.args(["prlimit", &format!("--nproc={processes}")]);
        }
        command.arg(program.get_program()).args(words);
        for (name, value) in program.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command.env("ASSAY_CACHE_DIR", self.path().join("cache")).env(MARK, self.path());
        command.current_dir(self.path());
        command
    }
}

#[test]
fn where_no_child_can_be_started_no_library_is_accused_and_nothing_is_remembered() {
    let Some(other) = Other::new(0) else { return };
    for processes in 1..=3 {
        let ran = run(&mut other.assay(Some(processes), &["list", "algorithms"]));
        let refused = "error: can't start a process: Resource temporarily unavailable\n  \
                       help: end other processes, or raise their limit (`ulimit -u`)\n";
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(2), refused), "{processes} processes");
        let notes = fs::read_dir(other.path().join("cache/trying")).into_iter().flatten().count();
        assert_eq!(notes, 0, "a note is left");
    }
    let ran = run(&mut other.assay(None, &["list", "algorithms"]));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert!(ran.stdout.contains("Horspool"), "{}", ran.stdout);
}

#[test]
fn a_worker_that_could_not_be_started_costs_its_cell_and_is_no_crash() {
    let Some(other) = Other::new(1) else { return };
    assert_eq!(run(&mut other.assay(None, &["list", "algorithms"])).code, Some(0));
    let words = "run hor bf --data abcabcabcabcabc --plen 2,3 --runs 4 --no-save --format json";
    let words: Vec<&str> = words.split(' ').collect();
    // The host, the first worker with its keeper and stand-in, and the keeper of the second.
    let ran = run(&mut other.assay(Some(5), &words));
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    let mut cells: Vec<(&str, Option<&str>)> = json["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|cell| (cell["status"].as_str().unwrap(), cell["message"].as_str()))
        .collect();
    cells.sort_unstable();
    let reason = "no worker process could be started: Resource temporarily unavailable";
    // Of one algorithm both lengths.
    assert_eq!(cells, [("error", Some(reason)), ("error", Some(reason)), ("ok", None), ("ok", None)]);
}

#[test]
fn an_algorithm_is_not_accused_where_no_second_thread_can_be_had() {
    let Some(other) = Other::new(3) else { return };
    assert_eq!(run(&mut other.assay(None, &["list", "algorithms"])).code, Some(0));
    // The host with its thread for one algorithm, and the child with its keeper and stand-in.
    let ran = run(&mut other.assay(Some(5), &["test", "hor", "--quick", "--jobs", "1"]));
    let lack =
        "it could not be tried in two threads, since none could be started: Resource temporarily unavailable";
    let told = format!("{}{}", ran.stdout, ran.stderr);
    assert!(ran.code == Some(1) && told.replace("\n  ", " ").contains(lack), "{:?} {told}", ran.code);
    assert!(!ran.stdout.contains("crashed"), "{}", ran.stdout);
}

/// More than a library can start where the machine has fewer than so many threads already.
const MANY: usize = 2500;

#[test]
fn a_library_that_forks_without_end_is_stopped_at_a_number_that_does_no_harm() {
    let Some(other) = Other::new(2) else { return };
    let load = fs::read_to_string("/proc/loadavg").unwrap();
    let threads = load.split(['/', ' ']).nth(4).and_then(|all| all.parse::<usize>().ok());
    assert!(threads.is_some_and(|all| all < MANY - 1000), "too much runs here for this test: {load}");
    let (plugins, told) = (other.path().join("plugins"), other.path().join("told"));
    fs::create_dir(&plugins).unwrap();
    let source = format!(
        "#include <stdio.h>\n#include <unistd.h>\n__attribute__((constructor)) static void many(void) {{\n\
           int forked = 0;\n\
           for (; forked < {MANY}; forked++) {{\n\
             int child = fork();\n    if (child < 0) break;\n    if (!child) {{ sleep(600); _exit(0); }}\n  }}\n\
           FILE *told = fopen(\"{}\", \"w\"); fprintf(told, \"%d\", forked); fclose(told);\n}}",
        told.display()
    );
    c_library(&plugins, "many", &source, &[]);
    let ran = run(&mut other.assay(None, &["list", "algorithms", "--plugin-dir", "plugins"]));
    assert_eq!(marked(other.path().to_str().unwrap()), [], "they live");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("no entry point") && ran.warnings().len() == 1, "{}", ran.stderr);
    let forked: usize = fs::read_to_string(told).unwrap().parse().unwrap();
    assert!((100..MANY).contains(&forked), "{forked}");
}
