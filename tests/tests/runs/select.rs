//! `assay select`, and the runs that take what it keeps.

use std::fs;
use std::process::Command;

use assay_tests::{Ran, assay, completed, run, shared};

/// A user, with a folder for configuration.
struct User(tempfile::TempDir);

impl User {
    fn new() -> Self {
        User(tempfile::tempdir().unwrap())
    }

    fn command(&self, words: &str) -> Command {
        let mut command = assay();
        command.args(words.split(' ')).env("ASSAY_CONFIG_DIR", self.0.path().join("assay"));
        command.current_dir(self.0.path());
        command
    }

    fn ran(&self, words: &str) -> Ran {
        run(&mut self.command(words))
    }

    /// What is said where all is well.
    fn told(&self, words: &str) -> String {
        let ran = self.ran(words);
        assert_eq!(ran.code, Some(0), "{words}: {}", ran.stderr);
        ran.stderr
    }

    /// What is printed where all is well and nothing is to be said.
    fn printed(&self, words: &str) -> String {
        let ran = self.ran(words);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{words}");
        ran.stdout
    }

    fn refused(&self, words: &str) -> String {
        let ran = self.ran(words);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{words}: {}", ran.stderr);
        ran.stderr
    }

    /// Ids of the algorithms that a run would measure.
    fn measured(&self, words: &str) -> String {
        let definition = self.ran(&format!("run {words} --seed 1 --dry-run"));
        assert_eq!(definition.code, Some(0), "{words}: {}", definition.stderr);
        let definition: toml::Table = toml::from_str(&definition.stdout).unwrap();
        let ids = definition["algorithms"].as_array().unwrap().iter().map(|id| id.as_str().unwrap());
        ids.collect::<Vec<_>>().join(" ")
    }

    /// The ids of `select show`, or of a set.
    fn shown(&self, words: &str) -> String {
        let csv = self.ran(&format!("select show {words}--format csv")).stdout;
        csv.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect::<Vec<_>>().join(" ")
    }

    fn file(&self) -> std::path::PathBuf {
        self.0.path().join("assay/sets.toml")
    }
}

#[test]
fn algorithms_are_selected_kept_and_measured() {
    let user = User::new();
    assert_eq!(
        user.told("select add hor Boyer-Moore ^hor$ stat_so"),
        "note: added hor bm so; selected: hor bm so\n"
    );
    assert_eq!(user.told("select add BM"), "note: added nothing; selected: hor bm so\n");
    assert_eq!(user.told("select save mine"), "note: saved as mine: hor bm so\n");
    assert_eq!(user.told("select remove b.* so"), "note: removed bm so; selected: hor\n");
    assert_eq!((user.shown(""), user.shown("mine ")), ("hor".to_owned(), "hor bm so".to_owned()));
    assert_eq!(user.measured("--selected"), "hor");
    assert_eq!(user.measured("--use mine"), "hor bm so");
    assert_eq!(user.measured("kmp bm --use mine --selected"), "kmp bm hor so");
    assert_eq!(user.measured("hor hor --use mine"), "hor hor@2 bm so", "copies are as they were asked for");
    assert_eq!(user.told("select use mine"), "note: selected: hor bm so; before: hor\n");
    assert_eq!(user.told("select none"), "note: no algorithm is selected; before: hor bm so\n");
    assert_eq!(user.told("select add kmp --quiet"), "");
    assert_eq!(user.told("select save mine"), "note: saved as mine: kmp; before: hor bm so\n");
    assert_eq!(user.told("select delete mine"), "note: deleted mine: kmp\n");
    assert_eq!(
        user.told("select list"),
        "note: there is no set: `assay select save NAME` keeps the selection as one\n"
    );
    let ran = user.ran("run --selected --runs 5 --plen 8 --no-save --quiet --format csv");
    assert!(ran.code == Some(0) && ran.stdout.contains("\nkmp,8,"), "{}", ran.stderr);
}

#[test]
fn a_saved_experiment_has_the_ids_and_a_set_stands_in_their_place() {
    let user = User::new();
    user.told("select add hor bm");
    user.told("select save mine");
    fs::write(user.0.path().join("x.toml"), user.ran("run --use mine --seed 3 --dry-run").stdout).unwrap();
    user.told("select delete mine");
    assert_eq!(user.measured("x.toml"), "hor bm");
    user.told("select none");
    user.told("select add so");
    assert_eq!(user.measured("x.toml --selected"), "so");
}

