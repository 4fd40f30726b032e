//! Reports in the forms that other documents and programs need.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use assay_tests::{Ran, assay, repository, run, skip};
use serde_json::Value;

fn report(arguments: &[&str]) -> Ran {
    let fixtures = repository().join("tests/fixtures");
    run(assay().args(["report", "saved_run", "--out"]).arg(fixtures).args(arguments))
}

/// A run of two algorithms, among whose names and descriptions are all characters that mean something to
/// LaTeX.
fn measured(folder: &Path) -> PathBuf {
    let text = folder.join("50%_of & #1 {x}~^$.txt");
    fs::write(&text, "abracadabra \\ and so on, again and again ".repeat(50)).unwrap();
    let out = folder.join("results");
    let ran = run(assay()
        .args(["run", "hor", "bndm", "--plen", "4,8", "--runs", "20", "--quiet", "--out"])
        .arg(&out)
        .arg("--text")
        .arg(&text));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    out
}

/// The program that makes a PDF of LaTeX, if there is one.
fn latex() -> Option<&'static str> {
    let path = env::var_os("PATH").unwrap_or_default();
    let there = |program: &&str| env::split_paths(&path).any(|folder| folder.join(program).is_file());
    let found = ["pdflatex", "tectonic"].into_iter().find(there);
    if found.is_none() {
        skip("neither pdflatex nor tectonic is installed");
    }
    found
}

#[test]
fn a_table_of_latex_can_be_compiled_with_its_bibliography() {
    let folder = tempfile::tempdir().unwrap();
    let out = measured(folder.path());
    let print = |arguments: &[&str]| {
        let ran = run(assay().args(["report", "last", "--out"]).arg(&out).args(arguments));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.stdout
    };
    let table = print(&["--format", "latex", "--metric", "microseconds,gbps", "--stat", "min,med"]);
    assert!(table.contains("\\caption{Search time in $\\mu$s (min, median)"), "{table}");
    assert!(table.contains("\\caption{Search in GB/s, text\\_length / ns (min, median)"), "{table}");
    assert!(table.contains("50\\%\\_of \\& \\#1 \\textbraceleft{}x"), "{table}");
    let depth = |text: &str, open: char, close: char| {
        let unescaped = text.replace("\\{", "").replace("\\}", "");
        (unescaped.matches(open).count(), unescaped.matches(close).count())
    };
    let (open, close) = depth(&table, '{', '}');
    assert_eq!(open, close, "{table}");
    // Options stand as they are typed: two hyphens that touch would be printed as a dash.
    let ratios = print(&["--format", "latex", "--baseline", "hor"]);
    let in_print = ratios.lines().filter(|line| !line.starts_with('%') && !line.contains(" & "));
    let in_print: String = in_print.collect();
    assert!(
        in_print.contains("more \\texttt{-{}-rounds} make the interval narrower") && !in_print.contains("--"),
        "{ratios}"
    );
    for facts in ["50\\%\\_of", "20 repetitions of each algorithm", "; assay "] {
        assert!(ratios.matches("\\caption{").count() == 2 && in_print.contains(facts), "{facts} in {ratios}");
    }
    let Some(program) = latex() else { return };
    let document = format!(
        "\\documentclass{{article}}\n\\usepackage[utf8]{{inputenc}}\n\\usepackage{{booktabs,graphicx}}\n\
         \\begin{{document}}\n{table}\n{ratios}\n\\end{{document}}\n"
    );
    let printed = compiled(folder.path(), program, &document);
    assert!(!printed.contains("Overfull \\hbox"), "{printed}");
}

/// A report in LaTeX on a run of many algorithms, some of which are not made for the shortest patterns.
fn of_many(folder: &Path, arguments: &[&str]) -> String {
    let out = folder.join("many");
    if !out.exists() {
        let mut command = assay();
        command.args(["run", "[abh].*", "--plen", "2,4,6,8,10,12,14,16,18,20", "--runs", "6", "--seed", "1"]);
        let ran = run(command.args(["--text-size", "8KiB", "--quiet", "--out"]).arg(&out));
        assert!(ran.code.is_some_and(|code| code < 2), "{}", ran.stderr);
    }
    let ran = run(assay().args(["report", "last", "--format", "latex", "--out"]).arg(&out).args(arguments));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran.stdout
}

