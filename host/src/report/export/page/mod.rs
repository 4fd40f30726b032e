//! The page of a saved run: one file that needs no network.

mod figure;
mod results;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::Value;

use figure::Figure;
use results::Results;

use super::numbers::grouped;

const STYLE: &str = include_str!("page.css");

/// The page that shows the results of a run, given as the JSON that `assay run --format json` prints.
pub fn page(report: &Value) -> String {
    let experiment = &report["experiment"];
    let results = Results::of(report);
    let title = experiment["id"].as_str().unwrap_or("run");
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "assay: " (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { (title) }
                    p.faint { (subject(experiment, &results)) }
                }
                main {
                    @for figure in Figure::all(report, &results) { (figure.table(&results)) }
                    (failures(&results))
                    (facts(experiment))
                }
                footer { (files()) }
            }
        }
    };
    page.into_string()
}

fn failures(results: &Results<'_>) -> Markup {
    let failures = results.failures();
    html! {
        @if !failures.is_empty() {
            h2 { "Without a result" }
            ul.failures {
                @for failure in &failures {
                    @let lengths: Vec<String> = failure.lengths.iter().map(u64::to_string).collect();
                    li {
                        b { (failure.algorithm) ", pattern length " (lengths.join(", ")) ": " (failure.status) }
                        @if let Some(message) = failure.message { ": " (message) }
                    }
                }
            }
        }
    }
}

