//! Ctrl-C, twice, and a terminal that goes away.

use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use assay_tests::processes::{MARK, await_that, marked, once_it_measures, signal, signal_if_alive};
use assay_tests::{assay, fixture, isolate};

#[test]
fn signals_that_were_ignored_at_the_start_stay_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let assay = assay();
    let mut command = Command::new("sh");
    isolate(&mut command);
    let words = "run bf --runs 20000 --plen 8 --time-limit 60000 --out here";
    command.arg("-c").arg(format!("trap '' HUP INT; exec {} {words}", assay.get_program().display()));
    let child =
        command.current_dir(folder.path()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let partial = once_it_measures(&folder.path().join("here"));
    signal("HUP", child.id());
    signal("INT", child.id());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(!partial.exists(), "it is complete");
}

#[test]
fn a_hang_up_keeps_what_was_measured() {
    let folder = tempfile::tempdir().unwrap();
    // The tests may run under `nohup`, which would make the program ignore the signal.
    let mut command = Command::new("env");
    isolate(&mut command);
    command
        .arg("--default-signal=HUP")
        .arg(assay().get_program())
        .args("run bf --runs 100000 --plen 8 --time-limit 60000 --out here".split(' '))
        .env(MARK, folder.path());
    let mut child = command.current_dir(folder.path()).stdout(Stdio::null()).spawn().unwrap();
    once_it_measures(&folder.path().join("here"));
    signal("HUP", child.id());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(marked(folder.path().to_str().unwrap()), [], "they live");
    let saved = fs::read_dir(folder.path().join("here")).unwrap().next().unwrap().unwrap();
    assert!(!saved.file_name().to_string_lossy().ends_with(".partial"), "{saved:?}");
}

#[test]
fn a_second_interrupt_ends_a_search_in_this_process_at_once() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(fixture("faulty_plugin"), folder.path().join("libfaulty_plugin.so")).unwrap();
    let mut command = assay();
    command.args(
        "run bf hangs --in-process --order sequential --runs 10 --plen 8 --time-limit 60000 --out here"
            .split(' '),
    );
    command.arg("--plugin-dir").arg(folder.path()).current_dir(folder.path()).stdout(Stdio::null());
    let mut child = command.spawn().unwrap();
    let partial = once_it_measures(&folder.path().join("here"));
    await_that(|| {
        (fs::read_to_string(partial.join("measurements.csv")).ok()?.lines().count() == 11).then_some(())
    });
    // It hangs by now, or does soon: the block begins at once.
    sleep(Duration::from_millis(500));
    signal("INT", child.id());
    sleep(Duration::from_millis(500));
    assert_eq!(child.try_wait().unwrap(), None, "the first waits for the search");
    signal("INT", child.id());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(fs::read_to_string(partial.join("measurements.csv")).unwrap().lines().count(), 11);
}

#[test]
fn a_signal_to_all_processes_of_a_run_blames_no_algorithm() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = assay();
    command
        .args("run bf hor --runs 100000 --plen 8 --time-limit 60000 --out here".split(' '))
        .env(MARK, folder.path())
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    once_it_measures(&folder.path().join("here"));
    // Batch systems ask all processes of a job to end. Here the host gets the signal last.
    let others =
        marked(folder.path().to_str().unwrap()).into_iter().filter(|(process, _)| *process != child.id());
    let others: Vec<u32> = others.map(|(process, _)| process).collect();
    assert!(!others.is_empty());
    for process in others {
        signal_if_alive("TERM", process);
    }
    sleep(Duration::from_millis(300));
    signal("TERM", child.id());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let saved = fs::read_dir(folder.path().join("here")).unwrap().next().unwrap().unwrap().path();
    let blocks = fs::read_to_string(saved.join("blocks.csv")).unwrap();
    assert!(blocks.lines().count() > 1 && !blocks.contains("crashed"), "{blocks}");
}

#[test]
fn a_signal_to_processes_that_begin_costs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = assay();
    command
        .args(["run", "b*", "--runs", "1", "--plen", "8"])
        .env(MARK, folder.path())
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut sent = 0;
    while child.try_wait().unwrap().is_none() {
        let all = marked(folder.path().to_str().unwrap());
        let others = all.iter().filter(|(process, _)| *process != child.id());
        sent += others.filter(|(process, _)| signal_if_alive("TERM", *process)).count();
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(sent > 0, "no process was there to be signalled");
}
