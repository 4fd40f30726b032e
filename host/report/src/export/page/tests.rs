//! Tests of pages of made-up runs. `tests/tests/reports/page.rs` tests their scripts in a browser.

use assay_base::columns::Call;
use assay_base::columns::PerCall;
use assay_experiment::definition::Stats;
use assay_stats::Summary;
use assay_store::range::CallFacts;
use assay_store::rank::Rank;
use assay_store::testing;
use assay_store::{CellResult, Figures, OverallResult, Status};

use super::*;

fn run(stats: Stats, results: Vec<CellResult>) -> Run {
    let mut run = testing::run();
    run.results = results;
    run.experiment.id = "20261122-224116-d4cf".to_owned();
    run.experiment.stats = stats;
    run.experiment.text.sources = vec!["english \"texts\"".to_owned()];
    run.experiment.counters[0].name = "tsc:cycles".to_owned();
    run.experiment.counters[0].unit = "ticks".to_owned();
    run.experiment.counters[0].semantics = assay_plugin_api::Semantics::Counter;
    run
}

fn timed(algorithm: &str, pattern_length: usize, search: f64) -> CellResult {
    let example = testing::cell();
    CellResult {
        algorithm: algorithm.to_owned(),
        pattern_length,
        search_ns: Summary::new(&[search]),
        ..example
    }
}

fn figures(figures: &[(&str, f64)]) -> Figures {
    figures.iter().map(|(name, value)| ((*name).to_owned(), Summary::new(&[*value]))).collect()
}

