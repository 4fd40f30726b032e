//! What a mistaken command line is answered with.

use std::fs;

use assay_tests::{assay, completed, repository, run};

fn refused(arguments: &[&str]) -> String {
    let ran = run(assay().args(arguments));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{arguments:?}: {}", ran.stderr);
    ran.stderr
}

#[test]
fn unknown_options_are_named_whole_with_near_ones() {
    let cases: [(&[&str], &str); 6] = [
        (&["run", "-pta", "a", "hor"], "error: unknown option `-pta`\n  help: did you mean -pat?\n"),
        (&["run", "-no-save", "hor"], "error: unknown option `-no-save`\n  help: did you mean --no-save?\n"),
        (&["run", "hor", "--rusn", "4"], "error: unknown option `--rusn`\n  help: did you mean --runs?\n"),
        (&["run", "-foo"], "error: unknown option `-foo`\n  help: `--help` shows all options;"),
        (
            &["run", "--frobnicate", "x"],
            "error: unknown option `--frobnicate`\n  help: `--help` shows all options;",
        ),
        (&["plugins", "list", "-fromat=csv"], "error: unknown option `-fromat=csv`\n"),
    ];
    for (arguments, message) in cases {
        let stderr = refused(arguments);
        assert!(stderr.starts_with(message), "{arguments:?}: {stderr}");
    }
}

#[test]
fn wrong_numbers_are_wrong_values() {
    for option in ["--runs", "-runs", "--seed"] {
        let stderr = refused(&["run", "hor", option, "-1"]);
        assert!(stderr.contains("'-1'") && stderr.contains("a whole number is expected"), "{stderr}");
    }
    for jobs in ["0", "x"] {
        let stderr = refused(&["test", "hor", "--jobs", jobs]);
        assert!(stderr.contains("'--jobs <N>': a whole number from 1 on is expected"), "{stderr}");
    }
    let stderr = refused(&["run", "hor", "--runs", "99999999999999999999"]);
    assert!(stderr.contains("too large"), "{stderr}");
}

#[test]
fn words_after_a_text_are_texts_and_other_meanings_are_reported() {
    for (arguments, message) in [
        (
            &["run", "-text", "no-such-text", "hor"][..],
            "no algorithm is named: what follows --text is a text",
        ),
        (
            &["run", "bf", "--text", "Cargo.toml", "hor"],
            "`Cargo.toml` is there; there is no text `hor`, but an algor",
        ),
        (
            &["run", "bf", "--text", "Cargo.toml", "nix"],
            "`Cargo.toml` is there; there is no text `nix`: no such",
        ),
        (
            &["run", "bf", "-text", "rand4"],
            "there is no text `rand4`, but a corpus of this name\n  help: write `--corpus",
        ),
    ] {
        let stderr = refused(arguments);
        assert!(stderr.starts_with(&format!("error: {message}")), "{arguments:?}: {stderr}");
    }
}

#[test]
fn a_run_that_is_not_in_the_folder_is_reported_with_the_folder_and_the_way_to_another() {
    let folder = tempfile::tempdir().unwrap();
    let saved = folder.path().join("results/saved");
    fs::create_dir_all(&saved).unwrap();
    fs::copy(repository().join("tests/fixtures/saved_run/measurements.csv"), saved.join("measurements.csv"))
        .unwrap();
    let said = |arguments: &[&str]| {
        let ran = run(assay().args(arguments).current_dir(&folder));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{arguments:?}: {}", ran.stderr);
        ran.stderr
    };
    const ID: &str = "20260102-030405-1a2b";
    for arguments in [&["report", ID][..], &["compare", ID, "last"], &["run", ID], &["run", "20260102-03"]] {
        let stderr = said(arguments);
        let (_, name) = stderr.split_once("there is no saved run `").unwrap_or_else(|| panic!("{stderr}"));
        assert!(name.starts_with("20260102-03") && stderr.contains("in `results`"), "{stderr}");
        assert!(stderr.contains("by its path, or give that folder with `--out`"), "{stderr}");
        let none = said(&[arguments, &["--out", "nowhere"]].concat());
        assert!(none.contains("no run is saved in `nowhere`\n") && none.contains("by its path"), "{none}");
    }
    for arguments in [&["merge", "hrm"][..], &["describe"]] {
        let rows = |path| said(&[arguments, &[path]].concat());
        assert!(
            rows(ID).contains("name the file of its rows: `results/ID/measurements.csv`"),
            "{arguments:?}"
        );
        assert!(
            rows("results/saved").contains("help: the rows of this run are `results/saved/measurements.csv`")
        );
    }
    let two = said(&["report", "a", "b", "--metric", "gbps", "--out", "away"]);
    assert!(two.contains("`assay compare a b --out away` compares the times"), "{two}");
}

