//! Pictures of real runs: on the terminal, as SVG, PNG and PDF.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use assay_tests::{Ran, assay, run};

/// Measures three algorithms on a text of so many letters.
fn measure(out: &Path, sigma: &str, lengths: &str) {
    let mut command = assay();
    command.args(["run", "bf", "hor", "bndm", "--rand", sigma, "--text-size", "64KiB", "--plen", lengths]);
    let ran = run(command.args(["--runs", "20", "--seed", "1", "--quiet", "--out"]).arg(out));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

fn report(out: &Path, arguments: &[&str]) -> Ran {
    run(assay().args(["report", "--out"]).arg(out).args(arguments))
}

fn drawn(out: &Path, arguments: &[&str]) -> String {
    let ran = report(out, &[arguments, &["--format", "svg"]].concat());
    assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.stderr);
    ran.stdout
}

/// The colours in which an SVG has points, by how often.
fn colours(svg: &str) -> BTreeMap<&str, usize> {
    let mut colours = BTreeMap::new();
    for colour in svg.split("stroke=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
        *colours.entry(colour).or_default() += 1;
    }
    colours
}

#[test]
fn every_kind_of_picture_is_drawn_of_a_run() {
    let folder = tempfile::tempdir().unwrap();
    measure(folder.path(), "4", "4,16,64");
    for kind in ["lines", "bars", "map", "profile", "histogram", "box"] {
        let svg = drawn(folder.path(), &["last", "--picture", kind]);
        assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"), "{kind}");
        assert!(
            svg.contains("\npattern length in bytes\n")
                || svg.contains("\npatterns of 64 bytes\n")
                || kind == "profile",
            "{kind}"
        );
        assert!(svg.contains("\nbndm\n"), "{kind} names its algorithms");
        for (name, start) in [("a.png", &b"\x89PNG\r\n"[..]), ("a.pdf", b"%PDF-1.7\n")] {
            let file = folder.path().join(name);
            let ran = report(folder.path(), &["last", "--picture", kind, "--to", file.to_str().unwrap()]);
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            assert!(fs::read(&file).unwrap().starts_with(start), "{kind} {name}");
        }
    }
    let some = drawn(folder.path(), &["last", "--picture", "box", "--at", "16"]);
    assert!(some.contains("\npatterns of 16 bytes\n") && !some.contains("patterns of 64 bytes\n"));
    let ran = report(folder.path(), &["last", "--picture", "box", "--at", "5", "--format", "svg"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("`--at` takes some of 4,16,64"), "{}", ran.stderr);
}

#[test]
fn an_algorithm_has_its_colour_in_each_picture_of_a_run_and_on_its_page() {
    let folder = tempfile::tempdir().unwrap();
    measure(folder.path(), "4", "4,16");
    let lines = drawn(folder.path(), &["last"]);
    let profile = drawn(folder.path(), &["last", "--picture", "profile"]);
    let inks = ["#1C2127", "#5C6670", "#D5DBE1", "none"];
    let of = |svg: &str| -> Vec<String> {
        colours(svg).into_keys().filter(|colour| !inks.contains(colour)).map(str::to_owned).collect()
    };
    assert_eq!((of(&lines).len(), of(&lines)), (3, of(&profile)));
    let saved = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    let page = fs::read_to_string(saved.join("report.html")).unwrap();
    let first = page.find("<svg").unwrap();
    assert!(first < page.find("<table").unwrap(), "the drawing is above the tables");
    assert!(of(&lines).iter().all(|colour| page.contains(colour.as_str())));
}

#[test]
fn a_map_has_a_row_for_each_text_and_other_pictures_are_of_one_run() {
    let folder = tempfile::tempdir().unwrap();
    measure(folder.path(), "2", "4,16");
    measure(folder.path(), "128", "4,16");
    let ids: Vec<String> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let both: Vec<&str> = ids.iter().map(String::as_str).collect();
    let map = drawn(folder.path(), &[&both[..], &["--picture", "map"]].concat());
    assert!(map.find("2 letters").unwrap() < map.find("128 letters").unwrap(), "by alphabet");
    let profile = drawn(folder.path(), &[&both[..], &["--picture", "profile"]].concat());
    assert!(profile.contains("4 cases"), "two texts with two lengths");
    let ran = report(folder.path(), &[&both[..], &["--picture", "lines"]].concat());
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
}

#[test]
fn long_names_of_texts_are_short_in_a_map_and_whole_in_its_title() {
    let folder = tempfile::tempdir().unwrap();
    let names: Vec<String> = (10..22).map(|i| format!("{i}-texts-of-a-collection-in-english.txt")).collect();
    let text: Vec<u8> = (0..16384u32).map(|i| b'a' + (i * i % 7) as u8).collect();
    names.iter().for_each(|name| fs::write(folder.path().join(name), &text).unwrap());
    let range = format!("text={}", names.join(","));
    let mut command = assay();
    command.args([
        "run", "bf", "hor", "--plen", "8", "--runs", "20", "--seed", "1", "--quiet", "--range", &range,
    ]);
    let ran = run(command.current_dir(folder.path()));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let map = drawn(&folder.path().join("results"), &["last", "--picture", "map"]);
    let title = map.split("<title>").nth(1).unwrap().split("</title>").next().unwrap();
    let drawing = map.split("</title>").nth(1).unwrap();
    assert!(drawing.contains("\n12 texts\n"), "the row of them all");
    for name in &names {
        assert!(title.contains(name.as_str()) && !drawing.contains(name.as_str()), "{name}");
        let upright = drawing.split("<text").filter(|text| text.contains("rotate(270"));
        let mut words = upright.filter_map(|text| text.split_once('>')?.1.split('<').next()).map(str::trim);
        assert!(words.any(|words| words.starts_with(&name[..8]) && words.contains('…')), "{name}");
    }
}

#[test]
fn a_chart_needs_neither_colours_nor_a_wide_terminal() {
    let folder = tempfile::tempdir().unwrap();
    measure(folder.path(), "4", "4,16,64");
    let ran = report(folder.path(), &["last", "--chart"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.starts_with("search time in µs, logarithmic\n"), "{}", ran.stdout);
    assert!(ran.stdout.lines().all(|line| line.chars().count() <= 80) && !ran.stdout.contains('\u{1b}'));
    for name in ["a bf", "b hor", "c bndm"] {
        assert!(ran.stdout.contains(name), "{}", ran.stdout);
    }
}

#[test]
fn what_can_not_be_drawn_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = assay();
    command.args(["run", "bf", "--plen", "4", "--runs", "2", "--stats", "algo", "--quiet", "--out"]);
    assert_eq!(run(command.arg(folder.path())).code, Some(0));
    for (arguments, said) in [
        (vec!["--picture", "map"], "nothing tells who is best"),
        (vec!["--metric", "jumps,writes"], "one metric"),
        (vec!["--stat", "max"], "pictures show medians"),
    ] {
        let ran = report(folder.path(), &[&["last", "--format", "svg"], &arguments[..]].concat());
        assert!(ran.code == Some(2) && ran.stderr.contains(said), "{arguments:?}: {}", ran.stderr);
    }
}
