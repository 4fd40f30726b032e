//! A selection of rows and columns of a file.

use std::collections::BTreeSet;

use csv::ByteRecord;

use super::Numbers;
use crate::error::{Error, Result, excerpt, unknown};

/// Greatest number of different values of a column that are kept for messages.
const MOST_VALUES: usize = 1000;

/// Columns that are selected by title, and rows that are selected by value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The columns, in this order; if there are none, all columns of the file.
    pub columns: Vec<String>,
    /// Conditions, each a title and a value. Rows with another value are left out. Several values for one
    /// title are alternatives.
    pub conditions: Vec<(String, String)>,
}

impl Selection {
    /// Checks that each of the columns is in one of the tables.
    ///
    /// # Errors
    /// If one is in none.
    pub fn check(&self, tables: &[Numbers]) -> Result<()> {
        let titles = || tables.iter().flat_map(|table| &table.titles).map(String::as_str);
        match self.columns.iter().find(|column| titles().all(|title| title != column.as_str())) {
            None => Ok(()),
            Some(column) => Err(unknown("column", column, titles())),
        }
    }
}

/// A selection in a file with a certain header.
pub(super) struct Filter {
    /// Indices of the columns that are read.
    pub columns: Vec<usize>,
    conditions: Vec<Condition>,
    passed: bool,
}

struct Condition {
    column: usize,
    title: String,
    wanted: Vec<String>,
    seen: BTreeSet<String>,
}

impl Filter {
    /// Whether a file may have only some of the columns, because there are several files.
    pub(super) fn new(source: &str, selection: &Selection, titles: &[String]) -> Result<Filter> {
        let place = |name: &String| titles.iter().position(|title| title == name);
        let no_column =
            |name: &str| unknown(&format!("column of {source}:"), name, titles.iter().map(String::as_str));
        let mut columns: Vec<usize> = selection.columns.iter().filter_map(place).collect();
        match selection.columns.first() {
            Some(first) if columns.is_empty() => return Err(no_column(first)),
            Some(_) => {}
            None => columns = (0..titles.len()).collect(),
        }
        let mut conditions: Vec<Condition> = Vec::new();
        for (title, value) in &selection.conditions {
            match conditions.iter_mut().find(|condition| condition.title == *title) {
                Some(condition) => condition.wanted.push(value.clone()),
                None => conditions.push(Condition {
                    column: place(title).ok_or_else(|| no_column(title))?,
                    title: title.clone(),
                    wanted: vec![value.clone()],
                    seen: BTreeSet::new(),
                }),
            }
        }
        Ok(Filter { columns, conditions, passed: false })
    }

    /// Whether a row is read.
    pub(super) fn passes(&mut self, record: &ByteRecord) -> bool {
        let mut passes = true;
        for Condition { column, wanted, seen, .. } in &mut self.conditions {
            let cell = String::from_utf8_lossy(&record[*column]);
            passes &= wanted.iter().any(|value| *value == cell);
            if seen.len() < MOST_VALUES && !seen.contains(cell.as_ref()) {
                seen.insert(cell.into_owned());
            }
        }
        self.passed |= passes;
        passes
    }

    /// Checks that some row was selected, if there were rows.
    pub(super) fn check(&self, source: &str) -> Result<()> {
        if self.passed || self.conditions.iter().all(|condition| condition.seen.is_empty()) {
            return Ok(());
        }
        for Condition { title, wanted, seen, .. } in &self.conditions {
            if let Some(value) = wanted.iter().find(|value| !seen.contains(*value)) {
                return Err(unknown(
                    &format!("{title} in {source}:"),
                    value,
                    seen.iter().map(String::as_str),
                ));
            }
        }
        let conditions: Vec<String> = self
            .conditions
            .iter()
            .map(|condition| format!("{}={}", excerpt(&condition.title), condition.wanted.join(" or ")))
            .collect();
        Err(Error::new(format!("no row of {source} has {}", conditions.join(" and ")))
            .remedy("leave one of the conditions out: each value is there, but not in the same row"))
    }
}