/// Each line of the book's table of SMART's options does what it says.
#[test]
fn the_table_of_smarts_options_is_true() {
    let page = fs::read_to_string(repository().join("docs/src/smart-options.md")).unwrap();
    // What is tested here is not tested elsewhere.
    let cache = tempfile::tempdir().unwrap();
    let ran = |line: &str| {
        let command = ["test", "select"].iter().any(|command| line.starts_with(command));
        let seed = if line.contains("-rs ") || line.contains("seed ") { "" } else { "--seed 1 " };
        let names = if line.contains("-all") { "" } else { "hor " };
        // One length is enough to compare, and takes no case so long that the time decides what is tried.
        let words = if line.starts_with("test") && !line.contains("plen") {
            format!("{line} --plen 4")
        } else if command {
            line.to_owned()
        } else {
            format!("run {names}{seed}--dry-run {line}")
        };
        // A user with two algorithms selected, and a set of them.
        let config = tempfile::tempdir().unwrap();
        let file = config.path().join("sets.toml");
        fs::write(&file, "selected = [\"bm\", \"bf\"]\n[sets]\nmine = [\"kmp\", \"bf\"]\n").unwrap();
        let ran = run(assay()
            .args(words.split(" "))
            .env("ASSAY_CONFIG_DIR", config.path())
            .env("ASSAY_CACHE_DIR", cache.path()));
        (ran, fs::read_to_string(file).unwrap())
    };
    let examples = |cell: &str| -> Vec<String> {
        cell.split('`').skip(1).step_by(2).map(|example| example.replace("FILE ..", "Cargo.toml")).collect()
    };
    let mut tried = 0;
    for row in page.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split(" | ").collect();
        let ours = examples(cells[1]);
        for smart in examples(cells[0]) {
            let (theirs, kept) = ran(&smart);
            match ours.first() {
                Some(ours) => {
                    assert_eq!(theirs.code, Some(0), "{smart}: {}", theirs.stderr);
                    let (ours_ran, ours_kept) = ran(ours);
                    assert_eq!((theirs.stdout, kept), (ours_ran.stdout, ours_kept), "{smart} is not {ours}");
                }
                None => {
                    assert_eq!((theirs.code, theirs.stdout.as_str()), (Some(2), ""), "{smart}");
                    assert!(theirs.stderr.contains("\n  help: "), "{smart}: {}", theirs.stderr);
                }
            }
            tried += 1;
        }
    }
    assert!(tried > 60, "{tried}");
}

#[test]
fn lengths_may_be_a_list_and_three_numbers_are_refused_with_that_hint() {
    let dry = run(assay().args(["run", "--plen", "2,4,8", "hor", "--dry-run"]));
    assert!(dry.stdout.contains("lengths = [2, 4, 8]") && dry.stdout.contains("[\"hor\"]"), "{}", dry.stderr);
    let stderr = refused(&["run", "hor", "--plen", "2", "4", "8"]);
    assert!(stderr.contains("for only these lengths write --plen 2,4,8"), "{stderr}");
    let stderr = refused(&["run", "hor", "--plen", "2,4", "--increment", "+1"]);
    assert!(stderr.starts_with("error: --increment goes from a least to a greatest length"), "{stderr}");
}

