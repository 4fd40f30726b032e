//! Each row of the page on ELAPS's interface names a test that there is.

use std::fs;

use assay_tests::repository;

/// The rows of the tables of the page: the item, what does the same here, and its test.
fn rows() -> Vec<[String; 3]> {
    let page = fs::read_to_string(repository().join("docs/src/elaps.md")).unwrap();
    let cells =
        page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| ---")).map(|line| {
            let cells: Vec<String> = line.split('|').map(|cell| cell.trim().to_owned()).collect();
            <[String; 3]>::try_from(cells[1..cells.len() - 1].to_vec()).unwrap_or_else(|_| panic!("{line}"))
        });
    cells.filter(|[item, ..]| item != "ELAPS").collect()
}

#[test]
fn every_item_has_a_counterpart_and_a_test() {
    let rows = rows();
    assert!(rows.len() > 30, "{} rows", rows.len());
    for [item, here, test] in rows {
        assert!(!item.is_empty() && !here.is_empty(), "{item}: {here}");
        let names: Vec<&str> = test.split('`').skip(1).step_by(2).collect();
        let [file, name] = names[..] else { panic!("{item}: `{test}` is no file and test") };
        let path = if file.starts_with("host/") { file.to_owned() } else { format!("tests/tests/{file}") };
        let source =
            fs::read_to_string(repository().join(&path)).unwrap_or_else(|_| panic!("{item}: no {path}"));
        assert!(source.contains(&format!("fn {name}(")), "{item}: no test {name} in {path}");
    }
}
