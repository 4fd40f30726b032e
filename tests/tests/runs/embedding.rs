//! The host as a library: the program that the book shows.

use assay_tests::{example, libraries, run};

#[test]
fn a_program_measures_and_reports_with_three_calls() {
    let out = tempfile::tempdir().unwrap();
    let ran = run(example("measure").arg(libraries()).arg(out.path()));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{}", ran.stdout);
    for (line, algorithm) in lines.iter().zip(["bf", "hor"]) {
        let ns = line.strip_prefix(&format!("{algorithm}: ")).unwrap();
        let ns = ns.strip_suffix(" ns for a pattern of 4096 bytes").unwrap();
        assert!(ns.parse::<u64>().unwrap() > 0, "{line}");
    }
    let saved = std::fs::read_dir(out.path()).unwrap().next().unwrap().unwrap().path();
    assert!(saved.join("report.html").is_file());
}
