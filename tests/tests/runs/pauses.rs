//! Ctrl-Z, a frozen container, a debugger: while nothing can run, no limit runs out, and no figure is
//! stretched.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use assay_tests::processes::{MARK, await_that, marked, once_it_measures, signal, signal_if_alive};
use assay_tests::{assay, c_library};
use serde_json::Value;

/// A run of searches that take some milliseconds each, and may take a second.
fn slow_run(mark: &str) -> Child {
    let mut command = assay();
    command.args("run bf --corpus rand128 --text-size 8MiB --plen 8 --runs 500 --seed 1".split(' '));
    command.args("--time-limit 1000 --out here --format json".split(' ')).env(MARK, mark).current_dir(mark);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Expects that a run was complete in spite of it all, and says how many repetitions it measured again.
fn expect_complete(child: Child) -> u64 {
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    let cell = &json["results"][0];
    assert_eq!((&cell["status"], &cell["repetitions"]), (&"ok".into(), &500.into()), "{stderr}");
    let again = json["experiment"]["noise"]["measured_again"].as_u64().unwrap();
    assert_eq!(again > 0, stderr.contains(" measured again, after"), "{again}: {stderr}");
    again
}

fn others(mark: &str, host: u32) -> Vec<u32> {
    marked(mark).into_iter().map(|(process, _)| process).filter(|process| *process != host).collect()
}

#[test]
fn a_pause_of_all_processes_beyond_every_limit_costs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().to_str().unwrap();
    let child = slow_run(mark);
    once_it_measures(&folder.path().join("here"));
    for _ in 0..2 {
        // A host that is stopped starts nobody, and ends nobody, while the others are looked for.
        signal("STOP", child.id());
        let mut others = others(mark, child.id());
        // One that has done its part may end by itself in between.
        others.retain(|process| signal_if_alive("STOP", *process));
        assert!(!others.is_empty(), "the worker was not found");
        let all = [vec![child.id()], others].concat();
        sleep(Duration::from_millis(2500));
        for process in &all {
            // One that was about to end when it was stopped has done so.
            let _ = signal_if_alive("CONT", *process);
        }
        sleep(Duration::from_millis(50));
    }
    assert!(expect_complete(child) > 0, "nothing was torn apart");
    assert_eq!(marked(mark), [], "they live");
}

#[test]
fn a_pause_of_the_host_alone_costs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let child = slow_run(folder.path().to_str().unwrap());
    once_it_measures(&folder.path().join("here"));
    signal("STOP", child.id());
    // Longer than the time limit and the time in which a worker must say something.
    sleep(Duration::from_secs(12));
    signal("CONT", child.id());
    expect_complete(child);
}

#[test]
fn a_pause_while_a_library_is_tried_does_not_make_it_hang() {
    let folder = tempfile::tempdir().unwrap();
    let [plugins, cache] = ["plugins", "cache"].map(|name| folder.path().join(name));
    fs::create_dir(&plugins).unwrap();
    let source =
        "#include <unistd.h>\n__attribute__((constructor)) static void slow(void) { usleep(1500000); }";
    c_library(&plugins, "slow", source, &[]);
    let list = |stderr| -> Command {
        let mut command = assay();
        // A note says which library is being tried, unless the sandbox keeps it from ending the host.
        command.args(["list", "--no-sandbox", "--plugin-dir"]).arg(&plugins);
        command.stdout(Stdio::null()).stderr(stderr);
        command.env("ASSAY_CACHE_DIR", &cache).env("ASSAY_PATIENCE_MS", "3000");
        command
    };
    let child = list(Stdio::piped()).spawn().unwrap();
    await_that(|| {
        let note = fs::read_dir(cache.join("trying")).ok()?.flatten().next()?;
        fs::read_to_string(note.path()).ok()?.contains("libslow").then_some(())
    });
    signal("STOP", child.id());
    sleep(Duration::from_millis(4000));
    signal("CONT", child.id());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("no entry point") && output.status.success(), "{stderr}");
}