#[test]
fn lists_have_every_format() {
    let user = User::new();
    user.told("select add hor kmp");
    user.told("select save mine");
    let json = |words: &str| -> serde_json::Value {
        serde_json::from_str(&user.printed(&format!("{words} --format json"))).unwrap()
    };
    let shown = json("select show mine");
    assert_eq!(shown[0]["id"], "hor");
    assert_eq!(
        (&shown[1]["name"], &shown[1]["library"]),
        (&"Knuth-Morris-Pratt".into(), &"assay-comparison".into())
    );
    assert_eq!(
        json("select list"),
        serde_json::json!([{"set": "mine", "count": 2, "algorithms": "hor kmp"}])
    );
    let all = json("select show --all");
    let selected =
        |id: &str| all.as_array().unwrap().iter().find(|row| row["id"] == id).unwrap()["selected"].clone();
    assert_eq!((selected("kmp"), selected("bm")), (true.into(), false.into()));
    let table = user.printed("select show --all");
    let row = table.lines().find(|line| line.starts_with("bm ")).unwrap();
    assert_eq!(row.split_whitespace().take(3).collect::<Vec<_>>(), ["bm", "no", "Boyer-Moore"]);
    assert_eq!(user.printed("select list --format csv"), "set,count,algorithms\nmine,2,hor kmp\n");
    user.told("select none");
    assert_eq!(user.ran("select show --format json").stdout, "[]\n");
    assert!(user.told("select show").starts_with("note: no algorithm is selected"));
    user.told("select add --all");
    let all = user.printed("select show --all --format csv");
    assert!(all.contains(",true,") && !all.contains(",false,"), "{all}");
}

#[test]
fn algorithms_of_a_library_that_is_gone_are_reported_and_stay() {
    let Some(folder) = shared("peers/smart") else { return };
    let user = User::new();
    let added = user.command("select add smart:so smart:hor hor --plugin-dir").arg(&folder).output().unwrap();
    assert_eq!(added.status.code(), Some(0));
    user.told("select save mine");
    let gone = "no library brings smart:so, smart:hor";
    assert_eq!(user.told("select show mine --format csv"), format!("warning: {gone}\n"));
    assert_eq!(user.shown("mine "), "smart:so smart:hor hor");
    assert_eq!(user.measured("--use mine"), "hor");
    let left = user.told("run --use mine --seed 1 --dry-run");
    assert!(left.starts_with(&format!("warning: {gone}; left out\n")), "{left}");
    assert!(user.refused("run kmp2 --use mine").starts_with("error: unknown algorithm `kmp2`"));
    user.told("select remove hor smart:so");
    user.told("select save others");
    assert_eq!(user.shown(""), "smart:hor");
    let none = user.refused("run --use others");
    assert_eq!(
        none,
        "error: no library brings smart:hor\n  help: --plugin-dir names the folder of a library\n"
    );
    user.told("select remove smart:.*");
    assert_eq!(user.shown("mine "), "smart:so smart:hor hor");
}