fn subject(experiment: &Value, results: &Results<'_>) -> String {
    let reading = if experiment["stats"] == "algo" { "Instrumented run" } else { "Timed run" };
    let sources = experiment["text"]["sources"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let text = sources.collect::<Vec<_>>().join(", ");
    let bytes = grouped(experiment["text"]["bytes"].as_f64().unwrap_or_default(), 0);
    let algorithms = results.algorithms.len();
    let interrupted = if experiment["interrupted"] == true {
        "; interrupted: not all repetitions were measured"
    } else {
        ""
    };
    format!("{reading} of {algorithms} algorithms on {text} ({bytes} bytes){interrupted}")
}

fn facts(experiment: &Value) -> Markup {
    let mut of_experiment = Vec::new();
    let mut of_machine = Vec::new();
    for (name, value) in experiment.as_object().into_iter().flatten() {
        match name.as_str() {
            "machine" => flatten("", value, &mut of_machine),
            _ => flatten(name, value, &mut of_experiment),
        }
    }
    html! {
        div.facts {
            @for (title, facts) in [("Experiment", of_experiment), ("Machine", of_machine)] {
                @if !facts.is_empty() {
                    section {
                        h2 { (title) }
                        dl { @for (name, value) in &facts { dt { (name) } dd { (value) } } }
                    }
                }
            }
        }
    }
}

/// Names and values for reading; what is not known is left out.
fn flatten(name: &str, value: &Value, facts: &mut Vec<(String, String)>) {
    let shown = match value {
        Value::Null => return,
        Value::Object(members) => {
            for (member, value) in members {
                flatten(format!("{name} {}", member.replace('_', " ")).trim(), value, facts);
            }
            return;
        }
        Value::Array(items) => {
            let item = |item: &Value| match item {
                Value::Object(members) => members.values().map(text).collect::<Vec<_>>().join(" "),
                _ => text(item),
            };
            items.iter().map(item).collect::<Vec<_>>().join(", ")
        }
        Value::String(_) | Value::Bool(_) | Value::Number(_) => text(value),
    };
    facts.push((name.replace('_', " "), shown));
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn files() -> Markup {
    let files = [
        ("measurements.csv", "every repetition"),
        ("statistics.csv", "the statistics of each quantity"),
        ("patterns.csv", "the patterns"),
        ("experiment.toml", "the experiment, to run it again"),
    ];
    html! {
        h2 { "Beside this page" }
        dl { @for (file, what) in files { dt { a href=(file) { (file) } } dd { (what) } } }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn run(stats: &str, results: Value) -> Value {
        json!({
            "schema": 1,
            "experiment": {
                "id": "<run> & co", "seed": 7, "stats": stats, "comment": null,
                "text": {"sources": ["english \"texts\""], "bytes": 1_048_576, "alphabet": 94},
                "machine": {"cpu": "Some CPU", "cores": 2},
                "counters": [{"name": "tsc:cycles", "unit": "ticks", "semantics": "counter", "scope": "core"}],
            },
            "results": results,
        })
    }

    fn timed(algorithm: &str, length: u64, search: f64) -> Value {
        json!({
            "algorithm": algorithm, "pattern_length": length, "status": "ok", "message": null, "repetitions": 500,
            "prepare_ns": {"med": 900}, "search_ns": {"med": search}, "total_ns": {"med": search + 900.0},
            "counters": {"tsc:cycles": {"med": 12345}},
        })
    }

    /// The rows of the first table, without tags.
    fn first_table(page: &str) -> Vec<String> {
        let body = page.split("<tbody>").nth(1).unwrap().split("</tbody>").next().unwrap();
        let tags = regex::Regex::new("<[^>]*>").unwrap();
        let rows = body.split("</tr>").filter(|row| !row.is_empty());
        rows.map(|row| tags.replace_all(row, " ").split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn times_are_shown_by_algorithm_and_length_with_the_best_marked() {
        let crashed = json!({
            "algorithm": "kr", "pattern_length": 4, "status": "crashed", "message": "<signal> 11", "repetitions": 3,
        });
        let page = page(&run(
            "perf",
            json!([timed("hor", 8, 2.5e6), timed("hor", 4, 3.1e6), timed("kr", 8, 5e6), crashed]),
        ));
        assert_eq!(first_table(&page), ["hor 3.10 best 2.50 best", "kr crashed 5.00 × 2.00"]);
        assert!(
            page.contains("<small>in ms</small>")
                && page.contains("<h2>tsc:cycles <small>in ticks</small></h2>")
        );
        assert!(page.contains("<dd>tsc:cycles ticks counter core</dd>"));
        assert!(page.contains("<b>kr, pattern length 4: crashed</b>: &lt;signal&gt; 11"));
    }

    #[test]
    fn an_instrumented_run_shows_what_was_counted_and_no_times() {
        let result = json!({
            "algorithm": "hor", "pattern_length": 8, "status": "ok", "message": null, "repetitions": 500,
            "search_ns": {"med": 5}, "stats": {"writes": {"med": 3}, "text_bytes_read": {"med": 1234.5}},
            "extra": {"#small": {"med": 6}},
        });
        let page = page(&run("algo", json!([result])));
        let titles: Vec<&str> =
            page.split("<section><h2>").skip(1).map(|rest| rest.split('<').next().unwrap()).collect();
        assert_eq!(titles, ["Text bytes read ", "Writes", "#small", "Experiment", "Machine"]);
        assert_eq!(first_table(&page), ["hor 1,234.5"]);
    }

    #[test]
    fn the_page_is_escaped_and_needs_no_network() {
        let page = page(&run("perf", json!([timed("<b>", 8, 1.0)])));
        assert!(page.contains("&lt;run&gt; &amp; co") && page.contains("english &quot;texts&quot;"));
        assert!(!page.contains("<b>") && !page.contains("http") && !page.contains("<script"));
    }

    #[test]
    fn a_run_without_results_is_a_page_too() {
        assert!(page(&run("perf", json!([]))).contains("Timed run of 0 algorithms"));
    }

    #[test]
    fn an_interrupted_run_says_so_at_the_top() {
        let mut report = run("perf", json!([]));
        assert!(!page(&report).contains("interrupted: not all"));
        report["experiment"]["interrupted"] = true.into();
        assert!(page(&report).contains("interrupted: not all"));
    }
}
