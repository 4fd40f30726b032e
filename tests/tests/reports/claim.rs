//! `assay report --claim`: what can be said of two algorithms, in sentences to quote.

use std::path::Path;

use assay_tests::{Ran, assay, run};
use serde_json::Value;

fn report(out: &Path, words: &str) -> Ran {
    run(assay().args(["report", "last"]).args(words.split_whitespace()).arg("--out").arg(out))
}

fn printed(out: &Path, words: &str) -> String {
    let ran = report(out, words);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran.stdout
}

#[test]
fn a_claim_has_the_figures_of_the_comparison_of_the_two_alone() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path();
    let mut command = assay();
    command.args(["run", "hor", "bf", "bndm", "--null", "--plen", "32,64", "--runs", "50", "--seed", "3"]);
    assert_eq!(run(command.arg("--quiet").arg("--out").arg(out)).code, Some(0));
    let text = printed(out, "--claim bf hor");
    let sentences: Vec<&str> = text.lines().filter(|line| line.starts_with("At m=")).collect();
    let first = "On embedded, searching with bf takes more time than with hor at all 2 pattern lengths.\n";
    assert!(text.starts_with(first) && sentences.len() == 2, "{text}");
    for (sentence, length) in sentences.iter().zip([32, 64]) {
        assert!(sentence.starts_with(&format!("At m={length}, searching with bf takes ")), "{text}");
        assert!(
            sentence.contains("with hor (95 % confidence interval: ") && sentence.ends_with(")."),
            "{text}"
        );
    }
    for basis in
        ["p is corrected for the 2 comparisons here", "50 repetitions of each", "2 of 4 algorithms: "]
    {
        assert!(text.contains(basis), "{basis}: {text}");
    }
    let json = |words: &str| -> Value { serde_json::from_str(&printed(out, words)).unwrap() };
    let claimed = json("--claim bf hor --format json");
    assert_eq!(claimed["cells"], json("--baseline hor --only bf hor --format json")["cells"], "{claimed:#}");
    assert_eq!(claimed["claim"]["at_each"][0], sentences[0], "{claimed:#}");
    let latex = printed(out, "--claim bf hor --at 64 --format latex");
    assert!(
        latex.starts_with("% From the run ") && latex.contains("\nOn embedded, at m=64, searching"),
        "{latex}"
    );
    assert!(latex.contains("95 \\% confidence interval") && !latex.contains("5 % "), "{latex}");
    // Copies of one algorithm do not differ.
    let same = printed(out, "--claim hor@2 hor");
    assert!(same.contains("no difference between hor@2 and hor was measured"), "{same}");
    assert!(!same.contains(" time than "), "{same}");
    let csv = printed(out, "--claim bf hor --format csv");
    assert!(csv.starts_with("algorithm,pattern_length,against,ratio,low,high,p,verdict"), "{csv}");
    for (words, message) in [
        ("--claim bf hor --baseline bf", "cannot be used with"),
        ("--claim bf", "2 values required"),
        ("--claim h.* bf", "names several algorithms: hor, hor@2"),
        ("--claim bf bf", "can't be compared with itself"),
        ("--claim bf zz", "unknown algorithm of this run `zz`"),
        ("--claim bf hor --format svg", "there is no svg"),
    ] {
        let ran = report(out, words);
        assert!(ran.code == Some(2) && ran.stderr.contains(message), "{words}: {}", ran.stderr);
    }
}
