//! Tests of the notes and tables of small results.

use assay_plugin_api::{Block, Cells};

use super::*;

fn column(name: &str, values: &[f64]) -> Column<'static> {
    Column { name: name.to_owned(), values: values.to_vec().into() }
}

fn block(source: &str, columns: Vec<Column<'static>>) -> Block<'static> {
    Block { source: source.to_owned(), columns }
}

fn diagnosed(blocks: &[Block<'_>], columns: Vec<Column<'static>>) -> Merged<'static> {
    let design = Design::new(blocks).unwrap();
    let mut merged = Merged { columns, ..Merged::default() };
    Diagnosis::new(&design, design.measured()).report(&mut merged, Asked::Estimated, |pair| pair.correlation);
    merged
}

fn cells<'a>(merged: &'a Merged<'_>, title: &str, name: &str) -> &'a Cells {
    let sheet = merged.tables.iter().find(|sheet| sheet.title == title).unwrap();
    &sheet.columns.iter().find(|(column, _)| column == name).unwrap().1
}

fn texts<'a>(merged: &'a Merged<'_>, title: &str, name: &str) -> &'a [String] {
    let Cells::Texts(texts) = cells(merged, title, name) else { panic!("{name} holds texts") };
    texts
}

fn numbers(merged: &Merged<'_>, title: &str, name: &str) -> Vec<Option<f64>> {
    let Cells::Numbers(numbers) = cells(merged, title, name) else { panic!("{name} holds numbers") };
    numbers.iter().map(|number| (!number.is_nan()).then(|| (number * 1e12).round() / 1e12)).collect()
}

#[test]
fn each_pair_has_what_was_asked_and_what_was_reached() {
    let (up, down) = ([1.0, 2.0, 3.0, 4.0], [4.0, 3.0, 2.0, 1.0]);
    let blocks = [
        block("one", vec![column("a", &up), column("b", &down), column("k", &[7.0; 4])]),
        block("two", vec![column("a", &up), column("c", &up)]),
    ];
    let merged = diagnosed(
        &blocks,
        vec![column("a", &up), column("b", &up), column("c", &down), column("k", &[7.0; 4])],
    );
    assert_eq!(texts(&merged, "pairs", "event"), ["a", "a", "a", "b", "b", "k"]);
    assert_eq!(texts(&merged, "pairs", "other"), ["b", "k", "c", "k", "c", "c"]);
    let states = ["measured", "constant", "measured", "constant", "inferred", "inferred"];
    assert_eq!(texts(&merged, "pairs", "state"), states);
    assert_eq!(numbers(&merged, "pairs", "asked"), [Some(-1.0), None, Some(1.0), None, None, None]);
    assert_eq!(numbers(&merged, "pairs", "reached"), [Some(1.0), None, Some(-1.0), None, Some(-1.0), None]);
    assert_eq!(numbers(&merged, "pairs", "rows")[..3], [Some(4.0), Some(4.0), Some(4.0)]);
    assert_eq!(numbers(&merged, "pairs", "measured to")[0], Some(-1.0));
    assert_eq!(texts(&merged, "pairs", "within"), ["no", "", "no", "", "", ""]);
    assert_eq!(texts(&merged, "events", "event"), ["a", "b", "k", "c"]);
    assert_eq!(numbers(&merged, "events", "rows"), [Some(8.0), Some(4.0), Some(4.0), Some(4.0)]);
    assert_eq!(numbers(&merged, "events", "distance between blocks"), [Some(0.0), None, None, None]);
    assert_eq!((merged.notes.len(), merged.warnings.len()), (1, 1), "{:?}", merged.notes);
    let far = "correlations of 2 pairs: asked and reached differ by 2.000 on average";
    assert!(merged.warnings[0].starts_with(far), "{:?}", merged.warnings);
    assert!(merged.notes[0].starts_with("1 pair of 6 was never measured together"), "{:?}", merged.notes);
}

#[test]
fn what_is_nearly_reached_is_a_note_and_what_is_far_off_a_warning() {
    let rising: Vec<f64> = (0..100).map(f64::from).collect();
    let blocks = [block("one", vec![column("a", &rising), column("b", &rising)])];
    let design = Design::new(&blocks).unwrap();
    let with = |kind, asked: f64| {
        let mut merged = diagnosed(&blocks, vec![column("a", &rising), column("b", &rising)]);
        (merged.notes, merged.warnings) = (Vec::new(), Vec::new());
        Diagnosis::new(&design, design.measured()).report(&mut merged, kind, |_| Some(asked));
        (merged.notes.len(), merged.warnings)
    };
    assert_eq!(with(Asked::Given, 0.96), (1, vec![]));
    let (notes, warnings) = with(Asked::Given, 0.94);
    assert_eq!(notes, 0);
    assert!(warnings[0].contains("differ by 0.060 on average"), "{warnings:?}");
    // Without outliers, another correlation is asked than all rows show.
    assert_eq!(with(Asked::Trimmed, 0.995), (1, vec![]));
    assert_eq!(with(Asked::Trimmed, 0.96), (2, vec![]));
    let (_, warnings) = with(Asked::Trimmed, 0.94);
    let expected = "correlations of 1 pair is asked as measured without outliers, which differ from those of all \
                    rows: most by -0.060 (a and b)";
    assert!(warnings[1].starts_with(expected), "{warnings:?}");
}

#[test]
fn a_drift_is_shown_in_standard_deviations() {
    let low: Vec<f64> = (0..100).map(|i| f64::from(i % 2)).collect();
    let high: Vec<f64> = low.iter().map(|value| value + 1.0).collect();
    let blocks = [
        block("one", vec![column("t", &low), column("a", &low)]),
        block("two", vec![column("t", &high), column("b", &low)]),
    ];
    let merged = diagnosed(&blocks, vec![column("t", &low)]);
    // Means 1 apart have a variance of 1/2; within, it is 0.2525.
    let drift = numbers(&merged, "events", "drift");
    assert!(drift.iter().all(|drift| (drift.unwrap() - (0.5f64 / 0.2525).sqrt()).abs() < 0.01), "{drift:?}");
    let note = merged.notes.iter().find(|note| note.starts_with("means differ between sub-experiments"));
    assert!(note.unwrap().contains("t by 1.40"), "{:?}", merged.notes);
    let apart = [block("one", vec![column("t", &low)]), block("two", vec![column("a", &low)])];
    assert_eq!(numbers(&diagnosed(&apart, vec![]), "events", "drift"), [None, None]);
}

#[test]
fn what_is_not_asked_as_it_was_measured_is_said_and_what_is_given_is_so() {
    let rising: Vec<f64> = (0..100).map(f64::from).collect();
    let rough: Vec<f64> = (0..100).map(|i| f64::from(i + i * 37 % 101)).collect();
    let blocks = [
        block("one", vec![column("a", &rising), column("b", &rough)]),
        block("two", vec![column("c", &rising)]),
    ];
    let design = Design::new(&blocks).unwrap();
    let with = |kind| {
        let mut merged =
            Merged { columns: vec![column("a", &rising), column("b", &rough)], ..Merged::default() };
        Diagnosis::new(&design, design.measured()).report(&mut merged, kind, |_| Some(0.3));
        merged
    };
    let has_note = |merged: &Merged<'_>| {
        merged.notes.iter().any(|note| note.contains("1 pair is not asked as measured"))
    };
    let (estimated, given) = (with(Asked::Estimated), with(Asked::Given));
    assert!(has_note(&estimated) && !has_note(&given), "{:?}", estimated.notes);
    assert_eq!(texts(&estimated, "pairs", "state"), ["measured", "inferred", "inferred"]);
    assert_eq!(texts(&given, "pairs", "state"), ["given"; 3]);
    assert_eq!(texts(&given, "pairs", "within"), ["yes", "", ""]);
}