#[test]
fn shells_complete_commands_options_and_values() {
    for shell in ["bash", "zsh", "fish"] {
        let script = run(assay().args(["completions", shell])).stdout;
        assert!(script.contains("ASSAY_COMPLETE") && script.contains("assay"), "{shell}: {script}");
    }
    let folder = tempfile::tempdir().unwrap();
    let saved = folder.path().join("results/20260102-030405-1a2b");
    fs::create_dir_all(&saved).unwrap();
    fs::copy(repository().join("tests/fixtures/saved_run/measurements.csv"), saved.join("measurements.csv"))
        .unwrap();
    fs::create_dir_all(folder.path().join("data/englishTexts")).unwrap();
    fs::write(folder.path().join("data/englishTexts/book.txt"), "It was the best of times").unwrap();
    let words = |line: &str| {
        let mut command = assay();
        command.arg("--").current_dir(&folder);
        completed(command, line)
    };
    for (line, expected) in [
        ("compa", &["compare"][..]),
        ("run hor --order int", &["interleaved"]),
        ("run ebo", &["ebom"]),
        ("run --metric gbps,ns_per_b", &["gbps,ns_per_byte"]),
        ("run hor --corpus geno", &["genome"]),
        ("run hor --text engl", &["englishTexts"]),
        ("run hor --counters @bran", &["@branches"]),
        ("report 2026", &["20260102-030405-1a2b"]),
        ("report --stat med,ma", &["med,mad", "med,max"]),
        ("report last --family pac", &["packed"]),
        ("run --resume la", &["last"]),
        ("info gigabi", &[]),
        ("plugins inf", &["info"]),
    ] {
        assert_eq!(words(line), expected, "{line}");
    }
    assert!(words("run --pl").contains(&"--plen".to_owned()));
    assert!(!words("").iter().any(|word| word.contains("__")), "hidden commands are the program's own");
}

#[test]
fn a_manual_page_is_written_for_each_command() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(assay().args(["man", "--out", "pages"]).current_dir(&folder));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{}", ran.stderr);
    let page = |name: &str| fs::read_to_string(folder.path().join("pages").join(name)).unwrap();
    assert!(page("assay.1").contains("laboratory"));
    assert!(page("assay-run.1").contains("assay run bf bm hor"));
    assert!(page("assay-select-add.1").contains("Add algorithms to the selection"));
    let count = fs::read_dir(folder.path().join("pages")).unwrap().count();
    assert!(ran.stderr.starts_with(&format!("note: {count} pages in pages")), "{}", ran.stderr);
}

#[test]
fn the_summary_of_a_command_fits_a_screen_and_its_help_has_everything() {
    for words in ["", "run", "report", "compare", "collect", "merge", "plugins", "select add"] {
        let help = |option: &str| {
            let ran = run(assay().args(words.split_whitespace()).arg(option).env("COLUMNS", "80"));
            assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{words} {option}");
            ran.stdout
        };
        let (summary, all) = (help("-h"), help("--help"));
        assert!(summary.lines().count() <= 30, "{words}:\n{summary}");
        assert!(!summary.contains("--plugin-dir <DIR>") && all.contains("--plugin-dir <DIR>"), "{words}");
    }
    let bare = run(assay().env("COLUMNS", "80"));
    assert_eq!(bare.code, Some(2));
    assert!(
        bare.stderr.contains("Commands:\n  run ") && bare.stderr.lines().count() <= 30,
        "{}",
        bare.stderr
    );
}

#[test]
fn colours_are_used_as_asked_for_in_every_error() {
    for wrong in [&["run", "--nonsense"][..], &["run", "hor", "--runs", "x"], &["run", "no-such-algorithm"]] {
        assert!(!refused(wrong).contains('\x1b'));
        assert!(!refused(&[wrong, &["--color=never"]].concat()).contains('\x1b'));
        assert!(refused(&[wrong, &["--color", "always"]].concat()).starts_with("\x1b[31merror: \x1b[0m"));
    }
}

