//! What a mistaken command line is answered with.

use assay_tests::{assay, run};

fn refused(arguments: &[&str]) -> String {
    let ran = run(assay().args(arguments));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{arguments:?}: {}", ran.stderr);
    ran.stderr
}

#[test]
fn unknown_options_are_named_whole_with_near_ones() {
    let cases: [(&[&str], &str); 6] = [
        (&["run", "-pst", "a", "hor"], "error: unknown option `-pst`\n  help: did you mean -pat?\n"),
        (&["run", "-no-save", "hor"], "error: unknown option `-no-save`\n  help: did you mean --no-save?\n"),
        (&["run", "hor", "--rusn", "4"], "error: unknown option `--rusn`\n  help: did you mean --runs?\n"),
        (&["run", "-foo"], "error: unknown option `-foo`\n  help: `--help` tells all options;"),
        (&["run", "--resume", "x"], "error: unknown option `--resume`\n  help: `--help` tells all options;"),
        (&["plugins", "list", "-fromat=csv"], "error: unknown option `-fromat=csv`\n"),
    ];
    for (arguments, message) in cases {
        let stderr = refused(arguments);
        assert!(stderr.starts_with(message), "{arguments:?}: {stderr}");
    }
}

#[test]
fn wrong_numbers_are_wrong_values() {
    for option in ["--runs", "-runs", "--seed"] {
        let stderr = refused(&["run", "hor", option, "-1"]);
        assert!(
            stderr.contains("'-1'") && stderr.contains("a whole number from 0 on is expected"),
            "{stderr}"
        );
    }
    let stderr = refused(&["run", "hor", "--runs", "99999999999999999999"]);
    assert!(stderr.contains("too large"), "{stderr}");
}

#[test]
fn smart_names_one_text_and_algorithms_may_follow() {
    let stderr = refused(&["run", "-text", "no-such-text", "hor"]);
    assert!(stderr.starts_with("error: there is no text `no-such-text`"), "{stderr}");
}

#[test]
fn colours_are_used_as_asked_for_in_every_error() {
    for wrong in [&["run", "--nonsense"][..], &["run", "hor", "--runs", "x"], &["run", "no-such-algorithm"]] {
        assert!(!refused(wrong).contains('\x1b'));
        assert!(!refused(&[wrong, &["--color=never"]].concat()).contains('\x1b'));
        assert!(refused(&[wrong, &["--color", "always"]].concat()).starts_with("\x1b[31merror: \x1b[0m"));
    }
}

#[test]
fn what_was_given_can_not_command_the_terminal() {
    for wrong in [&["run", "\x1b[31mz"][..], &["run", "--runs", "\x1b[31mz"], &["report", "\x1b[31mz"]] {
        assert!(!refused(wrong).contains('\x1b'), "{wrong:?}");
    }
    let long = "x".repeat(5000);
    assert!(refused(&["run", &long]).len() < 400);
}
