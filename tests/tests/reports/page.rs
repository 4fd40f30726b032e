//! `report.html` in a browser: it draws, what is clicked does what it says, nothing fails, and it fits on
//! phones and paper.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use assay_tests::{assay, run, skip};
use serde_json::Value;

/// Gathers what goes wrong, from the first line of the page on.
const CATCH: &str = "<script>window.faults = []; \
    addEventListener('error', event => faults.push(event.message)); \
    addEventListener('unhandledrejection', event => faults.push(String(event.reason))); \
    console.error = console.warn = (...words) => faults.push(words.join(' '));</script>";

/// Keeps what stands in the table before the page's script draws it.
const KEEP: &str =
    "<script>before = document.querySelector('#table tbody').textContent.replace(/\\s/g, '');</script>";

/// What waits for the page's message. The inner page is as wide as is asked for, which windows can't be.
const FRAME: &str = "<!DOCTYPE html><body><pre id=told></pre><script>\
    addEventListener('message', event => { told.textContent = event.data; });</script>\
    <iframe src=page.html height=1000 width=";

/// A browser, if there is one.
pub(crate) fn browser() -> Option<Command> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let answers = |name: &&&str| {
        let asked = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        asked.is_ok_and(|status| status.success())
    };
    let found = names.iter().find(answers);
    if found.is_none() {
        skip("chromium is not installed");
    }
    let mut command = Command::new(found?);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr"]);
    command.args(["--virtual-time-budget=20000", "--allow-file-access-from-files", "--dump-dom"]);
    Some(command)
}

/// The page of a run with these words.
fn page_of(folder: &Path, words: &str) -> String {
    // A machine that is busy with other tests is slow, which is no affair of these.
    let mut command = assay();
    command.args(words.split(' ')).args(["--time-limit", "60000", "--out"]).arg(folder.join("out"));
    let ran = run(&mut command);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let mut saved = fs::read_dir(folder.join("out")).unwrap();
    let place: PathBuf = saved.next().unwrap().unwrap().path();
    fs::read_to_string(place.join("report.html")).unwrap()
}

