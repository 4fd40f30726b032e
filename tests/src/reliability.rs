//! The table of `docs/src/reliability.md`: tests that try something many times keep its figures.

use std::env;
use std::fmt::Display;
use std::fs::{self, File};

use crate::repository;

/// The page, relative to the repository.
pub const PAGE: &str = "docs/src/reliability.md";

/// The variable that lets tests write their rows.
const UPDATE: &str = "UPDATE_RELIABILITY";

/// Checks that the page has how often a test tried this, for a test that fails unless the promise held each
/// time. If `UPDATE_RELIABILITY` is set, it writes the row.
///
/// # Panics
/// If the page has another row, or none.
pub fn record(what: &str, tried: impl Display) {
    let path = repository().join(PAGE);
    let row = format!("| {what} | {tried} |");
    let begin = format!("| {what} |");
    if env::var_os(UPDATE).is_some() {
        // Tests run side by side, in several processes.
        let lock = File::open(&path).expect("there is the page");
        lock.lock().expect("it can be locked");
        let page = fs::read_to_string(&path).expect("there is the page");
        let rows = page.lines().map(|line| if line.starts_with(&begin) { row.as_str() } else { line });
        fs::write(&path, rows.collect::<Vec<_>>().join("\n") + "\n").expect("the page can be written");
    }
    let page = fs::read_to_string(&path).expect("there is the page");
    let written = page.lines().find(|line| line.starts_with(&begin));
    assert_eq!(written, Some(row.as_str()), "{PAGE} is old: set {UPDATE}=1 for this test");
}
