//! The page of what misleads answers each pitfall, names what is there, and keeps what it promises of seeds.

use std::fs;

use assay_tests::{assay, repository, run};

/// The answers, with the number that each has on the page.
fn answers() -> Vec<(String, String)> {
    let page = fs::read_to_string(repository().join("docs/src/pitfalls.md")).unwrap();
    let mut answers: Vec<(String, String)> = Vec::new();
    for line in page.lines() {
        let number = line.split_once(". **").map(|(number, _)| number);
        if let Some(number) = number.filter(|number| number.parse::<u32>().is_ok()) {
            answers.push((number.to_owned(), line.to_owned()));
        } else if let Some((_, answer)) = answers.last_mut().filter(|_| line.starts_with("   ")) {
            answer.push(' ');
            answer.push_str(line.trim_start());
        }
    }
    answers
}

/// What readers jump to by a heading.
fn anchor(heading: &str) -> String {
    let letters = heading.trim_start_matches(['#', ' ']).to_lowercase().replace(' ', "-");
    letters.chars().filter(|letter| letter.is_alphanumeric() || *letter == '-').collect()
}

#[test]
fn all_twenty_are_answered_in_order_and_each_says_what_it_leaves_to_the_reader() {
    let answers = answers();
    let numbers: Vec<&str> = answers.iter().map(|(number, _)| number.as_str()).collect();
    assert_eq!(numbers, (1..=20).map(|number| number.to_string()).collect::<Vec<_>>());
    for (number, answer) in &answers {
        assert_eq!(answer.matches("*Left to you*: ").count(), 1, "{number}: {answer}");
        let files = answer.split('`').skip(1).step_by(2).filter(|name| name.ends_with(".rs"));
        assert_ne!(files.clone().count(), 0, "{number} names no file that holds it");
        for file in files {
            assert!(repository().join(file).is_file(), "{number}: there is no {file}");
        }
    }
}

#[test]
fn links_lead_to_headings_that_there_are() {
    let book = repository().join("docs/src");
    for (number, answer) in answers() {
        let links = answer.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for (page, place) in links.filter_map(|link| link.split_once('#')) {
            let page = fs::read_to_string(book.join(page)).unwrap();
            let found = page.lines().any(|line| line.starts_with('#') && anchor(line) == place);
            assert!(found, "{number}: no heading is {place}");
        }
    }
}

#[test]
fn counts_and_times_of_one_seed_are_of_the_same_patterns() {
    let folder = tempfile::tempdir().unwrap();
    let patterns = |stats: &str| {
        let out = folder.path().join(stats);
        let words =
            ["run", "hor", "--plen", "2,8", "--runs", "20", "--seed", "5", "--quiet", "--stats", stats];
        let ran = run(assay().args(words).arg("--out").arg(&out));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let saved = fs::read_dir(&out).unwrap().next().unwrap().unwrap().path();
        fs::read_to_string(saved.join("patterns.csv")).unwrap()
    };
    assert_eq!(patterns("perf"), patterns("algo"));
}
