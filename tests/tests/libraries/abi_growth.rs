//! The ABI grows as promised: a library of the first ABI works in the host of the day; and of a simulated future, with a
//! field more in every table, a kind more, another minor number and other versions of the crates, libraries work in today's
//! host and its host with today's libraries.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use assay_tests::{Ran, assay, fixture, foreign_workspace, isolate, repository, run, scratch};
use tempfile::TempDir;

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
    fs::read_dir(out).unwrap().next().expect("a saved run").unwrap().path()
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

#[test]
fn a_library_of_the_first_abi_works() {
    let manifest = repository().join("tests/fixtures/first_abi/Cargo.toml");
    let library = foreign_workspace(&manifest, &["--locked"]).join("debug/libevery_kind.so");
    every_kind_works(&library, assay);
}

#[test]
fn a_library_of_the_future_works() {
    let workspace = scratch().join("future-library");
    for part in ["plugin", "Cargo.toml", "Cargo.lock"] {
        copy(&repository().join("tests/fixtures/first_abi").join(part), &workspace.join(part));
    }
    copy(&repository().join("plugin-api"), &workspace.join("plugin-api"));
    grow(&workspace);
    add_a_needy_algorithm(&workspace);
    // The library of the first ABI is built at the same time, in the same place.
    edit(&workspace.join("plugin/Cargo.toml"), "[lib]\n", "[lib]\nname = \"every_later_kind\"\n");
    let library =
        foreign_workspace(&workspace.join("Cargo.toml"), &["--offline"]).join("debug/libevery_later_kind.so");
    let told = run(assay().args(["plugins", "info"]).arg(&library)).stdout;
    assert!(told.contains("1.1"), "{told}");
    every_kind_works(&library, assay);
    a_need_that_nobody_knew_is_refused(&library);
}