#[test]
fn an_event_that_is_not_in_the_result_was_reached_nowhere() {
    let up = [1.0, 2.0, 4.0];
    let blocks = [block("one", vec![column("a", &up), column("b", &up)])];
    let merged = diagnosed(&blocks, vec![column("a", &up)]);
    assert_eq!(numbers(&merged, "pairs", "reached"), [None]);
    assert_eq!(texts(&merged, "pairs", "state"), ["measured"]);
    assert!(merged.notes.is_empty(), "{:?}", merged.notes);
}

#[test]
fn an_event_that_is_not_the_same_in_all_blocks_is_a_warning() {
    let before: Vec<f64> = (0..100).map(f64::from).collect();
    let after: Vec<f64> = before.iter().map(|value| value + 50.0).collect();
    let blocks = [
        block("x.csv", vec![column("t", &before), column("a", &before)]),
        block("y.csv", vec![column("t", &after), column("a", &before)]),
    ];
    let merged = diagnosed(&blocks, vec![column("t", &before)]);
    assert_eq!(merged.warnings.len(), 1);
    let expected =
        "distributions differ between sub-experiments: t (distance 0.50 of block 1 (x.csv) from the others";
    assert!(merged.warnings[0].starts_with(expected), "{}", merged.warnings[0]);
    assert!(!merged.warnings[0].contains(" a ("), "{}", merged.warnings[0]);
    assert_eq!(texts(&merged, "events", "furthest block"), ["block 1 (x.csv)", "block 1 (x.csv)"]);
    assert!(numbers(&merged, "events", "p")[0].unwrap() < 1e-9);
}