/// What a page tells that is so many pixels wide, and is read and clicked; nothing may fail.
fn driven(mut browser: Command, folder: &Path, page: &str, width: u32) -> Value {
    let page = page.replacen("<head>", &format!("<head>{CATCH}"), 1);
    let page = page.replacen("<script type=", &format!("{KEEP}<script type="), 1);
    let (before, after) = page.rsplit_once("</body>").unwrap();
    let page = format!("{before}<script>{}</script></body>{after}", include_str!("page/drive.js"));
    fs::write(folder.join("page.html"), page).unwrap();
    fs::write(folder.join("frame.html"), format!("{FRAME}{width}></iframe></body>")).unwrap();
    browser.arg(format!("--user-data-dir={}", folder.join("browser").display()));
    browser.arg(format!("file://{}", folder.join("frame.html").display()));
    let output = browser.output().unwrap();
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(!stderr.contains(":CONSOLE"), "the console is not empty: {stderr}");
    let told = stdout.split("<pre id=\"told\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    let told = told.unwrap_or_else(|| panic!("{stdout}{stderr}"));
    let told = told.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let told: Value =
        serde_json::from_str(&told).unwrap_or_else(|error| panic!("{error}: `{told}` {stderr}"));
    assert_eq!(told["faults"], Value::Array(Vec::new()));
    assert_eq!(told["before"], told["after"], "the script begins with what stands there without it");
    assert_eq!(told["width"], width);
    assert!(told["wide"].as_u64().unwrap() <= u64::from(width), "{} pixels on {width}", told["wide"]);
    for fault in ["cut", "overlapping"] {
        assert_eq!(told[fault], Value::Array(Vec::new()), "words of the chart on {width} pixels: {fault}");
    }
    told
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

fn number(text: &str) -> f64 {
    text.trim_end_matches(['+', '~', '?']).replace(',', "").parse().unwrap_or_else(|_| panic!("{text}"))
}

fn numbers(row: &Value) -> Vec<f64> {
    strings(row).into_iter().map(number).collect()
}

/// In the order of their names.
const ALGORITHMS: [&str; 4] = ["bf", "bndm", "hor", "kmp"];
const TIMED: &str = "run bf hor bndm kmp --plen 4,8,16,64 --runs 12 --rounds 6 --seed 1";

#[test]
fn clicks_do_what_they_say() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let told = driven(browser, folder.path(), &page_of(folder.path(), TIMED), 1280);

    let first = &told["first"];
    let sorted = |names: &Value| -> Vec<String> {
        let mut names: Vec<String> = strings(names).into_iter().map(str::to_owned).collect();
        names.sort();
        names
    };
    assert_eq!(
        (sorted(&first["names"]), &first["lines"]),
        (ALGORITHMS.map(str::to_owned).to_vec(), &4.into())
    );
    assert_eq!(first["names"], told["listed_order"], "the table is in the order of the ranks");
    assert_eq!(first["heading"], "Search time  in µs");
    assert_eq!((&told["joined"], &told["log_x"]), (&true.into(), &true.into()));
    assert!(told["best"].as_u64().unwrap() >= 4, "each length has a best one");
    assert_eq!(strings(&told["ranks"])[0], "1");
    assert_eq!(told["columns"], serde_json::json!(["algorithm", "4", "8", "16", "64"]));

    assert_eq!(
        (sorted(&told["without_first"]["names"]), &told["without_first"]["lines"]),
        (ALGORITHMS[1..].iter().map(|&id| id.to_owned()).collect(), &3.into())
    );
    assert_eq!((&told["none"]["lines"], &told["none"]["said"]), (&0.into(), &"nothing is shown".into()));
    assert_eq!(told["again"], *first);

    assert!(!strings(&told["log_ticks"]).contains(&"0") && strings(&told["linear_ticks"]).contains(&"0"));
    let bf = strings(&first["names"]).iter().position(|id| *id == "bf").unwrap();
    let (medians, least) = (numbers(&first["figures"][bf]), numbers(&told["least"]["figures"][bf]));
    assert!(medians.iter().zip(&least).all(|(median, least)| least <= median), "{medians:?} {least:?}");
    let throughput = &told["throughput"];
    assert_eq!(throughput["heading"], "Throughput  in GB/s");
    for (time, rate) in medians.iter().zip(numbers(&throughput["figures"][bf])) {
        let expected = 54_675.0 / (1000.0 * time);
        assert!((rate / expected - 1.0).abs() < 0.02, "{time} µs: {rate} GB/s");
    }
    assert_eq!(strings(&told["range"]), ["algorithm", "8", "16"]);

    let [up, down] = ["up", "down"].map(|way| numbers(&told[way]["figures"]));
    assert!(up.is_sorted() && down.iter().rev().is_sorted(), "{up:?} {down:?}");
    assert_eq!(
        (strings(&told["up"]["sorted"]), strings(&told["down"]["sorted"])),
        (vec!["8 ▲"], vec!["8 ▼"])
    );
    assert_eq!((&told["back"]["names"], &told["focus"]), (&first["names"], &"1".into()));

    let [ascending, descending, by_rank] = [0, 1, 2].map(|click| strings(&told["list_by_name"][click]));
    assert!(ascending.is_sorted() && descending.iter().rev().is_sorted(), "{ascending:?} {descending:?}");
    assert_eq!(by_rank, strings(&told["listed_order"]), "a third click restores the order of the ranks");
    for table in ["list_by_mean", "starts_by_load"] {
        let [up, down] = [0, 1].map(|click| numbers(&told[table][click]));
        assert!(up.len() == 4 && up.is_sorted() && down.iter().rev().is_sorted(), "{table}: {up:?} {down:?}");
    }

    assert_eq!((strings(&told["filtered"]["names"]), &told["filtered"]["lines"]), (vec!["bndm"], &1.into()));
    let [csv, markdown, latex] = strings(&told["copied"])[..] else { panic!("{}", told["copied"]) };
    assert!(csv.starts_with("algorithm,4,8,16,64\nbndm,") && csv.lines().count() == 2, "{csv}");
    assert!(
        markdown.starts_with("| algorithm | 4 | 8 | 16 | 64 |\n| --- | ---: |")
            && markdown.contains("seed 1")
    );
    assert!(
        latex.contains("\\toprule\nalgorithm & 4 & 8 & 16 & 64 \\\\")
            && latex.contains("in \\textmu{}s (median)")
    );
    assert_eq!(told["said"], "copied: 1 row");
    let [table, all] = strings(&told["downloaded"])[..] else { panic!("{}", told["downloaded"]) };
    assert_eq!(table, csv);
    // Each algorithm and length of each quantity, whatever the filter is.
    let of_times = all.lines().filter(|line| line.contains(",search time,µs,")).count();
    assert!(all.starts_with("algorithm,pattern length,quantity,unit,median,") && of_times == 16, "{all}");
    assert_eq!(told["address"], "#filter=bn");
    let linked = &told["linked"];
    assert_eq!((&linked["statistic"], &linked["filter"]), (&"min".into(), &"b".into()));
    assert_eq!(
        (sorted(&linked["names"]), strings(&linked["columns"])),
        (vec!["bf".to_owned(), "bndm".to_owned()], vec!["algorithm", "4 ▲", "8", "16"],)
    );

    let tip = told["tip"].as_str().unwrap();
    assert!(tip.starts_with("bf, patterns of 4 bytesmedian ") && tip.contains("95 % interval"), "{tip}");
    assert_eq!(
        (sorted(&told["listed"]), &told["live"]),
        (ALGORITHMS.map(str::to_owned).to_vec(), &"status".into())
    );
    assert!(told["guide"].as_str().unwrap().starts_with('M'), "a line shows which points are listed");
    assert_eq!((&told["weak"], &told["escaped"]), (&true.into(), &true.into()));
    assert!(
        told["along"].as_str().unwrap().starts_with("bf, patterns of 8 bytes"),
        "arrows go along a line: {}",
        told["along"]
    );
    // The first row is of the best algorithm.
    let best = strings(&first["names"])[0];
    for (name, length) in [("cell", 4), ("next", 8)] {
        let said = told[name].as_str().unwrap();
        assert!(said.starts_with(&format!("{best}, patterns of {length} bytes: median ")), "{said}");
    }
    assert_eq!(told["second"]["heading"], "Preparation time  in µs");
}

/// Texts with such names in a folder, as a range names them.
fn texts(folder: &Path, names: &[String]) -> String {
    let text: Vec<u8> = (0..4096u32).map(|i| b'a' + (i * i % 7) as u8).collect();
    let file = |name: &String| {
        fs::write(folder.join(name), &text).unwrap();
        folder.join(name).display().to_string()
    };
    names.iter().map(file).collect::<Vec<_>>().join(",")
}

#[test]
fn each_search_of_a_repetition_can_be_shown_by_the_name_of_its_column() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let words = "run bf hor bndm --plen 4,8,16 --searches 2 --runs 12 --rounds 6 --seed 1";
    let page = page_of(folder.path(), words);
    let told = driven(browser, folder.path(), &page, 1280);
    let offered = strings(&told["quantities"]);
    for call in ["search1_ns in ns", "search2_ns in ns"] {
        assert!(offered.contains(&call), "{call} in {offered:?}");
        assert!(strings(&told["multiples"]).contains(&call), "{call} is drawn");
    }
}

