//! `assay atlas`: a site of saved runs, complete and safe, in a browser without errors.

use std::fs;
use std::path::{Path, PathBuf};

use assay_tests::{Ran, assay, fixture, run};

use crate::page::browser;

/// Measures with words into a folder of results.
fn measured(out: &Path, words: &str) -> PathBuf {
    let ran = run(assay().arg("run").args(words.split(' ')).arg("--out").arg(out));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let mut saved: Vec<PathBuf> = fs::read_dir(out).unwrap().map(|entry| entry.unwrap().path()).collect();
    saved.sort();
    saved.pop().unwrap()
}

const TIMED: &str =
    "bf hor bndm --text-size 64KiB --plen 4,16 --runs 12 --rounds 6 --seed 1 --time-limit 60000";
const COUNTED: &str =
    "bf hor --text-size 64KiB --plen 4,16 --runs 2 --seed 1 --stats algo --time-limit 60000";

fn atlas(runs: &[&Path], site: &Path) -> Ran {
    run(assay().arg("atlas").args(runs).arg("--out").arg(site))
}

/// All files below a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

/// What an attribute of a page holds, each time that it is there.
fn values<'a>(page: &'a str, attribute: &str) -> Vec<&'a str> {
    let parts = page.split(&format!(" {attribute}=\"")).skip(1).collect::<Vec<_>>();
    parts.into_iter().map(|part| part.split('"').next().unwrap()).collect()
}

/// Every page of a site is in a browser without an error, and its links and scripts lead to files of the site.
#[test]
fn a_site_is_whole_and_each_main_page_works_in_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let [timed, counted] = [(TIMED, "timed"), (COUNTED, "counted")]
        .map(|(words, name)| measured(&folder.path().join(name), words));
    let site = folder.path().join("site");
    let made = atlas(&[&timed, &counted], &site);
    assert_eq!(made.code, Some(0), "{}", made.stderr);

    let mut found = Vec::new();
    files(&site, &mut found);
    let size: u64 = found.iter().map(|file| file.metadata().unwrap().len()).sum();
    assert!(size < 25 << 20, "{size} bytes");
    for page in found.iter().filter(|file| file.extension().is_some_and(|ending| ending == "html")) {
        let content = fs::read_to_string(page).unwrap();
        for address in values(&content, "href").into_iter().chain(values(&content, "src")) {
            let is_elsewhere = address.contains(':') || address.starts_with('#');
            let file = page.parent().unwrap().join(address.split(['?', '#']).next().unwrap());
            assert!(is_elsewhere || file.is_file(), "{}: {address}", page.display());
        }
    }
    let read = |name: &str| fs::read_to_string(site.join(name)).unwrap();
    let hor = read("algorithm/hor.html");
    for part in ["10.1002/spe.4380100608", ">bm</a>", "next slower", "<svg", "attempt 1, window at 0"] {
        assert!(hor.contains(part), "{part}");
    }
    assert!(read("algorithm/kmp.html").contains("was not measured"), "it has a page nevertheless");
    assert!(read("figures.csv").lines().count() > 18 && read("references.bib").contains("@article"));

    for (name, shown) in [
        ("index.html", "bndm"),
        ("choose.html", "Which one for me?"),
        ("map.html", "until 1990"),
        ("timeline.html", "Family tree"),
        ("compare.html?a=hor&b=bf", "hor and bf, compared"),
        ("trace.html?a=hor&b=bf", "Horspool and Brute Force, step by step"),
        ("algorithm/hor.html", "Step by step"),
    ] {
        let Some(mut browser) = browser() else { return };
        browser.arg(format!("--user-data-dir={}", folder.path().join("browser").display()));
        browser.arg(format!("file://{}/{name}", site.display()));
        let output = browser.output().unwrap();
        let [page, log] =
            [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        assert!(!log.contains(":CONSOLE"), "{name}: the console is not empty: {log}");
        assert!(page.contains(shown), "{name}: {page}");
    }
}

/// The fixture has twins that crash, hang and report what did not happen.
#[test]
fn a_twin_that_does_wrong_costs_its_own_trace_only() {
    let folder = tempfile::tempdir().unwrap();
    let libraries = folder.path().join("libraries");
    fs::create_dir(&libraries).unwrap();
    fs::copy(fixture("faulty_twins"), libraries.join("libfaulty_twins.so")).unwrap();
    let words = "bf hor --text-size 16KiB --plen 4 --runs 3 --time-limit 60000";
    let (timed, site) = (measured(&folder.path().join("timed"), words), folder.path().join("site"));
    let mut command = assay();
    command.arg("atlas").arg(&timed).arg("--out").arg(&site).arg("--plugin-dir").arg(&libraries);
    let made = run(command.env("ASSAY_PATIENCE_MS", "10000"));
    assert_eq!(made.code, Some(1), "{}", made.stderr);
    for (id, said) in [
        ("crashes-watched", "Its twin crashes the process (SIGSEGV"),
        ("hangs-watched", "Its twin hangs: no answer within 10 s"),
        ("lies-watched", "This trace is wrong: it counts 2 occurrences, and the text has 1"),
    ] {
        let page = fs::read_to_string(site.join(format!("algorithm/{id}.html"))).unwrap();
        assert!(page.contains(said) && page.contains("attempt 1, window at"), "{id}: {page}");
        assert!(
            made.stderr.contains(&format!("the trace of `{id}` is not in order: {said}")),
            "{}",
            made.stderr
        );
    }
    let hor = fs::read_to_string(site.join("algorithm/hor.html")).unwrap();
    assert!(hor.contains("attempt 1, window at 0") && !hor.contains("class=\"notice\""), "{hor}");
}

#[test]
fn what_makes_no_atlas_is_refused_and_nothing_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let [timed, counted] = [
        ("bf hor --text-size 16KiB --plen 4 --runs 3 --time-limit 60000", "timed"),
        ("bf hor --text-size 16KiB --plen 4 --runs 1 --stats algo --time-limit 60000", "counted"),
    ]
    .map(|(words, name)| measured(&folder.path().join(name), words));
    let site = folder.path().join("site");
    fs::create_dir(&site).unwrap();
    fs::write(site.join("index.html"), "mine").unwrap();
    for (ran, message) in [
        (atlas(&[], &folder.path().join("new")), "<RESULT>..."),
        (atlas(&[&counted], &folder.path().join("new")), "needs times, and there are only counts"),
        (atlas(&[&timed], &site), "is there, and is no atlas"),
    ] {
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    }
    assert_eq!(fs::read_to_string(site.join("index.html")).unwrap(), "mine");
    assert!(!folder.path().join("new").exists());
}
