//! What a library does to other processes while it is loaded or searches: it costs only itself, and nothing
//! of it is left.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use assay_tests::processes::{MARK, await_that, marked, once_it_measures, signal};
use assay_tests::{assay, c_library, fixture, run};
use serde_json::Value;
use tempfile::TempDir;

/// A library with this constructor, in a folder of its own with a cache of its own.
struct Hostile {
    folder: TempDir,
}

impl Hostile {
    fn new(constructor: &str) -> Self {
        let hostile = Hostile { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(hostile.plugins()).unwrap();
        hostile.build(constructor);
        hostile
    }

    fn build(&self, constructor: &str) {
        let source = format!(
            "#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n\
             static int parent_of(int process) {{\n  char path[64]; int parent = 0; FILE *stat;\n\
               snprintf(path, sizeof path, \"/proc/%d/stat\", process);\n\
               if ((stat = fopen(path, \"r\"))) {{ if (fscanf(stat, \"%*d %*s %*c %d\", &parent)) {{}} fclose(stat); }}\n\
               return parent;\n}}\n\
             __attribute__((constructor)) static void bad(void) {{ {constructor} }}"
        );
        c_library(&self.plugins(), "hostile", &source, &[]);
    }

    fn plugins(&self) -> std::path::PathBuf {
        self.folder.path().join("plugins")
    }

    fn path(&self) -> String {
        self.plugins().join("libhostile.so").display().to_string()
    }

    fn mark(&self) -> &str {
        self.folder.path().to_str().unwrap()
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = assay();
        command.args(words).env("ASSAY_CACHE_DIR", self.folder.path().join("cache")).env(MARK, self.mark());
        command
    }

    fn list(&self) -> Command {
        let mut command = self.command(&["list", "--plugin-dir"]);
        command.arg(self.plugins());
        command
    }

    /// Lists everything without a sandbox: what the guard processes do must hold on kernels that have none.
    fn unprotected(&self) -> Command {
        let mut command = self.list();
        command.arg("--no-sandbox");
        command
    }

    /// Lists everything without a sandbox, and expects that this works, that the library costs one line with
    /// this in it, and that nothing of it is left.
    fn expect_refused(&self, word: &str) {
        self.expect_refused_by(&mut self.unprotected(), word);
    }

    /// The same in the sandbox.
    fn expect_stopped(&self, word: &str) {
        self.expect_refused_by(&mut self.list(), word);
    }

    fn expect_refused_by(&self, command: &mut Command, word: &str) {
        let ran = run(command);
        assert_eq!(marked(self.mark()), [], "they live");
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(ran.stdout.contains("Horspool"), "the rest does not work: {}", ran.stdout);
        assert_eq!(ran.warnings().len(), 1, "{}", ran.stderr);
        assert!(ran.stderr.contains(&self.path()) && ran.stderr.contains(word), "{}", ran.stderr);
    }
}

const DAEMONS: &str =
    "for (int i = 0; i < 18; i++) if (!fork()) { setsid(); if (!fork()) sleep(600); _exit(0); }\n";

#[test]
fn in_the_sandbox_a_constructor_is_stopped_at_its_first_forbidden_call() {
    let forbidden = |call: &str| format!("loading it makes a system call that the sandbox forbids: `{call}`");
    let hostile = Hostile::new("kill(getppid(), SIGKILL); for (;;) pause();");
    hostile.expect_stopped(&forbidden("kill"));
    for (constructor, call) in [
        ("kill(0, SIGKILL);", "kill"),
        (DAEMONS, "clone"),
        ("execl(\"/bin/true\", \"true\", (char *)0);", "execve"),
        ("socket(2, 1, 0);", "socket"),
    ] {
        hostile.build(&format!("int socket(int, int, int); {constructor}"));
        hostile.expect_stopped(&forbidden(call));
    }
    hostile.build("if (fopen(\"/etc/passwd\", \"r\") || fopen(\"written\", \"w\")) abort();");
    hostile.expect_stopped("no entry point");
}

#[test]
fn a_constructor_that_kills_its_parent() {
    Hostile::new("kill(getppid(), SIGKILL); for (;;) pause();").expect_refused("kills the parent");
}

#[test]
fn a_constructor_that_stops_its_parent() {
    let hostile = Hostile::new("kill(getppid(), SIGSTOP);");
    hostile.expect_refused("no entry point");
    hostile.build("kill(getppid(), SIGSTOP); _exit(7);");
    hostile.expect_refused("hangs: no answer");
}

#[test]
fn a_constructor_that_kills_its_process_group() {
    Hostile::new("kill(0, SIGKILL); for (;;) pause();").expect_refused("SIGKILL");
}

#[test]
fn a_constructor_that_leaves_daemons() {
    Hostile::new(DAEMONS).expect_refused("no entry point");
    let dies = format!(
        "{DAEMONS} if (!fork()) {{ setsid(); for (;;) if (!fork()) sleep(600); else pause(); }} abort();"
    );
    Hostile::new(&dies).expect_refused("SIGABRT");
    let kills = format!("{DAEMONS} kill(getppid(), SIGKILL); for (;;) pause();");
    Hostile::new(&kills).expect_refused("kills the parent");
}

/// Ends the host: the parent of the keeper, which is that of the stand-in.
const KILLS_HOST: &str =
    "int host = parent_of(parent_of(getppid())); if (host > 1) kill(host, SIGKILL); for (;;) pause();";

#[test]
fn a_library_that_ends_the_host_is_named_at_the_next_start() {
    let hostile = Hostile::new(KILLS_HOST);
    let gone = || await_that(|| marked(hostile.mark()).is_empty().then_some(()));
    assert_eq!(run(&mut hostile.unprotected()).code, None, "the host is killed");
    gone();
    for _ in 0..2 {
        hostile.expect_refused("it was being tried when assay was ended");
    }
    // Tried again on request, it ends the host again; once it is mended, it is as good as any.
    let check = || hostile.command(&["plugins", "check", "--no-sandbox", &hostile.path()]);
    assert_eq!(run(&mut check()).code, None);
    gone();
    hostile.expect_refused("it was being tried when assay was ended");
    hostile.build("");
    hostile.expect_refused("no entry point");
}

#[test]
fn an_interrupt_does_not_blame_the_library_that_is_being_tried() {
    let hostile = Hostile::new("for (;;) pause();");
    let notes = hostile.folder.path().join("cache/trying");
    for (name, status) in [("INT", 130), ("TERM", 130)] {
        // In the sandbox, where no library can end the host, no note says which one is being tried.
        let mut command = hostile.unprotected();
        command.env("ASSAY_PATIENCE_MS", "600000").stdout(Stdio::null());
        let child = command.stderr(Stdio::piped()).spawn().unwrap();
        await_that(|| {
            let note = fs::read_dir(&notes).ok()?.flatten().next()?;
            fs::read_to_string(note.path()).ok()?.contains("hostile").then_some(())
        });
        signal(name, child.id());
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{stderr}");
        assert_eq!(stderr, format!("error: interrupted while `{}` was being tried\n", hostile.path()));
        assert_eq!(fs::read_dir(&notes).unwrap().count(), 0, "a note is left");
        assert_eq!(marked(hostile.mark()), [], "they live");
    }
    let ran = run(hostile.list().env("ASSAY_PATIENCE_MS", "2000"));
    assert!(ran.stderr.contains("hangs: no answer within 2 s"), "{}", ran.stderr);
}

const TEXT: &str = "the cat sat on the mat, on which the dog sat";

/// A run with the library of faulty algorithms.
fn run_faulty(algorithms: &[&str], mark: &Path, more: &[&str]) -> Command {
    let plugins = mark.join("plugins");
    fs::create_dir_all(&plugins).unwrap();
    fs::copy(fixture("faulty_plugin"), plugins.join("libfaulty_plugin.so")).unwrap();
    let mut command = assay();
    command.arg("run").args(algorithms).arg("--plugin-dir").arg(plugins);
    command
        .args(["--plen", "4", "--seed", "1", "--format", "json"])
        .args(more)
        .env(MARK, mark)
        .current_dir(mark);
    command
}

/// The status of an algorithm at the first pattern length.
fn status(json: &Value, algorithm: &str) -> String {
    let cell = json["results"].as_array().unwrap().iter().find(|cell| cell["algorithm"] == algorithm);
    cell.unwrap_or_else(|| panic!("no {algorithm} in {json:#}"))["status"].as_str().unwrap().to_owned()
}

#[test]
fn a_search_that_kills_its_parent_or_leaves_a_daemon_costs_its_row() {
    let folder = tempfile::tempdir().unwrap();
    let algorithms = ["kills-parent", "leaves-daemon", "hor"];
    let run_with = |more: &[&str]| {
        let more = [&["--runs", "3", "--no-save", "--data", TEXT], more].concat();
        run(&mut run_faulty(&algorithms, folder.path(), &more))
    };
    let ran = run_with(&[]);
    let json = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(algorithms.map(|algorithm| status(&json, algorithm)), ["crashed", "crashed", "ok"]);
    for call in ["kill", "clone"] {
        let line =
            format!("the search of repetition 0 makes a system call that the sandbox forbids: `{call}`");
        assert!(ran.stderr.contains(&line), "{}", ran.stderr);
    }
    let ran = run_with(&["--no-sandbox"]);
    assert_eq!(marked(folder.path().to_str().unwrap()), [], "they live");
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let json = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(status(&json, "kills-parent"), "crashed");
    assert!(
        ran.stderr.contains("the search of repetition 0 kills the parent of the process"),
        "{}",
        ran.stderr
    );
    assert_eq!(["leaves-daemon", "hor"].map(|fine| status(&json, fine)), ["ok", "ok"]);
}

#[test]
fn a_host_that_is_killed_leaves_no_process() {
    let folder = tempfile::tempdir().unwrap();
    let more = [
        "--no-sandbox",
        "--runs",
        "1000",
        "--order",
        "sequential",
        "--time-limit",
        "600000",
        "--out",
        "here",
        "--data",
        TEXT,
    ];
    let mut child = run_faulty(&["leaves-daemon", "hangs"], folder.path(), &more).spawn().unwrap();
    once_it_measures(&folder.path().join("here"));
    signal("KILL", child.id());
    child.wait().unwrap();
    await_that(|| marked(folder.path().to_str().unwrap()).is_empty().then_some(()));
}

#[test]
fn a_library_that_is_replaced_during_the_run_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let more = ["--runs", "2000", "--order", "sequential", "--out", "here", "--corpus", "rand4"];
    let mut command = run_faulty(&["bf", "right"], folder.path(), &more);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    once_it_measures(&folder.path().join("here"));
    let library = folder.path().join("plugins/libfaulty_plugin.so");
    let mut content = fs::read(&library).unwrap();
    content.push(0);
    let other = folder.path().join("other");
    fs::write(&other, content).unwrap();
    fs::rename(other, &library).unwrap();
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    let json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(["bf", "right"].map(|algorithm| status(&json, algorithm)), ["ok", "error"]);
    assert!(stderr.contains("was replaced: its SHA-256 begins with "), "{stderr}");
}