/// The text of the last element that begins like this, without tags.
fn words(page: &str, start: &str, end: &str) -> String {
    let inside = page.rsplit(start).next().unwrap().split(end).next().unwrap();
    let tags = regex::Regex::new("<[^>]*>").unwrap();
    tags.replace_all(inside, " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The rows of the table, without tags.
fn table(page: &str) -> Vec<String> {
    let table = page.split("id=\"table\"").nth(1).unwrap().split("</table>").next().unwrap();
    let rows = table.split("<tbody>").nth(1).unwrap().split("</tr>");
    let rows: Vec<String> = rows.map(|row| words(row, "<tr>", "</tr>")).collect();
    rows.into_iter().filter(|row| !row.is_empty() && row != "</tbody>").collect()
}

/// The data of the script.
fn data(page: &str) -> serde_json::Value {
    let json = page.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
    serde_json::from_str(json).unwrap()
}

/// The names of the quantities that the script offers.
fn names(page: &str) -> Vec<String> {
    let quantities = data(page)["quantities"].as_array().unwrap().clone();
    quantities.iter().map(|quantity| quantity["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn times_are_shown_by_algorithm_and_length_with_the_best_marked() {
    let crashed = CellResult {
        status: Status::Crashed,
        message: Some("<signal> 11".to_owned()),
        search_ns: None,
        ..timed("kr", 4, 0.0)
    };
    let mut slower = timed("kr", 8, 5e6);
    let standing = slower.ranks.search_ns.standing.as_mut().unwrap();
    (standing.rank, standing.to_best.ratio) = (2, 2.0);
    let mut short = timed("so", 4, 300.0);
    short.ranks.search_ns = Rank { below_floor: true, ..Rank::default() };
    let results =
        vec![timed("hor", 8, 2.5e6), timed("hor", 4, 3.1e6), slower, crashed, timed("so", 8, 2.5e6), short];
    let mut run = run(Stats::Perf, results);
    run.experiment.noise.floor_ns = Some(43.0);
    let page = page(&run);
    assert_eq!(
        table(&page),
        ["hor 3,100.000+ 2,500.000+", "kr crashed 5,000.000 × 2.00", "so 0.300~ 2,500.000+"]
    );
    for line in [
        "+ best, or not known to be slower",
        "~ less than ten empty calls (of 43 ns each)",
        "× times as long as the best takes",
    ] {
        assert!(words(&page, "id=\"legend\">", "</div>").contains(line), "{line}");
    }
    let failed = page.find("<b>kr, pattern length 4: crashed</b>: &lt;signal&gt; 11").unwrap();
    assert!(failed < page.find("<svg").unwrap(), "failures come before the figures");
    let search = &data(&page)["quantities"][0];
    assert_eq!(
        search["cells"][1][1],
        serde_json::json!({"s": [5000, 5000, 5000, 5000, 0], "r": [2, 2, 0.99, 1.01]})
    );
    assert_eq!(search["cells"][1][0], serde_json::Value::Null);
    assert_eq!(data(&page)["absent"][1][0], "crashed");
}

#[test]
fn the_page_begins_with_its_subject_and_machine() {
    let mut run = run(Stats::Perf, vec![timed("hor", 4, 3.1e6), timed("hor", 8, 2.5e6)]);
    run.experiment.machine.cpu = Some("A CPU".to_owned());
    let caption =
        "(1,000 bytes), patterns of 4 to 8 bytes, 500 repetitions of each; A CPU, on 22 November 2026";
    let definition = run.experiment.definition.as_mut().unwrap();
    definition.description = "Is <it> fast?".to_owned();
    let described = page(&run);
    assert_eq!(words(&described, "<h1>", "</h1>"), "Is &lt;it&gt; fast?");
    let subject = "Timed run of 1 algorithm on english &quot;texts&quot;";
    assert!(described.contains(&format!("<p class=\"faint\">{subject} {caption}</p>")));
    run.experiment.definition.as_mut().unwrap().description.clear();
    let undescribed = page(&run);
    assert_eq!(words(&undescribed, "<h1>", "</h1>"), subject);
    assert!(undescribed.contains("<p class=\"faint\">1,000 bytes of text, patterns of 4"));
}

#[test]
fn intervals_and_coarse_counts_are_marked_in_the_cell() {
    let mut cell = timed("hor", 8, 0.0);
    let rounds = [(0, 90e3), (1, 95e3), (2, 98e3), (3, 102e3), (4, 105e3), (5, 115e3)];
    cell.search_ns = Summary::of_rounds(rounds.to_vec());
    let mut run = run(Stats::Perf, vec![cell]);
    run.experiment.counters[0].grain_ns = 4_000_000;
    let page = page(&run);
    assert_eq!(table(&page), ["hor 100 ± 12.2 %"]);
    assert!(
        words(&page, "id=\"legend\">", "</div>").contains("± half-width of the 95 % confidence interval")
    );
    assert!(page.contains("is wider than ± 10 % for hor. More rounds tell more."));
    let ticks =
        data(&page)["quantities"].as_array().unwrap().iter().find(|q| q["name"] == "tsc:cycles").cloned();
    let ticks = ticks.unwrap();
    assert_eq!((&ticks["cells"][0][0]["mark"], &ticks["unit"]), (&"~".into(), &"ticks".into()));
    assert!(ticks["legend"][0].as_str().unwrap().starts_with("~ tsc:cycles moves every 4 ms"));
}

#[test]
fn where_many_intervals_are_wide_their_number_is_shown() {
    let mut cells = Vec::new();
    for length in 1..=8 {
        let spread = if length == 8 { 0.0 } else { 1e4 };
        let rounds = [-1.0, -0.8, -0.2, 0.2, 0.8, 1.0].map(|at| 1e5 + at * 2.0 * spread);
        let rounds: Vec<(u32, f64)> = (0..).zip(rounds).collect();
        cells.push(CellResult { search_ns: Summary::of_rounds(rounds), ..timed("hor", length, 0.0) });
    }
    let page = page(&run(Stats::Perf, cells));
    assert!(page.contains("for hor at 7 of the 8 pattern lengths. More rounds"));
}

#[test]
fn quantities_that_grow_with_the_text_are_offered_for_each_byte_too() {
    let page = page(&run(Stats::Perf, vec![timed("hor", 8, 2.5e6)]));
    let expected = [
        "search time",
        "preparation time",
        "preparation and search time",
        "tsc:cycles",
        "tsc:cycles of the preparation",
        "throughput",
        "time per byte",
        "tsc:cycles per byte",
    ];
    assert_eq!(names(&page), expected);
    let quantities = data(&page)["quantities"].clone();
    // 1000 bytes in 2500 microseconds.
    assert_eq!(
        (&quantities[5]["of"], &quantities[5]["factor"], &quantities[5]["over"]),
        (&0.into(), &serde_json::json!([1.0]), &true.into())
    );
    assert_eq!((&quantities[6]["of"], &quantities[6]["factor"]), (&0.into(), &serde_json::json!([1.0])));
    assert_eq!((&quantities[7]["of"], &quantities[7]["factor"]), (&3.into(), &serde_json::json!([0.001])));
}

/// The page of a run with this number of searches in a repetition.
fn page_of_searches(count: usize) -> String {
    let calls = (1..=count).map(|i| (format!("search{i}_ns"), Summary::new(&[100.0 * i as f64])));
    let cell = CellResult { calls: calls.collect(), ..timed("hor", 8, 2.5e6) };
    let mut run = run(Stats::Perf, vec![cell]);
    let searches = (1..=count).map(|i| CallFacts {
        name: format!("search{i}"),
        call: Call::Search,
        text: vec![format!("text {i}")],
        bytes: 1000,
    });
    run.experiment.calls = searches.collect();
    page(&run)
}

#[test]
fn single_calls_are_quantities_named_as_their_columns() {
    let two = page_of_searches(2);
    assert_eq!(
        names(&two)[..5],
        ["search time", "preparation time", "preparation and search time", "search1_ns", "search2_ns"]
    );
    let second = &data(&two)["quantities"][4];
    assert_eq!((&second["cells"][0][0]["s"][1], &second["unit"]), (&200.into(), &"ns".into()));
    assert_eq!(second["about"], "One call of each repetition: searching text 2.");
    assert!(!two.contains("Times of single calls"));
    let ten = page_of_searches(10);
    assert_eq!(names(&ten)[3..5], ["search1_ns", "search10_ns"]);
    assert!(!names(&ten).contains(&"search2_ns".to_owned()));
    let head = ten.split("<main>").next().unwrap();
    let command = "assay report 20261122-224116-d4cf --metric search2_ns";
    assert!(
        head.contains("Times of single calls: search1, search10, of 10") && head.contains(command),
        "{head}"
    );
}

#[test]
fn overall_ranks_are_in_order_and_a_failed_algorithm_has_none() {
    let results = ["hor", "bm", "kr"].map(|id| timed(id, 8, 2.5e6));
    let mut run = run(Stats::Perf, results.into());
    for (algorithm, rank, ratio) in [("hor", Some(2), 1.5), ("bm", Some(1), 1.25), ("kr", None, 1.0)] {
        let to_best = assay_stats::significance::Ratio { ratio, low: ratio - 0.1, high: ratio + 0.1 };
        let place = Place { rounds: None, lengths: 2, to_best, rank };
        let places = PerCall { search_ns: Some(place), ..PerCall::default() };
        run.overall.push(OverallResult { algorithm: algorithm.to_owned(), places });
    }
    let page = page(&run);
    let sentence = words(&page, "id=\"overall\">", "</div>");
    assert!(
        sentence.ends_with("1 ■ bm 1.25 1.15 to 1.35 2 ■ hor 1.50 1.40 to 1.60 - ■ kr 1.00 0.90 to 1.10"),
        "{sentence}"
    );
    assert_eq!(data(&page)["quantities"][0]["overall"][0], serde_json::json!([2, [1.5, 1.4, 1.6], 2]));
}

#[test]
fn the_table_begins_in_the_order_of_the_ranks_unless_another_was_asked_for() {
    let mut run = run(Stats::Perf, ["hor", "bm", "kr"].map(|id| timed(id, 8, 2.5e6)).into());
    for (algorithm, rank, ratio) in [("hor", None, 1.0), ("bm", Some(2), 1.25), ("kr", Some(1), 1.1)] {
        let to_best = assay_stats::significance::Ratio { ratio, low: ratio - 0.1, high: ratio + 0.1 };
        let place = Place { rounds: None, lengths: 2, to_best, rank };
        let places = PerCall { search_ns: Some(place), ..PerCall::default() };
        run.overall.push(OverallResult { algorithm: algorithm.to_owned(), places });
    }
    let names = |run: &Run| {
        let page = page(run);
        let names: Vec<String> =
            table(&page).iter().map(|row| row.split(' ').next().unwrap().to_owned()).collect();
        (names.join(" "), data(&page)["ordered"].clone())
    };
    assert_eq!(names(&run), ("kr bm hor".to_owned(), false.into()));
    run.experiment.subset = Some("3 of 3 algorithms: --sort name".to_owned());
    assert_eq!(names(&run), ("hor bm kr".to_owned(), true.into()));
}

#[test]
fn of_many_algorithms_the_script_draws_what_browsers_would_take_long_to_read() {
    for (count, is_many) in [(15, false), (16, true)] {
        let cells = (0..count).map(|i| timed(&format!("a{i}"), 8, 2.5e6)).collect();
        let page = page(&run(Stats::Perf, cells));
        let beginning =
            |id: &str| page.split(&format!("id=\"{id}\"")).nth(1).unwrap().split('>').nth(1).unwrap();
        for id in ["chart", "table"] {
            assert_eq!(beginning(id).contains("<noscript"), is_many, "{id} of {count}");
        }
        assert_eq!(table(&page).len(), count, "readers without scripts have all rows");
    }
}

#[test]
fn several_runs_share_a_page_with_their_ranking() {
    use crate::across::{AcrossAlgorithm, AcrossRuns};
    use crate::agreement::RunsDifferBy;
    use assay_stats::rounds::CommonRounds;
    use assay_stats::significance::{Overall, Ratio, Standing};

    let of_text = |id: &str, ns: f64| run(Stats::Perf, vec![timed("hor", 8, ns), timed(id, 8, ns)]);
    let runs = [of_text("bm", 2.5e6), of_text("<kr>", 5e6)];
    let to_best = Ratio { ratio: 1.25, low: 1.2, high: 1.3 };
    let overall = Overall {
        cells: 2,
        common: CommonRounds::default(),
        to_best: Some(to_best),
        standing: Some(Standing { rank: 1, to_best }),
    };
    let algorithm = |id: &str, of_runs: [Option<Overall>; 2]| AcrossAlgorithm {
        algorithm: id.to_owned(),
        overall,
        of_runs: of_runs.into(),
    };
    let across = AcrossRuns {
        by: RunsDifferBy::Text,
        names: vec!["english".to_owned(), "ge<nome".to_owned()],
        cells: 2,
        floor: 0.01,
        algorithms: vec![algorithm("hor", [Some(overall); 2]), algorithm("<kr>", [None, Some(overall)])],
    };
    let page = page_of_runs(&runs, &across);
    assert_eq!(words(&page, "<h1>", "</h1>"), "2 algorithms on 2 texts: english, ge&lt;nome");
    let names: Vec<serde_json::Value> = (0..2).map(|run| data(&page)["runs"][run]["name"].clone()).collect();
    assert_eq!(names, ["english", "ge<nome"]);
    let second = &data(&page)["runs"][1]["data"];
    assert_eq!(
        (&second["algorithms"][1]["id"], &second["quantities"][0]["cells"][0][0]["s"][1]),
        (&"<kr>".into(), &5000.into(),)
    );
    let colours = |run: usize| data(&page)["runs"][run]["data"]["algorithms"][0]["colour"].clone();
    assert_eq!(colours(0), colours(1), "an algorithm has one colour in all runs");
    for run in 0..2 {
        assert_eq!(page.matches(&format!("data-run=\"{run}\"")).count(), 2, "its notices and its facts");
    }
    assert!(
        words(&page, "id=\"across\"", "</table>")
            .ends_with("hor 1 1.25 1.20 to 1.30 1 × 1.25 1 × 1.25 &lt;kr&gt; 1 1.25 1.20 to 1.30 - 1 × 1.25")
    );
    assert!(!page.contains("<kr>") && !page.contains("ge<nome"));
}

#[test]
fn an_instrumented_run_shows_counts_and_no_times() {
    let counted = [
        ("text_bytes_read", 1234.5),
        ("writes", 3.0),
        ("lookups", 0.0),
        ("text_read_percent", 12.5),
        ("average_jump", 8.0),
    ];
    let result =
        CellResult { stats: figures(&counted), extra: figures(&[("#small", 6.0)]), ..timed("hor", 8, 5.0) };
    let page = page(&run(Stats::Algo, vec![result]));
    let expected = ["text read", "average jump", "text bytes read", "writes", "#small"];
    assert_eq!(names(&page), expected, "quantities that are 0 everywhere are left out");
    assert_eq!(table(&page), ["hor 12.5"]);
    assert!(words(&page, "id=\"about\">", "</p>").starts_with("Bytes of the text that were read, of 100"));
    let shown = page.split("<script").next().unwrap();
    assert!(!shown.contains("µs") && shown.contains("<h2>Experiment</h2>"));
}

#[test]
fn the_page_is_escaped_and_needs_no_network() {
    let mut run = run(Stats::Perf, vec![timed("<b>{{data}}</script>", 8, 1.0)]);
    run.experiment.definition.as_mut().unwrap().description = "{{script}} & co".to_owned();
    let page = page(&run);
    assert!(page.contains("<h1>{{script}} &amp; co</h1>"), "what fills a slot is no slot");
    assert_eq!((page.matches("<script").count(), page.matches("</script>").count()), (2, 2));
    assert!(!page.contains("<b>{{data}}") && data(&page)["algorithms"][0]["id"] == "<b>{{data}}</script>");
    assert!(!page.contains("://") && !page.contains(" src=") && page.contains("default-src 'none'"));
}

#[test]
fn the_command_that_repeats_the_run_finds_its_file_in_any_folder() {
    let page = page(&run(Stats::Perf, Vec::new()));
    assert!(
        page.contains("<code>assay run experiment.toml</code> in the folder of this run (20261122-"),
        "{page}"
    );
    assert!(!page.contains("<code>assay run 2"), "an id is found in one folder alone");
}

#[test]
fn a_run_without_results_is_a_page_too() {
    let page = page(&run(Stats::Perf, Vec::new()));
    assert!(page.contains("Timed run of 0 algorithms") && page.contains("There are no figures"));
    assert_eq!(names(&page).len(), 0);
}

#[test]
fn an_interrupted_run_says_so_at_the_top() {
    let mut run = run(Stats::Perf, Vec::new());
    let warning = "<b>Not complete</b>: not all repetitions were measured";
    assert!(!page(&run).contains(warning));
    run.experiment.interrupted = true;
    let page = page(&run);
    let top = page.split("<main>").next().unwrap();
    assert!(
        top.contains(warning) && top.contains("<code>assay report measurements.csv</code> in the folder")
    );
}

#[test]
fn a_great_run_is_a_page_below_three_megabytes() {
    let counters: Vec<String> = (0..20).map(|i| format!("perf:event{i}")).collect();
    let mut results = Vec::new();
    for algorithm in 0..30 {
        for length in 1..=12 {
            let value = |i: usize| 1e7 / (algorithm * 12 + length + i) as f64;
            let rounds: Vec<(u32, f64)> = (0..500).map(|i| (i / 50, value(i as usize))).collect();
            let summary = Summary::of_rounds(rounds);
            let counters: Figures = counters.iter().map(|name| (name.clone(), summary)).collect();
            results.push(CellResult {
                search_ns: summary,
                prepare_ns: summary,
                total_ns: summary,
                counters,
                ..timed(&format!("algorithm{algorithm}"), length, 0.0)
            });
        }
    }
    let page = page(&run(Stats::Perf, results));
    assert!((500_000..3_000_000).contains(&page.len()), "{} bytes", page.len());
}

/// The relative luminance of a colour, as WCAG 2 defines it.
fn luminance(colour: &str) -> f64 {
    0.2126 * linear(&colour[1..3]) + 0.7152 * linear(&colour[3..5]) + 0.0722 * linear(&colour[5..7])
}

/// A channel of a colour in linear light.
fn linear(hex: &str) -> f64 {
    let share = f64::from(u8::from_str_radix(hex, 16).unwrap()) / 255.0;
    if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
}

#[test]
fn all_text_has_a_contrast_that_can_be_read() {
    let themes: Vec<&str> =
        STYLE.split(":root {").skip(1).map(|rest| rest.split('}').next().unwrap()).collect();
    assert_eq!(themes.len(), 3, "light, dark, and paper");
    for theme in themes {
        let luminance = |name: &str| {
            let value =
                theme.split(&format!("--{name}: ")).nth(1).unwrap_or_else(|| panic!("{name} in {theme}"));
            luminance(value.split(';').next().unwrap())
        };
        // Links stand on paper only, and best figures and notices are in ink.
        let pairs = [
            ("ink", "paper"),
            ("faint", "paper"),
            ("bad", "paper"),
            ("link", "paper"),
            ("ink", "band"),
            ("faint", "band"),
            ("bad", "band"),
            ("ink", "best"),
            ("ink", "note"),
        ];
        for (ink, ground) in pairs {
            let (one, other) = (luminance(ink), luminance(ground));
            let contrast = (one.max(other) + 0.05) / (one.min(other) + 0.05);
            assert!(contrast >= 4.5, "{ink} on {ground}: {contrast:.2} in {theme}");
        }
    }
}