#[test]
fn tables_of_many_rows_and_columns_fit_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let all = of_many(folder.path(), &[]);
    let parts = all.matches("\\begin{longtable}").count();
    assert!(parts > 1 && all.matches("\nhor & ").count() == parts, "{all}");
    assert!(all.starts_with("% Needs in the preamble: \\usepackage{booktabs,longtable}\n"), "{all}");
    let three = of_many(folder.path(), &["--only", "hor", "bf", "bom", "--precision", "6"]);
    assert!(!three.contains("longtable") && three.matches("\\begin{tabular}").count() > 1, "{three}");
    assert_eq!(three.matches("\\caption{").count(), 1, "{three}");
    let ratios = of_many(folder.path(), &["--baseline", "hor"]);
    assert!(ratios.contains("\\begin{longtable}"), "{ratios}");
    // No cell and no caption calls it a failure that an algorithm is not made for a length.
    let dash = "A dash: the algorithm is not made for this pattern length.";
    assert!(all.contains(dash) && all.contains(" & -- ") && !all.contains("cannot search"), "{all}");
    let Some(program) = latex() else { return };
    let siunitx = of_many(folder.path(), &["--siunitx", "--only", "h.*"]);
    let cells = of_many(folder.path(), &["--interval", "cell", "--only", "h.*"]);
    for (packages, tables) in
        [("", [&all, &three, &ratios, &cells].map(String::as_str)), (",siunitx", [&siunitx, "", "", ""])]
    {
        let document = format!(
            "\\documentclass{{article}}\n\\usepackage[utf8]{{inputenc}}\n\
             \\usepackage{{booktabs,graphicx,longtable{packages}}}\n\\begin{{document}}\n{}\n\\end{{document}}\n",
            tables.join("\n")
        );
        let printed = compiled(folder.path(), program, &document);
        assert!(!printed.contains("Overfull \\hbox") && !printed.contains("Float too large"), "{printed}");
    }
}

/// What a program of LaTeX prints about a document.
fn compiled(folder: &Path, program: &str, document: &str) -> String {
    fs::write(folder.join("paper.tex"), document).unwrap();
    let mut command = Command::new(program);
    if program == "pdflatex" {
        command.args(["-interaction=nonstopmode", "-halt-on-error"]);
    }
    let ran = run(command.arg("paper.tex").current_dir(folder));
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(folder.join("paper.pdf").exists(), "{}", ran.stdout);
    ran.stdout
}