#[test]
fn texts_stand_beside_each_other_with_their_names_and_no_line_joins_them() {
    let folder = tempfile::tempdir().unwrap();
    let names: Vec<String> = (1..=12).map(|i| format!("collection-of-texts-in-english-{i}.txt")).collect();
    let texts = texts(folder.path(), &names);
    let words = format!("run bf hor bndm --plen 8 --range text={texts} --runs 12 --rounds 6 --seed 1");
    let page = page_of(folder.path(), &words);
    assert!(page.contains("<h1>Timed run of 3 algorithms on 12 texts</h1>"));
    for width in [400, 1280] {
        let Some(browser) = browser() else { return };
        let told = driven(browser, folder.path(), &page, width);
        assert_eq!((&told["first"]["lines"], &told["joined"]), (&3.into(), &false.into()));
        assert_eq!(told["log_x"], false, "texts lie on no axis");
        let whole = strings(&told["titles"]);
        assert!(whole.iter().all(|name| texts.split(',').any(|text| text == *name)), "{whole:?}");
        let places: Vec<f64> =
            told["aslant"].as_array().unwrap().iter().map(|place| place.as_f64().unwrap()).collect();
        assert!(places.len() == whole.len() && places.len() >= 6, "{places:?}");
        // Letters are 12 pixels high, and stand 40 degrees aslant.
        let apart = places.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
        assert!(apart * 40f64.to_radians().sin() >= 12.0, "{apart}");
        let first = texts.split(',').next().unwrap();
        let tip = told["tip"].as_str().unwrap();
        assert!(tip.starts_with(&format!("bf, text {first}median ")), "{tip}");
        let along = told["along"].as_str().unwrap();
        assert!(along.starts_with(&format!("bf, text {}", texts.split(',').nth(1).unwrap())), "{along}");
        assert_eq!(strings(&told["range"]).len(), 3, "two of the texts were chosen");
    }
}

