//! What happens if no more processes can be had: no library is blamed for it. Limits of processes don't bind
//! root, so all this is done as another user, by whom nothing else runs.

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

/// Limits of processes that are tried one after the other. How many a command needs depends on how fast its
/// children end, so no test relies on a single limit: each asserts what holds at all of them, and that one of
/// them was too low.
const LIMITS: std::ops::RangeInclusive<u32> = 1..=12;

/// The message of a command that can't start its first child.
const REFUSED: &str = "error: can't start a process: Resource temporarily unavailable";

#[test]
fn a_worker_that_could_not_be_started_costs_its_cell_and_is_no_crash() {
    let Some(other) = Other::new(1) else { return };
    assert_eq!(run(&mut other.assay(None, &["list", "algorithms"])).code, Some(0));
    let words =
        "run hor bf --data abcabcabcabcabc --plen 2,3 --runs 4 --time-limit 60000 --no-save --format json";
    let words: Vec<&str> = words.split(' ').collect();
    let (mut without_worker, mut complete) = (0, 0);
    for processes in LIMITS {
        let ran = run(&mut other.assay(Some(processes), &words));
        if ran.code == Some(2) {
            assert!(ran.stderr.starts_with(REFUSED), "{processes} processes: {}", ran.stderr);
            continue;
        }
        let json: Value = serde_json::from_str(&ran.stdout).expect(&ran.stderr);
        let cells = json["results"].as_array().unwrap();
        assert_eq!(cells.len(), 4, "{processes} processes");
        let failed: Vec<&Value> = cells.iter().filter(|cell| cell["status"] != "ok").collect();
        for cell in &failed {
            let reason = "no worker process could be started: Resource temporarily unavailable";
            let outcome = (cell["status"].as_str(), cell["message"].as_str());
            assert_eq!(outcome, (Some("error"), Some(reason)), "{processes} processes");
        }
        assert_eq!(ran.code, Some(i32::from(!failed.is_empty())), "{}", ran.stderr);
        without_worker += failed.len();
        complete += usize::from(failed.is_empty());
    }
    assert!(without_worker > 0, "no limit was too low for a worker");
    assert!(complete > 0, "no limit was enough");
}

#[test]
fn an_algorithm_is_not_accused_where_no_second_thread_can_be_had() {
    let Some(other) = Other::new(3) else { return };
    assert_eq!(run(&mut other.assay(None, &["list", "algorithms"])).code, Some(0));
    let lack = "it could not be tried in two threads, because none could be started: Resource temporarily unavailable";
    let mut lacked = false;
    for processes in LIMITS {
        let ran = run(&mut other.assay(Some(processes), &["test", "hor", "--quick", "--jobs", "1"]));
        let output = format!("{}{}", ran.stdout, ran.stderr).replace("\n  ", " ");
        assert!(!output.contains("crashed"), "{processes} processes: {output}");
        lacked |= output.contains(lack);
    }
    assert!(lacked, "a second thread could be had at every limit");
}

/// More than a library can start where the machine has fewer than so many threads already.
const MANY: usize = 2500;

#[test]
fn a_library_that_forks_without_end_is_stopped_at_a_number_that_does_no_harm() {
    let Some(other) = Other::new(2) else { return };
    let load = fs::read_to_string("/proc/loadavg").unwrap();
    let threads = load.split(['/', ' ']).nth(4).and_then(|all| all.parse::<usize>().ok());
    if threads.is_none_or(|all| all > MANY - 1000) {
        return skip("too many threads run here already");
    }
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
    // In the sandbox, its first fork is its last call.
    let words = ["list", "algorithms", "--no-sandbox", "--plugin-dir", "plugins"];
    let ran = run(&mut other.assay(None, &words));
    assert_eq!(marked(other.path().to_str().unwrap()), [], "they live");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("no entry point") && ran.warnings().len() == 1, "{}", ran.stderr);
    let forked: usize = fs::read_to_string(told).unwrap().parse().unwrap();
    assert!((100..MANY).contains(&forked), "{forked}");
}