#[test]
fn what_was_given_can_not_command_the_terminal() {
    for wrong in [&["run", "\x1b[31mz"][..], &["run", "--runs", "\x1b[31mz"], &["report", "\x1b[31mz"]] {
        assert!(!refused(wrong).contains('\x1b'), "{wrong:?}");
    }
    let long = "x".repeat(5000);
    assert!(refused(&["run", &long]).len() < 400);
}

/// At 80 columns nothing is cut, and examples stand as they were written.
#[test]
fn help_fits_80_columns() {
    for words in [
        "",
        "run",
        "list",
        "plugins",
        "plugins list",
        "plugins info",
        "plugins check",
        "counters",
        "counters list",
        "counters cost",
        "counters selftest",
        "describe",
        "plan",
        "collect",
        "merge",
        "report",
        "compare",
        "results",
        "doctor",
        "bibtex",
        "select",
        "select add",
        "select remove",
        "select none",
        "select show",
        "select list",
        "select save",
        "select use",
        "select delete",
        "completions",
        "adversary",
        "crossover",
        "atlas",
        "man",
        "test",
        "explain",
    ] {
        let words: Vec<&str> = words.split_whitespace().collect();
        let help = run(assay().args(&words).arg("--help").env("COLUMNS", "80"));
        assert_eq!(help.code, Some(0), "{words:?}");
        let wide: Vec<&str> = help.stdout.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(wide.is_empty(), "{words:?}: {wide:#?}");
        let examples = help.stdout.split("Examples:\n").nth(1).expect("there are examples");
        // A comment that is wrapped would look like a command.
        let begins = ["  assay", "  cut -d", "    "];
        let broken = |line: &&str| !begins.iter().any(|begin| line.starts_with(begin));
        let broken = examples.lines().take_while(|line| !line.is_empty()).find(broken);
        assert_eq!(broken, None, "{words:?}");
    }
}

/// Each is refused before anything is measured, with what was meant.
#[test]
fn what_a_hand_mistypes_is_answered_with_what_was_meant() {
    let folder = tempfile::tempdir().unwrap();
    let told = |words: &str| {
        let ran = run(assay().args(words.split(' ')).current_dir(folder.path()));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{words}: {}", ran.stderr);
        ran.stderr
    };
    for (words, meant) in [
        ("run --all hro", "--all takes all algorithms, but `hro` is named"),
        ("run BM,HOR", "separate algorithms by blanks: BM HOR"),
        ("run hash?", "names are regular expressions, in which a dot is any character: 'hash.'"),
        ("run bndm(", "neither an id nor a regular expression: unclosed group"),
        ("run hor --plen 2-8", "write 8, `2 64` (from 2 to 64) or 2,4,8"),
        ("run hor --metric foo", "unknown metric `foo`"),
        ("run hor --stats algo --metric gbps", "measure with `--stats perf`"),
        ("plugins info hor", "name a library's file"),
        ("test", "name some (`assay test bf hor`)"),
        ("test hro", "did you mean"),
        ("test hor --case nowhere:1", "there is no group `nowhere`; there are fixed, "),
        ("test hor --case fixed:100000", "there is no case `fixed:100000`"),
        ("test hor --pattern a", "--text"),
        ("test hor --pattern-hex 6 --text a", "not a pattern in hexadecimal"),
    ] {
        let stderr = told(words);
        assert!(stderr.contains(meant), "{words}: {stderr}");
    }
    assert!(!folder.path().join("results").exists());
}

#[test]
fn a_star_after_a_letter_is_that_of_a_shell() {
    let definition = run(assay().args(["run", "sbndm*", "--dry-run"])).stdout;
    for id in ["sbndm", "sbndm2", "sbndmq4"] {
        assert!(definition.contains(&format!("\"{id}\"")), "{id}: {definition}");
    }
}

#[test]
fn a_word_that_is_no_command_is_answered_with_the_command_that_does_it() {
    for (words, message) in [
        ("corpora", "there is no command `corpora`\n  help: `assay list corpora` lists them"),
        ("rnu hor", "there is no command `rnu`\n  help: did you mean run? `assay -h` lists the commands"),
        ("plugins add x.so", "`plugins` has no command `add`\n  help: libraries are found in folders"),
        ("run hor --increment 2", "write '*2' to multiply or '+2' to add"),
        ("run hor --rand 1", "from 2 to 256"),
    ] {
        let stderr = refused(&words.split(' ').collect::<Vec<_>>());
        assert!(stderr.contains(message), "{words}: {stderr}");
    }
}

