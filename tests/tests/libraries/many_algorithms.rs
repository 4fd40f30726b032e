//! A run of as many algorithms as SMART has: each has a worker, and keeps it for a round.

use std::fs;
use std::os::unix::fs::symlink;

use assay_tests::{assay, fixture, run};

#[test]
fn a_run_of_260_algorithms_starts_as_many_processes_in_a_round_and_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let library = fixture("odd_kinds");
    // A link: a file that is as old as that is not read anew by each process.
    symlink(&library, folder.path().join(library.file_name().unwrap())).unwrap();
    let marks = folder.path().join("marks");
    let mut command = assay();
    command.arg("run").args(["hor"; 260]).args(["--data", &"the cat sat on the mat, ".repeat(40)]);
    command.args(["--plen", "2,4,8", "--runs", "1", "--rounds", "1", "--no-save", "--format", "csv"]);
    // This backend marks each time that a set of its is opened: once by each process.
    // In the sandbox, it could not write to its file.
    command.args(["--counters", "marking", "--no-sandbox", "--plugin-dir"]).arg(folder.path());
    let ran = run(command.env("ASSAY_TEST_MARKS", &marks));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let opened = fs::metadata(marks).unwrap().len();
    assert_eq!(opened, 4 + 260, "one trial, three for what counting costs, and a process for each algorithm");
}
