//! Checks the result of a merger, which is a plugin and may be faulty.

use std::collections::HashSet;

use assay_base::error::{Result, excerpt};
use assay_load::plugin::Merger;
use assay_plugin_api::{Column, Merged, Sheet};

/// Greatest number of notes. A merger with more most likely has an endless loop.
const MOST_NOTES: usize = 1000;
/// Greatest length of a name in bytes.
const LONGEST_NAME: usize = 1024;
const LONGEST_TITLE: usize = 64;

/// Checks the result of a merger. It must have at least one column and one row, events that some block has
/// (or `event@2` for one that several have), and finite values. The columns of each table must have equal
/// lengths and different names, and the tables must have different titles.
///
/// # Errors
/// Says what the merger did wrong.
pub fn check(merged: &Merged, merger: &Merger, events: &HashSet<String>) -> Result<()> {
    fault_of(merged, events).map_err(|gave| merger.at_fault(&format!("it gave {gave}")))
}

fn fault_of(merged: &Merged, events: &HashSet<String>) -> Result<(), String> {
    let Some(first) = merged.columns.first() else { return Err("no columns".to_owned()) };
    if first.values.is_empty() {
        return Err("no rows".to_owned());
    }
    for said in [&merged.notes, &merged.warnings] {
        if said.len() > MOST_NOTES {
            return Err(format!("{} notes where {MOST_NOTES} are the most", said.len()));
        }
    }
    equally_long(merged.columns.iter().map(|column| (column.name.as_str(), column.values.len())))?;
    for Column { name, values } in &merged.columns {
        let measured = |name: &str| events.contains(name);
        let copy = name.rsplit_once('@').is_some_and(|(event, block)| {
            measured(event) && !block.is_empty() && block.bytes().all(|byte| byte.is_ascii_digit())
        });
        if !measured(name) && !copy {
            return Err(format!("an event `{}` that no sub-experiment has", excerpt(name)));
        }
        if let Some(row) = values.iter().position(|value| !value.is_finite()) {
            return Err(format!("no finite number for `{name}` in row {}", row + 1));
        }
    }
    let mut titles = HashSet::new();
    for Sheet { title, columns } in &merged.tables {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        if title.is_empty() || title.len() > LONGEST_TITLE || !title.bytes().all(plain) {
            return Err(format!("a table `{}`, whose title is no name for a file", excerpt(title)));
        }
        if !titles.insert(title) {
            return Err(format!("two tables `{title}`"));
        }
        equally_long(columns.iter().map(|(name, cells)| (name.as_str(), cells.len())))?;
    }
    Ok(())
}

/// The first fault of the columns of a table: a missing or repeated name, or a wrong number of rows.
fn equally_long<'a>(columns: impl Iterator<Item = (&'a str, usize)>) -> Result<(), String> {
    let (mut seen, mut first) = (HashSet::new(), None);
    for (name, rows) in columns {
        let first = *first.get_or_insert(rows);
        if name.is_empty() {
            return Err("a column without a name".to_owned());
        }
        if name.len() > LONGEST_NAME {
            return Err(format!("a column with a name of {} bytes", name.len()));
        }
        if rows != first {
            return Err(format!("{rows} values for `{name}` and {first} for the first column"));
        }
        if !seen.insert(name) {
            return Err(format!("two columns `{name}`"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, values: Vec<f64>) -> Column<'static> {
        Column { name: name.to_owned(), values: values.into() }
    }

    #[test]
    fn a_faulty_merger_is_named() {
        let events = || HashSet::from(["a".to_owned(), "b".to_owned(), "a".repeat(2000)]);
        let check = |merged: &Merged| fault_of(merged, &events());
        assert_eq!(check(&Merged::default()), Err("no columns".to_owned()));
        let right = || Merged { columns: vec![column("a", vec![1.0])], ..Merged::default() };
        let ragged = || vec![column("a", vec![1.0]), column("b", vec![])];
        let refused = |merged: Merged| check(&merged).unwrap_err();
        let columns = |columns| refused(Merged { columns, ..right() });
        assert!(check(&right()).is_ok());
        assert!(columns(ragged()).contains("0 values for `b` and 1 for the first"));
        assert!(columns(vec![column("a", vec![1.0]), column("a", vec![2.0])]).contains("two columns `a`"));
        assert!(columns(vec![column(&"a".repeat(2000), vec![1.0])]).contains("a name of 2000 bytes"));
        assert_eq!(columns(vec![column("a", vec![])]), "no rows");
        assert!(columns(vec![column("", vec![1.0])]).contains("a column without a name"));
        assert!(
            columns(vec![column("a", vec![1.0, f64::NAN])]).contains("no finite number for `a` in row 2")
        );
        assert!(columns(vec![column("a", vec![f64::INFINITY])]).contains("no finite number"));
        for unknown in ["c", "c@2", "a@", "a@x", "@2"] {
            let faults = columns(vec![column(unknown, vec![1.0])]);
            assert!(faults.contains("that no sub-experiment has"), "{unknown}: {faults}");
        }
        let copied = vec![column("a", vec![1.0]), column("a@2", vec![1.0])];
        assert!(check(&Merged { columns: copied, ..right() }).is_ok());
        let ragged = Sheet::new("t").texts("a", ["x"]).numbers("b", []);
        let further = Merged { tables: vec![ragged], ..right() };
        assert!(refused(further).contains("0 values for `b`"));
        let titled = |titles: &[&str]| {
            let tables = titles.iter().map(|title| Sheet::new(title)).collect();
            refused(Merged { tables, ..right() })
        };
        for title in ["", "../x", "a b", &"a".repeat(65)] {
            assert!(titled(&[title]).contains("whose title is no name for a file"), "{title}");
        }
        assert!(titled(&["pairs", "pairs"]).contains("two tables `pairs`"));
        assert!(refused(Merged { notes: vec![String::new(); 1001], ..right() }).contains("1001 notes"));
        assert!(refused(Merged { warnings: vec![String::new(); 1001], ..right() }).contains("1001 notes"));
    }

    #[test]
    fn a_merger_may_go_to_the_limits() {
        let columns = vec![column(&"a".repeat(LONGEST_NAME), vec![1.0])];
        let notes = vec![String::new(); MOST_NOTES];
        let events = HashSet::from(["a".repeat(LONGEST_NAME)]);
        assert_eq!(fault_of(&Merged { columns, notes, ..Merged::default() }, &events), Ok(()));
    }
}