#[test]
fn intervals_stand_in_a_column_in_each_cell_or_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let out = measured(folder.path());
    let print = |arguments: &[&str]| {
        let ran = run(assay().args(["report", "last", "--out"]).arg(&out).args(arguments));
        assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.stderr);
        ran.stdout
    };
    let column = print(&["--format", "markdown"]);
    assert!(column.starts_with("| algorithm | 4 | 8 | ± % |\n"), "{column}");
    assert!(
        column.contains(" ± % half-width of the widest 95 % confidence interval in the row."),
        "{column}"
    );
    let cell = print(&["--format", "latex", "--interval", "cell"]);
    assert_eq!(cell.lines().filter(|line| line.matches(" $\\pm$ ").count() == 2).count(), 2, "{cell}");
    assert!(!cell.contains("$\\pm$ \\%"), "{cell}");
    let none = print(&["--format", "markdown", "--interval", "none"]);
    assert!(none.starts_with("| algorithm | 4 | 8 |\n") && !none.contains("half-width"), "{none}");
    let table = print(&["--interval", "column"]);
    assert!(table.contains("\n± % half-width of the widest"), "{table}");
    let digits = print(&["--format", "markdown", "--precision", "4", "--interval", "none"]);
    let figures = digits.lines().nth(2).unwrap().split('|').filter(|cell| cell.contains('.'));
    assert!(
        figures.clone().count() == 2
            && figures
                .map(|cell| cell.trim_matches([' ', '*', '~']))
                .all(|cell| { cell.split_once('.').unwrap().1.len() == 4 }),
        "{digits}"
    );
    assert!(print(&["--precision", "5"]).contains("Search, median in µs"), "the table of `run`");
    for (arguments, message) in [
        (&["--format", "csv", "--precision", "2"][..], "data for programs have all digits"),
        (&["--siunitx"], "--siunitx is for LaTeX"),
        (&["--baseline", "hor", "--interval", "cell"], "cannot be used with"),
    ] {
        let ran = run(assay().args(["report", "last", "--out"]).arg(&out).args(arguments));
        assert!(ran.code == Some(2) && ran.stderr.contains(message), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn the_best_are_bold_in_every_document() {
    let folder = tempfile::tempdir().unwrap();
    let print = |format: &str| {
        let mut command = assay();
        command.args(["run", "bf", "tunedbm", "--plen", "64", "--runs", "20", "--seed", "1", "--no-save"]);
        let ran = run(command.args(["--format", format]).current_dir(folder.path()));
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        ran.stdout
    };
    let (latex, markdown) = (print("latex"), print("markdown"));
    let bold = |text: &str, name: &str, mark: &str| {
        text.lines().any(|line| line.contains(&format!("{name} ")) && line.contains(mark))
    };
    assert!(bold(&latex, "tunedbm", "\\textbf{") && !bold(&latex, "bf", "\\textbf{"), "{latex}");
    assert!(bold(&markdown, "tunedbm", "**") && !bold(&markdown, "bf", "**"), "{markdown}");
    assert!(markdown.contains("20 repetitions") && markdown.contains("seed 1;"), "{markdown}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was saved");
}

#[test]
fn json_says_which_run_and_text_its_figures_are_of() {
    let ran = report(&["--format", "json", "--stat", "min,all"]);
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&json["schema"], &json["text"]["bytes"]), (&1.into(), &1000.into()));
    assert!(json["run"]["id"].is_string() && json["run"]["seed"].is_u64(), "{json:#}");
    let figures = json["figures"].as_array().unwrap();
    let csv = report(&["--format", "csv", "--stat", "min"]).stdout;
    let least = figures.iter().filter(|figure| figure["statistic"] == "min");
    assert_eq!(least.count(), csv.lines().count() - 1);
    // Every field stands in the schema, and what the schema asks for is there.
    let schema = fs::read_to_string(repository().join("docs/src/figures.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let fits = |object: &Value, schema: &Value| {
        let known = schema["properties"].as_object().unwrap();
        let fields = object.as_object().unwrap();
        fields.keys().all(|name| known.contains_key(name))
            && schema["required"]
                .as_array()
                .unwrap()
                .iter()
                .all(|name| fields.contains_key(name.as_str().unwrap()))
    };
    assert!(fits(&json, &schema), "{json:#}");
    assert!(figures.iter().all(|figure| fits(figure, &schema["$defs"]["Figure"])), "{json:#}");
    assert!(
        fits(&json["run"], &schema["$defs"]["RunFacts"])
            && fits(&json["text"], &schema["$defs"]["TextFacts"])
    );
}

#[test]
fn the_name_of_a_file_decides_its_format_and_it_is_complete_or_missing() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    for (name, start) in [
        ("a.md", "| algorithm |"),
        ("a.tex", "% Needs"),
        ("a.html", "<!DOCTYPE html>"),
        ("a.csv", "algorithm,"),
    ] {
        let ran = report(&["--to", file(name).to_str().unwrap()]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{name}: {}", ran.stderr);
        assert!(fs::read_to_string(file(name)).unwrap().starts_with(start), "{name}");
    }
    let refused = [
        (vec!["--to", "x.docx"], "has no known format"),
        (vec!["--format", "png"], "--to FILE.png"),
        (vec!["--format", "html", "--metric", "gbps"], "no other figures"),
        (vec!["--format", "csv", "--picture", "box"], "are for pictures"),
        (vec!["--to", "/no/such/folder/a.csv"], "/no/such/folder"),
    ];
    for (arguments, said) in refused {
        let ran = report(&arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(ran.stderr.contains(said), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn parquet_is_a_file_or_what_to_do_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.parquet");
    let ran = report(&["--to", file.to_str().unwrap()]);
    match ran.code {
        Some(0) => {
            let bytes = fs::read(&file).unwrap();
            assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
        }
        code => {
            assert_eq!(code, Some(2));
            assert!(ran.stderr.contains("--features assay/parquet") && !file.exists(), "{}", ran.stderr);
        }
    }
}
