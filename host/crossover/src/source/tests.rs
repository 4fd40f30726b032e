//! Tests of the dispatcher as source.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::*;
use crate::regret::Regret;

fn ids() -> Vec<String> {
    ["hor", "bndm", "peer:hor"].map(str::to_owned).into()
}

fn cell(alphabets: Option<(usize, usize)>, lengths: (usize, usize), algorithm: usize) -> DispatcherCell {
    let regret = Regret { points: 4, missing: 0, mean: Some(0.0123), greatest: Some(0.04) };
    DispatcherCell { alphabets, lengths, algorithm, regret }
}

fn of_cells(cells: Vec<DispatcherCell>) -> Dispatcher {
    Dispatcher { cells, regret: Regret::default(), always: Vec::new() }
}

/// A dispatcher by alphabet and length, and one by length alone.
fn dispatchers() -> [Dispatcher; 2] {
    let by_both =
        vec![cell(Some((2, 5)), (2, 7), 0), cell(Some((2, 5)), (8, 64), 1), cell(Some((6, 16)), (2, 64), 2)];
    [of_cells(by_both), of_cells(vec![cell(None, (1, 1), 1), cell(None, (2, 64), 0)])]
}

/// What was measured, with all that could end a comment.
fn about() -> Vec<String> {
    vec!["text: a\nfn b() { */ \u{1}".to_owned(), "a folder\\".to_owned()]
}

#[test]
fn the_regret_of_each_cell_is_in_the_comment() {
    for language in [SourceLanguage::Rust, SourceLanguage::C] {
        let source = language.source(&dispatchers()[0], &ids(), &about());
        assert!(source.contains("\n//   2 to 5    8 to 64  bndm       4       1.2 %  4.0 %\n"), "{source}");
        assert!(source.contains("\n// text: a fn b() { */\n// a folder\\.\n"), "{source}");
    }
}

#[test]
fn a_file_has_a_language_by_its_name() {
    let of_file = |name: &str| SourceLanguage::of_file(Path::new(name));
    assert_eq!(of_file("a/choose.rs"), Some(SourceLanguage::Rust));
    assert_eq!([of_file("choose.c"), of_file("choose.h")], [Some(SourceLanguage::C); 2]);
    assert_eq!([of_file("choose.txt"), of_file("rs")], [None, None]);
}

/// What a compiler, which the tests need anyway, says of a file, if it says anything.
fn complaint(compiler: &str, arguments: &[&str], file: &Path) -> Option<String> {
    let output = Command::new(compiler).args(arguments).arg(file).output().expect("there is a compiler");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (!output.status.success() || !said.is_empty()).then_some(said)
}

#[test]
fn rust_compiles_without_a_warning_and_chooses_as_the_cells_say() {
    let folder = tempfile::tempdir().unwrap();
    let uses = [
        "choose(2, 2) == Some(Algorithm::Hor) && choose(64, 5) == Some(Algorithm::Bndm) && choose(8, 6) == \
                 Some(Algorithm::PeerHor) && choose(65, 2).is_none() && choose(2, 17).is_none()",
        "choose(1, 0) == Some(Algorithm::Bndm) && choose(2, 9) == Some(Algorithm::Hor) && choose(0, 1).is_none()",
    ];
    for (dispatcher, uses) in dispatchers().iter().zip(uses) {
        let file = folder.path().join("choose.rs");
        let source = SourceLanguage::Rust.source(dispatcher, &ids(), &about());
        fs::write(&file, format!("{source}\nfn main() {{ std::process::exit(i32::from(!({uses}))); }}\n"))
            .unwrap();
        let program = folder.path().join("choose");
        let arguments = ["--edition", "2024", "-D", "warnings", "-o", program.to_str().unwrap()];
        assert_eq!(complaint("rustc", &arguments, &file), None, "{source}");
        assert!(Command::new(&program).status().unwrap().success(), "{source}");
    }
}

#[test]
fn c_compiles_without_a_warning_and_chooses_as_the_cells_say() {
    let folder = tempfile::tempdir().unwrap();
    let uses = [
        "assay_choose(2, 2) == ASSAY_HOR && assay_choose(64, 5) == ASSAY_BNDM && assay_choose(8, 6) == \
                 ASSAY_PEER_HOR && assay_choose(65, 2) == ASSAY_NOT_MEASURED && assay_choose(2, 17) == -1",
        "assay_choose(1, 0) == ASSAY_BNDM && assay_choose(2, 9) == ASSAY_HOR && assay_choose(0, 1) == -1",
    ];
    for (dispatcher, uses) in dispatchers().iter().zip(uses) {
        let file = folder.path().join("choose.c");
        let source = SourceLanguage::C.source(dispatcher, &ids(), &about());
        fs::write(&file, format!("{source}\nint main(void) {{ return !({uses}); }}\n")).unwrap();
        let program = folder.path().join("choose");
        let arguments =
            ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-o", program.to_str().unwrap()];
        assert_eq!(complaint("cc", &arguments, &file), None, "{source}");
        assert!(Command::new(&program).status().unwrap().success(), "{source}");
    }
}
