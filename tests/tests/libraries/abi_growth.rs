//! The ABI grows as promised: a library of the first ABI works in the host of the day; and of a simulated
//! future, with a field more in every table, a kind more, another minor number and other versions of the
//! crates, libraries work in today's host and its host with today's libraries.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use assay_tests::{Ran, assay, fixture, foreign_workspace, isolate, only_entry, repository, run, scratch};
use tempfile::TempDir;

use crate::draft::Draft;

/// The workspace of a plugin of each kind, without the sources of the ABI that it is built with.
const EVERY_KIND: [(&str, &str); 3] = [
    ("tests/fixtures/first_abi/plugin", "plugin"),
    ("tests/fixtures/first_abi/Cargo.toml", "Cargo.toml"),
    ("tests/fixtures/first_abi/Cargo.lock", "Cargo.lock"),
];

/// A folder that holds one library.
fn folder_with(library: &Path) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(library, folder.path().join("libevery_kind.so")).unwrap();
    folder
}

/// Runs a host in a folder, and expects that it complains of nothing.
fn works(host: &mut Command, folder: &TempDir, arguments: &[&str]) -> Ran {
    host.args(arguments).arg("--plugin-dir").arg(folder.path()).current_dir(folder.path());
    let ran = run(host);
    assert_eq!((ran.code, ran.warnings()), (Some(0), vec![]), "{arguments:?}: {}", ran.stderr);
    ran
}

/// Searches a text of the corpus three times, and says where the result is saved.
fn run_in(folder: &TempDir, mut host: Command, more: &[&str]) -> PathBuf {
    let out = tempfile::tempdir_in(folder.path()).unwrap().keep();
    let search =
        ["run", "first", "--pattern", "aa", "--corpus", "first1", "--text-size", "1000B", "--runs", "3"];
    works(&mut host, folder, &[&search[..], more, &["--out", out.to_str().unwrap()]].concat());
    only_entry(&out)
}

/// Uses one thing of each kind of the library `every-kind`.
fn every_kind_works(library: &Path, host: impl Fn() -> Command) {
    let folder = folder_with(library);
    let told = works(&mut host(), &folder, &["list", "--format", "csv"]).stdout;
    for kind in ["algorithm", "counter", "metric", "statistic", "merger", "corpus"] {
        assert!(told.contains(&format!("\n{kind},first,")), "no {kind} in {told}");
    }

    let counted = run_in(&folder, host(), &["--counters", "first:hidden"]);
    let mut rows = csv::Reader::from_path(counted.join("measurements.csv")).unwrap();
    let titles = rows.headers().unwrap().clone();
    let rows: Vec<_> = rows.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 3);
    for row in rows {
        let cell = |title: &str| &row[titles.iter().position(|other| other == title).expect(title)];
        // From the reading before a phase to the one after it, it was read once.
        let found = (cell("status"), cell("occurrences"), cell("first:hidden"), cell("prepare:first:hidden"));
        assert_eq!(found, ("ok", "999", "1", "1"));
    }
    let instrumented = run_in(&folder, host(), &["--stats", "algo"]);
    let rows = fs::read_to_string(instrumented.join("measurements.csv")).unwrap();
    assert!(rows.starts_with("algorithm,") && rows.contains("verifications"), "{rows}");

    let saved = counted.to_str().unwrap();
    let report = ["report", saved, "--metric", "first", "--stat", "first", "--format", "csv"];
    let figures = works(&mut host(), &folder, &report).stdout;
    for cell in ["first,2,first,bytes,first,all,3,0,2000", "first,2,first,bytes,first,all,3,1,3"] {
        assert!(figures.contains(cell), "{cell}: {figures}");
    }

    fs::write(folder.path().join("a.csv"), "x\n3\n1\n2\n10\n4\n9\n5\n8\n6\n7\n").unwrap();
    fs::write(folder.path().join("b.csv"), "y\n6\n5\n4\n7\n8\n9\n10\n11\n12\n13\n").unwrap();
    let merged = works(&mut host(), &folder, &["merge", "first", "a.csv", "b.csv", "--rows", "2"]);
    assert_eq!(merged.stdout, "x,y\n1,4\n2,5\n");
    assert!(merged.stderr.contains("2 blocks"), "{}", merged.stderr);
}

/// A library with a plugin of each kind, built with the first ABI as it was when it was frozen.
fn first_library() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let build = || {
        let draft = Draft::new(EVERY_KIND);
        draft.unpack("tests/fixtures/first_abi/plugin-api.tar.gz");
        foreign_workspace(&draft.settle("first-abi"), &["--locked"]).join("debug/libevery_kind.so")
    };
    BUILT.get_or_init(build).clone()
}