#[test]
fn a_refused_command_is_reported_and_changes_nothing() {
    let user = User::new();
    for (words, told) in [
        (
            "select remove hor",
            "`hor` is not selected\n  help: nothing is selected: `assay select add ALGO..`",
        ),
        ("select save mine", "no algorithm is selected\n  help: `assay select add ALGO..`"),
        ("run --selected", "no algorithm is selected\n  help: `assay select add ALGO..`"),
        (
            "run --use mine",
            "there is no set `mine`, nor any other\n  help: `assay select add ALGO..` and then",
        ),
        ("select show mine", "there is no set `mine`"),
    ] {
        let stderr = user.refused(words);
        assert!(stderr.starts_with(&format!("error: {told}")), "{words}: {stderr}");
    }
    assert!(!user.file().exists());
    user.told("select add hor bm");
    user.told("select save mine");
    let before = fs::read(user.file()).unwrap();
    for (words, told) in [
        ("select add so hro", "unknown algorithm `hro`\n  help: did you mean hor?"),
        ("select add bm,hor", "unknown algorithm `bm,hor`\n  help: separate algorithms by blanks: bm hor"),
        ("select add (", "`(` is neither an id nor a regular expression"),
        (
            "select add hor --all",
            "--all takes all algorithms, but `hor` is named as well\n  help: leave out --all to take only `hor`",
        ),
        (
            "run mine",
            "unknown algorithm `mine`\n  help: `mine` is a set: `run` and `test` take it as --use mine,",
        ),
        ("select remove bm hro", "`hro` is not selected\n  help: did you mean hor?"),
        ("select remove kmp", "`kmp` is not selected\n  help: the selection is hor bm"),
        ("select save Mine", "`Mine` is not a valid name for a set\n  help: begin with a lower case letter"),
        ("select save ../mine", "`../mine` is not a valid name for a set"),
        ("select use mien", "unknown set `mien`\n  help: did you mean mine?"),
        ("select delete mien", "unknown set `mien`\n  help: did you mean mine?"),
        ("select show mien", "unknown set `mien`\n  help: did you mean mine?"),
        ("run hor --use mien", "unknown set `mien`\n  help: did you mean mine?"),
        ("run --all --use mine", "the argument '--all' cannot be used with '--use <SET>'"),
        ("run --all --selected", "the argument '--all' cannot be used with '--selected'"),
        ("select hor", "`select` has no command `hor`\n  help: `assay select add ALGO..` selects algorithms"),
        ("select shwo", "`select` has no command `shwo`\n  help: did you mean show? `assay select add"),
        ("select -svae x", "unknown option `-svae`\n  help: did you mean -save?"),
        ("select -a bm -r hor", "`-a` and `-r` at once\n  help: write a command for each"),
        ("select -save", "`-save` needs the name of a set"),
    ] {
        let stderr = user.refused(words);
        assert!(stderr.starts_with(&format!("error: {told}")), "{words}: {stderr}");
    }
    let none = user.refused("run");
    assert!(none.contains("--use SET") && none.contains("--selected"), "{none}");
    assert_eq!(fs::read(user.file()).unwrap(), before);
}

#[test]
fn a_torn_file_is_refused_and_stays() {
    let user = User::new();
    user.told("select add hor bm");
    let torn = "selected = [\"hor\", \"b";
    fs::write(user.file(), torn).unwrap();
    for words in ["select show", "select add so", "select none", "run --selected", "run --use mine"] {
        let stderr = user.refused(words);
        assert!(stderr.starts_with(&format!("error: {}:1: ", user.file().display())), "{words}: {stderr}");
        assert!(stderr.contains("\n  help: correct the file, or remove it"), "{words}: {stderr}");
    }
    assert_eq!(fs::read_to_string(user.file()).unwrap(), torn);
    assert_eq!(user.printed("completions bash").matches(torn).count(), 0);
    user.told("run hor --seed 1 --dry-run");
}

#[test]
fn a_place_that_can_not_be_written_is_named() {
    let user = User::new();
    let mut command = user.command("select add hor");
    let ran = run(command.env("ASSAY_CONFIG_DIR", "/proc/no/such"));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    assert!(ran.stderr.starts_with("error: can't make the folder `/proc/no/such`: "), "{}", ran.stderr);
}

#[test]
fn sets_lie_in_the_users_folder_for_configuration() {
    let user = User::new();
    let home = user.0.path();
    let add = |command: &mut Command| assert_eq!(run(command.env_remove("ASSAY_CONFIG_DIR")).code, Some(0));
    add(user.command("select add hor").env("XDG_CONFIG_HOME", home.join("xdg")));
    add(user.command("select add hor").env("HOME", home).env_remove("XDG_CONFIG_HOME"));
    for folder in ["xdg", ".config"] {
        let text = fs::read_to_string(home.join(folder).join("assay/sets.toml")).unwrap();
        assert!(text.contains("selected = [\"hor\"]"), "{folder}: {text}");
    }
}

#[test]
fn shells_know_the_names_of_sets() {
    let user = User::new();
    user.told("select add hor");
    user.told("select save my-own.set");
    let words = |line: &str| completed(user.command("--"), line);
    assert_eq!(words("run --use my"), ["my-own.set"]);
    assert_eq!(words("select delete my"), ["my-own.set"]);
    assert!(!words("counters sets m").contains(&"my-own.set".to_owned()), "it is no set of events");
}
