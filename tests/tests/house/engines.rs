//! The library of what programs search with today.

use assay_tests::{assay, libraries, run};

#[test]
fn engines_say_which_version_they_are_and_have_no_twins() {
    let mut info = assay();
    info.args(["plugins", "info", "--format", "json"]).arg(libraries().join("libassay_engines.so"));
    let contents: serde_json::Value = serde_json::from_str(&run(&mut info).stdout).unwrap();
    let engines = contents["brings"].as_array().unwrap();
    assert!(!engines.is_empty(), "{contents:#}");
    for engine in engines {
        let version = engine["facts"]["version"].as_str().unwrap_or_default();
        assert!(version.contains(|c: char| c.is_ascii_digit()), "{engine:#}");
        assert_eq!(engine["instrumented"], false, "{engine:#}");
    }
}

#[test]
fn an_engine_is_timed_and_not_counted() {
    let mut timed = assay();
    timed.args(["run", "memmem", "--runs", "3", "--plen", "4", "--no-save"]);
    let ran = run(&mut timed);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{}", ran.stdout);
    let mut counted = assay();
    counted.args(["run", "memmem", "--stats", "algo", "--runs", "3", "--plen", "4", "--no-save"]);
    let ran = run(&mut counted);
    assert_eq!(ran.code, Some(2), "{}", ran.stdout);
    assert!(ran.stderr.contains("because there is no instrumented twin: memmem"), "{}", ran.stderr);
}
