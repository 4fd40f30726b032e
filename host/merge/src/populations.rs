//! Warns if the rows read from saved runs mix several algorithms or pattern lengths.

use std::collections::BTreeSet;
use std::path::Path;

use assay_base::columns;
use assay_base::io::csv_input::Selection;

/// Greatest number of values that a message names.
const NAMED: usize = 3;

/// A warning for each column that has several values and that no condition selects by. Files that can't be
/// read are skipped, because the caller that reads them reports the error.
pub fn mixed(paths: &[impl AsRef<Path>], selection: &Selection) -> Vec<String> {
    let titles = [columns::ALGORITHM, columns::PATTERN_LENGTH];
    let asked = |title: &str| selection.conditions.iter().any(|(name, _)| name == title);
    let titles: Vec<&str> = titles.into_iter().filter(|title| !asked(title)).collect();
    let mut seen = vec![BTreeSet::new(); titles.len()];
    for path in paths.iter().map(AsRef::as_ref).filter(|path| path.is_file()) {
        note(path, &titles, selection, &mut seen);
    }
    let warning = |(title, values): (&&str, &BTreeSet<String>)| {
        let named: Vec<&str> = values.iter().take(NAMED).map(String::as_str).collect();
        let more = if values.len() > NAMED { ", .." } else { "" };
        (values.len() > 1).then(|| {
            format!(
                "rows of {} are merged as if they were one ({}{more}): --where {title}={} takes one of them",
                kinds(title, values.len()),
                named.join(", "),
                named[0]
            )
        })
    };
    titles.iter().zip(&seen).filter_map(warning).collect()
}

fn kinds(title: &str, count: usize) -> String {
    match title {
        columns::ALGORITHM => format!("{count} algorithms"),
        _ => format!("{count} pattern lengths"),
    }
}

/// Adds the values of a file's rows that are read.
fn note(path: &Path, titles: &[&str], selection: &Selection, seen: &mut [BTreeSet<String>]) {
    let Ok(mut reader) = csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_path(path) else {
        return;
    };
    let Ok(header) = reader.headers().cloned() else { return };
    let place = |title: &str| header.iter().position(|known| known == title);
    let places: Vec<Option<usize>> = titles.iter().map(|title| place(title)).collect();
    if places.iter().all(Option::is_none) {
        return;
    }
    let passes = |record: &csv::StringRecord| {
        let wanted = |title: &String, value: &str| {
            selection.conditions.iter().any(|(name, wanted)| name == title && wanted == value)
        };
        selection.conditions.iter().all(|(title, _)| {
            place(title).and_then(|at| record.get(at)).is_none_or(|value| wanted(title, value))
        })
    };
    let mut record = csv::StringRecord::new();
    while let Ok(true) = reader.read_record(&mut record) {
        if !passes(&record) {
            continue;
        }
        for (place, seen) in places.iter().zip(&mut *seen) {
            if let Some(value) = place.and_then(|at| record.get(at))
                && !seen.contains(value)
            {
                seen.insert(value.to_owned());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_several_algorithms_or_lengths_are_reported_unless_they_are_chosen() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let one = write("a.csv", "algorithm,pattern_length,x\nhor,8,1\nbf,8,2\nbf,16,3\n");
        let other = write("b.csv", "algorithm,pattern_length,x\nhor,8,1\n");
        let plain = write("c.csv", "x,y\n1,2\n");
        let mixed = |paths: &[&std::path::PathBuf], conditions: &[(&str, &str)]| {
            let own = |(a, b): &(&str, &str)| ((*a).to_owned(), (*b).to_owned());
            let conditions = conditions.iter().map(own).collect();
            mixed(paths, &Selection { columns: Vec::new(), conditions })
        };
        let both = mixed(&[&other, &one], &[]);
        assert!(
            both[0].starts_with("rows of 2 algorithms are merged as if they were one (bf, hor)"),
            "{both:?}"
        );
        assert!(
            both[1].contains("rows of 2 pattern lengths") && both[1].contains("--where pattern_length=16")
        );
        assert_eq!(mixed(&[&one], &[("algorithm", "bf")]).len(), 1);
        assert_eq!(mixed(&[&one], &[("algorithm", "hor")]).len(), 0);
        assert_eq!(mixed(&[&one], &[("algorithm", "bf"), ("pattern_length", "8")]).len(), 0);
        assert_eq!(mixed(&[&other, &plain], &[]).len(), 0);
    }
}