/// The field of the need is dropped, the bit that goes with it is not.
fn a_need_that_nobody_knew_is_refused(library: &Path) {
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
    let workspace = scratch().join("future-host");
    for part in ["host", "plugin-api", "Cargo.toml", "Cargo.lock"] {
        copy(&repository().join(part), &workspace.join(part));
    }
    grow(&workspace);
    let members =
        r#"members = ["host", "plugin-api", "plugin-api/abi", "plugins/*", "stat-plugins/*", "tests"]"#;
    edit(&workspace.join("Cargo.toml"), members, r#"members = ["host", "plugin-api", "plugin-api/abi"]"#);
    // Whether it is quick does not matter here.
    edit(
        &workspace.join("Cargo.toml"),
        "opt-level = 1\ndebug = \"line-tables-only\"",
        "opt-level = 0\ndebug = 0",
    );
    // It asks for the new kind, too.
    let asks = "            Catalogue {";
    let asks_more =
        "            assert!(items(Kind(7)).items().is_empty(), \"an old library has a new kind\");\n";
    edit(&workspace.join("host/src/plugin/catalogue.rs"), asks, &format!("{asks_more}{asks}"));
    let built = foreign_workspace(&workspace.join("Cargo.toml"), &["--offline"]).join("debug/assay");
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
    let manifest = repository().join("tests/fixtures/first_abi/Cargo.toml");
    let first = foreign_workspace(&manifest, &["--locked"]).join("debug/libevery_kind.so");
    every_kind_works(&first, host);

    let folder = folder_with(&fixture("foreign_plugin"));
    let told = works(&mut host(), &folder, &["list", "--format", "csv"]).stdout;
    assert!(told.contains("\nalgorithm,notsonaive,"), "{told}");
}

/// Makes the ABI of a workspace the next one.
fn grow(workspace: &Path) {
    let abi = workspace.join("plugin-api/abi");
    edit(&abi.join("Cargo.toml"), "version = \"1.0.0\"", "version = \"1.1.0\"");
    edit(&workspace.join("Cargo.toml"), "abi\", version = \"1.0.0\"", "abi\", version = \"1.1.0\"");
    edit(&workspace.join("Cargo.toml"), "\nversion = \"0.1.0\"", "\nversion = \"0.2.0\"");
    edit(
        &workspace.join("Cargo.toml"),
        "plugin-api\", version = \"0.1.0\"",
        "plugin-api\", version = \"0.2.0\"",
    );
    let src = abi.join("src");
    edit(&src.join("root.rs"), "major: 1, minor: 0", "major: 1, minor: 1");
    let build = "    build: Build,\n";
    edit(&src.join("entry.rs"), build, &format!("{build}    later: Str,\n"));
    edit(
        &src.join("entry.rs"),
        "items, build };\n    // SAFETY",
        "items, build, later: Str::EMPTY };\n    // SAFETY",
    );
    for (file, name) in [
        ("algorithm", "AlgorithmTable"),
        ("algorithm", "RawText"),
        ("counter", "CounterTable"),
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
        ("text", "TextSink"),
    ] {
        let later = "    /// Later.\n    pub later: Option<unsafe extern \"C\" fn()>,\n";
        let end = format!("}}\n\ngrowing!({name}, ");
        edit(&src.join(file).with_extension("rs"), &end, &format!("{later}{end}"));
    }
    // A need that is a field has a bit, too.
    let algorithm = src.join("algorithm.rs");
    edit(
        &algorithm,
        "}\n\ngrowing!(RawNeeds, ",
        "    /// Later.\n    pub later: u64,\n}\n\ngrowing!(RawNeeds, ",
    );
    edit(
        &algorithm,
        "        alignment: 1,\n        flags: 0,\n",
        "        alignment: 1,\n        flags: 0,\n        later: 0,\n",
    );
    edit(&algorithm, "KNOWN: u64 = 15;", "KNOWN: u64 = 31;\n    /// Later.\n    pub const LATER: u64 = 16;");
    // What is counted is longer, too: the stride tells.
    let counter = src.join("counter.rs");
    let end = "}\n\nimpl EventCount {";
    edit(&counter, end, &format!("    /// Later.\n    pub later: u64,\n{end}"));
    edit(&counter, "running: 1, flags: 0 }", "running: 1, flags: 0, later: 7 }");
    edit(&counter, "flags: EventCount::MISSING }", "flags: EventCount::MISSING, later: 7 }");
    let known = "            (Kind::CORPUS, Item::Corpus(corpus))";
    let new_kind = "            (Kind(7), Item::Metric(metric)) => items.push(metric::export(metric)),\n";
    edit(&workspace.join("plugin-api/src/export/library.rs"), known, &format!("{new_kind}{known}"));
}

/// An algorithm of the library has the new need: that of a sample of 7 bytes stands for it.
fn add_a_needy_algorithm(workspace: &Path) {
    let flags = "            flags: if own.writes_slack { RawNeeds::WRITES_SLACK } else { 0 },\n";
    let later = "            flags: if own.sample == 7 { RawNeeds::LATER } else { 0 },\n            later: own.sample as u64,\n";
    edit(&workspace.join("plugin-api/src/export/algorithm.rs"), flags, later);
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
    edit(
        &workspace.join("plugin/src/lib.rs"),
        "register!(twins Too);\n",
        &format!("register!(twins Too);\n{needy}"),
    );
}

/// Replaces a text that must be there once.
fn edit(file: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let times = text.matches(from).count();
    assert_eq!(times, 1, "{from:?} stands {times} times in {}: adapt the simulated future", file.display());
    fs::write(file, text.replace(from, to)).unwrap();
}

/// Copies a file or a folder, except what is built.
fn copy(from: &Path, to: &Path) {
    if !from.is_dir() {
        fs::create_dir_all(to.parent().expect("it lies in a folder")).unwrap();
        fs::copy(from, to).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
        return;
    }
    for entry in fs::read_dir(from).unwrap() {
        let path: PathBuf = entry.unwrap().path();
        let name = path.file_name().expect("an entry has a name");
        if name != "target" {
            copy(&path, &to.join(name));
        }
    }
}