#[test]
fn a_file_called_last_does_not_stand_for_the_newest_run() {
    let folder = tempfile::tempdir().unwrap();
    let said = |arguments: &[&str]| run(assay().args(arguments).current_dir(&folder));
    fs::create_dir(folder.path().join("last")).unwrap();
    let none = said(&["report"]);
    assert!(none.stderr.starts_with("error: no run is saved in `results`"), "{}", none.stderr);
    fs::remove_dir(folder.path().join("last")).unwrap();
    fs::write(folder.path().join("last"), "no run").unwrap();
    assert_eq!(said(&["run", "hor", "--plen", "8", "--runs", "6", "--quiet"]).code, Some(0));
    let report = said(&["report", "last"]);
    assert_eq!(report.code, Some(0), "{}", report.stderr);
}

#[test]
fn the_last_run_is_repeated_by_that_word_or_its_id_and_an_increment_needs_no_lengths() {
    let folder = tempfile::tempdir().unwrap();
    let done = |words: &str| {
        let ran = run(assay().args(words.split(' ')).current_dir(folder.path()));
        assert_eq!(ran.code, Some(0), "{words}: {}", ran.stderr);
        ran
    };
    done("run hor --plen 8 --runs 6 --seed 3 --quiet");
    let saved = fs::read_dir(folder.path().join("results")).unwrap().next().unwrap().unwrap();
    let id = saved.file_name().into_string().unwrap();
    for again in ["last", &id] {
        let definition = done(&format!("run {again} --dry-run")).stdout;
        assert!(definition.contains("runs = 6") && definition.contains("seed = 3"), "{definition}");
    }
    let lengths = done("run hor --increment *8 --dry-run").stdout;
    assert!(lengths.contains("lengths = [2, 16, 128, 1024]"), "{lengths}");
    let twin = done("run stat_hor --plen 8 --runs 6 --no-save");
    assert!(twin.stderr.contains("its instrumented twin runs with --stats algo"), "{}", twin.stderr);
}

#[test]
fn mistakes_in_a_file_are_reported_by_keys_and_typed_options_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = |text: &str| {
        fs::write(folder.path().join("x.toml"), format!("algorithms = [\"hor\"]\n{text}")).unwrap()
    };
    let told = |more: &[&str]| {
        let ran = run(assay().args(["run", "x.toml", "--no-save"]).args(more).current_dir(folder.path()));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
        ran.stderr
    };
    file("runs = 0");
    assert_eq!(
        told(&[]),
        "error: x.toml:2: the number of runs must be at least 1\n  help: give `runs` 1 or more\n"
    );
    file("[patterns]\nlengths = [99]\n[text]\ndata = \"abc\"");
    let long = "a pattern of 99 bytes is longer than the text of 3 bytes (data)\n  help: use a longer text";
    assert_eq!(
        told(&[]),
        format!(
            "error: x.toml:3: {long} (`text.files`, `text.bytes`) or shorter patterns (`patterns.lengths`)\n"
        )
    );
    assert_eq!(
        told(&["--plen", "99"]),
        format!("error: `x.toml`: {long} (`text.files`, `text.bytes`) or shorter patterns (--plen)\n")
    );
    file("runs = 8");
    let ran = told(&["--most-runs", "9"]);
    assert!(ran.starts_with("error: x.toml:2: --most-runs is the limit of `until` and `budget`"), "{ran}");
    file("description = \"a\\u001b[31mb\"");
    assert!(told(&[]).contains("x.toml:2: the description has control characters"), "{}", told(&[]));
    let stderr = refused(&["run", "hor", "--description", "a\nb", "--no-save"]);
    assert!(
        stderr.contains("the description has control characters\n  help: give --description one line"),
        "{stderr}"
    );
}