#[test]
fn a_library_that_is_written_over_while_it_measures_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let more = ["--runs", "100000", "--out", "here", "--data", TEXT];
    let mut command = run_faulty(&["right"], folder.path(), &more);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    once_it_measures(&folder.path().join("here"));
    let library = folder.path().join("plugins/libfaulty_plugin.so");
    fs::File::options().append(true).open(library).unwrap().write_all(&[0]).unwrap();
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert_eq!(status(&serde_json::from_slice(&output.stdout).unwrap(), "right"), "error");
    assert!(stderr.contains("was replaced while it was in use"), "{stderr}");
}

/// Writes two frames, each the answer that a library brings nothing: with a number before it, and without.
const FORGES_ANSWERS: &str = "\
    static const char frames[] = { 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };\n\
    for (int to = 3; to < 16; to++) if (write(to, frames, sizeof frames)) {}\n\
    usleep(50000);";

#[test]
fn a_library_that_forges_answers_changes_nothing_of_what_is_known_of_others() {
    let hostile = Hostile::new(FORGES_ANSWERS);
    hostile.expect_stopped("its answer makes no sense");
    let contents = |command: &mut Command| {
        let ran = run(command.args(["--format", "json"]));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let things: Vec<Value> = serde_json::from_str(&ran.stdout).unwrap();
        things
            .into_iter()
            .map(|thing| (thing["id"].clone(), thing["library_name"].clone()))
            .collect::<Vec<_>>()
    };
    // From what was remembered beside the library, and from what is found anew without it.
    let remembered = contents(&mut hostile.command(&["list"]));
    let anew = contents(hostile.command(&["list"]).env("ASSAY_CACHE_DIR", hostile.folder.path().join("new")));
    assert_eq!(remembered, anew);
}