#[test]
fn a_library_of_the_first_abi_works() {
    every_kind_works(&first_library(), assay);
}

#[test]
fn a_library_of_the_future_works() {
    let draft = Draft::new(EVERY_KIND);
    draft.add("plugin-api", "plugin-api");
    // The workspace is that of the first ABI.
    draft.edit("Cargo.toml", "abi\", version = \"1.0.0\"", "abi\", version = \"1.1.0\"");
    grow(&draft);
    add_a_needy_algorithm(&draft);
    // The library of the first ABI is built in the same place.
    draft.edit("plugin/Cargo.toml", "[lib]\n", "[lib]\nname = \"every_later_kind\"\n");
    let target = foreign_workspace(&draft.settle("future-library"), &["--offline"]);
    let library = target.join("debug/libevery_later_kind.so");
    let told = run(assay().args(["plugins", "info"]).arg(&library)).stdout;
    assert!(told.contains("1.2"), "{told}");
    what_is_newer_is_said_once(&library);
    every_kind_works(&library, assay);
    an_unknown_need_is_refused(&library);
}

/// The note comes when the library is first seen; commands that look closely at it repeat it.
fn what_is_newer_is_said_once(library: &Path) {
    let folder = folder_with(library);
    let newer = "every-kind 1.2.3, ABI 1.2: newer than this assay's ABI 1.1, it may bring more than this assay can \
                 use (1 item of the kind 7); update assay to use all of it";
    let list = || {
        let mut host = assay();
        host.env("ASSAY_CACHE_DIR", folder.path().join("cache"));
        works(&mut host, &folder, &["list"]).stderr
    };
    assert_eq!(list(), format!("note: {newer}\n"));
    assert_eq!(list(), "");
    for command in ["info", "check"] {
        let ran = run(assay().args(["plugins", command]).arg(library));
        assert!(ran.stdout.contains(newer), "{}", ran.stdout);
    }
}

/// The field of the need is dropped, the bit that goes with it is not.
fn an_unknown_need_is_refused(library: &Path) {
    let folder = folder_with(library);
    let out = folder.path().join("out");
    let search =
        ["run", "needy", "--pattern", "aa", "--corpus", "first1", "--text-size", "1000B", "--runs", "3"];
    let mut host = assay();
    host.args(search)
        .arg("--plugin-dir")
        .arg(folder.path())
        .arg("--out")
        .arg(&out)
        .current_dir(folder.path());
    let ran = run(&mut host);
    let saved = fs::read_dir(out).ok().and_then(|mut runs| runs.next());
    let saved = saved.unwrap_or_else(|| panic!("no saved run: {}", ran.stderr)).unwrap().path();
    let rows = fs::read_to_string(saved.join("measurements.csv")).unwrap();
    assert!(rows.contains(",cannot_search,") && !rows.contains(",ok,"), "{rows}{}", ran.stderr);
    let report = fs::read_to_string(saved.join("report.json")).unwrap();
    assert!(report.contains("it needs what this version of assay does not know (flags 0x10)"), "{report}");
}

