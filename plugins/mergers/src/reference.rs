//! The reference data of the published methods, for tests: raw tables and their merged results.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use assay_plugin_api::testing::skip;
use assay_plugin_api::{Block, Column};

/// The folder of the reference data. If it is missing, prints the reason for skipping and returns `None`.
pub fn folder() -> Option<PathBuf> {
    let shared = std::env::var_os("ASSAY_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let folder = shared.join("reference/merging");
    if !folder.is_dir() {
        skip(&format!("{} is missing (set ASSAY_SHARED to the folder of reference data)", folder.display()));
        return None;
    }
    Some(folder)
}

/// The cells of a CSV file, with its header.
pub fn cells(path: &Path) -> (Vec<String>, Vec<Vec<String>>) {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_path(path).unwrap();
    let header = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let rows = reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect());
    (header, rows.collect())
}

/// The titles and columns of a table of numbers.
pub fn columns(path: &Path) -> (Vec<String>, Vec<Vec<f64>>) {
    let (titles, rows) = cells(path);
    let column = |i: usize| rows.iter().map(|row| row[i].parse().unwrap()).collect();
    (0..titles.len()).map(|i| (titles[i].clone(), column(i))).unzip()
}

/// A raw table, cut into blocks of six columns, with the names of the events.
pub fn blocks(folder: &Path, file: &str) -> Vec<Block<'static>> {
    let (_, codes) = cells(&folder.join("t2080_codes.csv"));
    let codes: HashMap<String, String> =
        codes.into_iter().map(|row| (row[0].clone(), row[1].clone())).collect();
    let (titles, columns) = columns(&folder.join(file));
    // `X457.1` is the second column of code 457.
    let code = |title: &str| title.trim_start_matches('X').split('.').next().unwrap().to_owned();
    let columns = titles.iter().zip(columns);
    let mut columns =
        columns.map(|(title, values)| Column { name: codes[&code(title)].clone(), values: values.into() });
    let mut blocks = Vec::new();
    loop {
        let columns: Vec<Column<'static>> = columns.by_ref().take(6).collect();
        if columns.is_empty() {
            return blocks;
        }
        blocks.push(Block { source: file.to_owned(), columns });
    }
}