#[test]
fn sizes_of_texts_have_room_on_a_phone_and_caches_are_marked() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let words = "run bf hor --plen 8 --rand 4 --range text-size=4KiB..1MiB --runs 4 --rounds 2 --seed 1";
    let page = page_of(folder.path(), words);
    let told = driven(browser, folder.path(), &page, 400);
    let marks = strings(&told["log_ticks"]).into_iter().filter(|words| words.starts_with('L')).count();
    assert_eq!(told["marks"], marks, "each mark has its name");
}

#[test]
fn an_instrumented_run_begins_with_the_text_read_and_has_a_drawing_of_each_count() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let page =
        page_of(folder.path(), "run bf hor bndm --stats algo --plen 4,8,16 --runs 12 --rounds 6 --seed 1");
    // A phone.
    let told = driven(browser, folder.path(), &page, 400);
    assert_eq!((&told["first"]["heading"], &told["first"]["lines"]), (&"Text read  in %".into(), &3.into()));
    let multiples = strings(&told["multiples"]);
    assert!(multiples.starts_with(&["text read in %", "average jump in bytes"]), "{multiples:?}");
    assert!(multiples.contains(&"verifications") && !multiples.contains(&"lookup entries2"), "{multiples:?}");
    assert_eq!(
        (&told["explained"], &told["second"]["heading"]),
        (&true.into(), &"Average jump  in bytes".into())
    );
    assert_eq!(told["throughput"], Value::Null, "times of counting are none of the algorithms");
}

#[test]
fn a_table_of_thirteen_algorithms_and_twelve_lengths_fits_on_a_sheet() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let words = "run bf bm hor qs kmp so bndm tunedbm raita kr sa bndmq4 ebom --plen 2 4096 --runs 6 --rounds 6 --seed 1";
    let page = page_of(folder.path(), words);
    // A4 within margins of 1 cm, at 96 pixels an inch; chromium lays out for paper only what it prints.
    let (width, height) = (718, 1046.0);
    let on_paper = page.replace("@media print", "@media screen");
    let told = driven(browser, folder.path(), &on_paper, width);
    let (columns, names) = (strings(&told["columns"]).len(), strings(&told["first"]["names"]).len());
    assert_eq!((columns, names), (13, 13));
    let size = |side: &str| told["table"][side].as_f64().unwrap();
    assert!(size("width") <= f64::from(width) && size("height") <= height, "{}", told["table"]);
}