#[test]
fn a_host_of_the_future_works_with_todays_libraries() {
    let draft = Draft::new(["host", "plugin-api", "Cargo.toml", "Cargo.lock"].map(|part| (part, part)));
    grow(&draft);
    let members =
        r#"members = ["host/*", "plugin-api", "plugin-api/abi", "plugins/*", "stat-plugins/*", "tests"]"#;
    draft.edit("Cargo.toml", members, r#"members = ["host/*", "plugin-api", "plugin-api/abi"]"#);
    // Building it takes longer than using it, so it is not optimised.
    let crates = fs::read_dir(repository().join("host")).unwrap();
    let slow: String = crates
        .map(|folder| match folder.unwrap().file_name().to_str().unwrap() {
            "assay" => "assay".to_owned(),
            part => format!("assay-{part}"),
        })
        .map(|package| format!("[profile.dev.package.{package}]\nopt-level = 0\n\n"))
        .collect();
    draft.edit("Cargo.toml", "[profile.dev]\n", &format!("{slow}[profile.dev]\n"));
    // It asks for the new kind, too.
    let asks = "            Catalogue {";
    let asks_more =
        "            assert!(items(Kind(7)).items().is_empty(), \"an old library has a new kind\");\n";
    draft.edit("host/load/src/plugin/catalogue.rs", asks, &format!("{asks_more}{asks}"));
    let built = foreign_workspace(&draft.settle("future-host"), &["--offline"]).join("debug/assay");
    // A host also looks for libraries beside itself.
    let alone = tempfile::tempdir().unwrap();
    let program = alone.path().join("assay");
    fs::copy(built, &program).unwrap();
    let host = || {
        let mut host = Command::new(&program);
        isolate(&mut host);
        host.env("ASSAY_CACHE_DIR", scratch().join("future-cache"));
        host
    };
    every_kind_works(&first_library(), host);

    let folder = folder_with(&fixture("foreign_plugin"));
    let told = works(&mut host(), &folder, &["list", "--format", "csv"]).stdout;
    assert!(told.contains("\nalgorithm,notsonaive,"), "{told}");
}

/// Makes the ABI of a workspace the next one.
fn grow(draft: &Draft) {
    draft.edit("plugin-api/abi/Cargo.toml", "version = \"1.1.0\"", "version = \"1.2.0\"");
    draft.edit("Cargo.toml", "abi\", version = \"1.1.0\"", "abi\", version = \"1.2.0\"");
    draft.edit("Cargo.toml", "\nversion = \"0.1.0\"", "\nversion = \"0.2.0\"");
    draft.edit("Cargo.toml", "plugin-api\", version = \"0.1.0\"", "plugin-api\", version = \"0.2.0\"");
    let abi =
        |file: &str, from: &str, to: &str| draft.edit(&format!("plugin-api/abi/src/{file}.rs"), from, to);
    abi("root", "major: 1, minor: 1", "major: 1, minor: 2");
    abi("entry", "    build: Build,\n", "    build: Build,\n    later: Str,\n");
    let made = "items, build };\n    // SAFETY";
    abi("entry", made, "items, build, later: Str::EMPTY };\n    // SAFETY");
    for (file, name) in [
        ("algorithm", "AlgorithmTable"),
        ("algorithm", "RawText"),
        ("counter", "CounterTable"),
        ("counter", "RawAccess"),
        ("counter", "RawRecipe"),
        ("counter", "RawEvent"),
        ("counter", "OpenRequest"),
        ("counter", "EventSink"),
        ("metric", "MetricTable"),
        ("statistic", "StatisticTable"),
        ("statistic", "NumberSink"),
        ("merger", "MergerTable"),
        ("merger", "MergeRequest"),
        ("merger", "MergeSink"),
        ("corpus", "CorpusTable"),
        ("corpus", "RawRequest"),
        ("self_test", "RawCheck"),
        ("self_test", "CheckSink"),
        ("text", "TextSink"),
    ] {
        let later = "    /// Later.\n    pub later: Option<unsafe extern \"C\" fn()>,\n";
        let end = format!("}}\n\ngrowing!({name}, ");
        abi(file, &end, &format!("{later}{end}"));
    }
    // A need that is a field has a bit, too.
    let end = "}\n\ngrowing!(RawNeeds, ";
    abi("algorithm", end, &format!("    /// Later.\n    pub later: u64,\n{end}"));
    let nothing = "        alignment: 1,\n        flags: 0,\n";
    abi("algorithm", nothing, &format!("{nothing}        later: 0,\n"));
    abi("algorithm", "KNOWN: u64 = 15;", "KNOWN: u64 = 31;\n    /// Later.\n    pub const LATER: u64 = 16;");
    // A count is longer, too: the stride says by how much.
    let end = "}\n\nimpl EventCount {";
    abi("counter", end, &format!("    /// Later.\n    pub later: u64,\n{end}"));
    abi("counter", "running: 1, flags: 0 }", "running: 1, flags: 0, later: 7 }");
    abi("counter", "flags: EventCount::MISSING }", "flags: EventCount::MISSING, later: 7 }");
    let known = "            (Kind::CORPUS, Item::Corpus(corpus))";
    let new_kind = "            (Kind(7), Item::Metric(metric)) => items.push(metric::export(metric)),\n";
    draft.edit("plugin-api/src/export/library.rs", known, &format!("{new_kind}{known}"));
}

/// An algorithm of the library has the new need: that of a sample of 7 bytes stands for it.
fn add_a_needy_algorithm(draft: &Draft) {
    let flags = "            flags: if own.writes_slack { RawNeeds::WRITES_SLACK } else { 0 },\n";
    let later = "            flags: if own.sample == 7 { RawNeeds::LATER } else { 0 },\n            later: own.sample as u64,\n";
    draft.edit("plugin-api/src/export/algorithm.rs", flags, later);
    let needy = "
mod needy {
    use super::*;
    #[derive(Default)]
    struct Needy;
    impl Algorithm for Needy {
        const ABOUT: About = About { id: \"needy\", ..About::UNKNOWN };
        const NEEDS: Needs = Needs { sample: 7, ..Needs::NOTHING };
        fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
            First.search(pattern, text, found, probe);
        }
    }
    register!(algorithm Needy);
}
";
    let twins = "register!(twins Too);\n";
    draft.edit("plugin/src/lib.rs", twins, &format!("{twins}{needy}"));
}
