//! Which libraries may run their code: those that the user has accepted, and what becomes of the others.

use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use assay_tests::{Ran, assay, c_library, run, skip};
use serde_json::Value;
use tempfile::TempDir;

/// An algorithm in SMART's form, which leaves a mark when it is loaded, where it can.
const SOURCE: &str = "
    #include <stdio.h>
    #include <string.h>
    static void mark(void) {
        FILE *file = fopen(MARK, \"a\");
        if (file) { fputc('.', file); fclose(file); }
    }
    __attribute__((constructor)) static void loaded(void) { mark(); }
    int internal_search(unsigned char *p, int m, unsigned char *t, int n, double *pre, double *run, void *s, void *x) {
        int found = 0;
        for (int i = 0; i + m <= n; i++) found += !memcmp(t + i, p, m);
        *pre = *run = 0.001;
        return found;
    }
";

/// A user with folders of their own.
struct User(TempDir);

impl User {
    fn new() -> Self {
        let user = User(tempfile::tempdir().unwrap());
        fs::create_dir_all(user.plugins()).unwrap();
        user
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The user's folder of plugins, which is always searched.
    fn plugins(&self) -> PathBuf {
        self.path("data/assay/plugins")
    }

    /// Compiles a library with this id to a folder. `build` makes contents differ.
    fn library(&self, folder: &Path, id: &str, build: u32) -> PathBuf {
        fs::create_dir_all(folder).unwrap();
        let source = format!("#define MARK {:?}\n{SOURCE}\nint build = {build};\n", self.path("mark"));
        let built = c_library(&self.path(""), id, &source, &["-O1", "-w", "-falign-functions=64"]);
        let library = folder.join(format!("{id}.so"));
        fs::rename(built, &library).unwrap();
        library
    }

    fn is_marked(&self) -> bool {
        self.path("mark").exists()
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = assay();
        command.args(words).env_remove("ASSAY_TRUST").env("ASSAY_CONFIG_DIR", self.path("config"));
        command.env("XDG_DATA_HOME", self.path("data")).env("ASSAY_CACHE_DIR", self.path("cache"));
        command
    }

    fn run(&self, words: &[&str]) -> Ran {
        run(&mut self.command(words))
    }

    /// Whether the library of this id is used by a command, which also gives its warnings.
    fn uses(&self, id: &str, more: &[&str]) -> (bool, Vec<String>) {
        let ran = self.run(&[&["list", "algorithms", "--format", "csv"], more].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let used = ran.stdout.contains(&format!("algorithm,smart:{id},"));
        (used, ran.warnings().into_iter().map(str::to_owned).collect())
    }

    /// The trust in each library that is not ours, by the name of its file.
    fn listed(&self, more: &[&str]) -> Vec<(String, String)> {
        let ran = self.run(&[&["plugins", "list", "--format", "json"], more].concat());
        let libraries: Vec<Value> = serde_json::from_str(&ran.stdout).unwrap();
        let text = |library: &Value, name: &str| library[name].as_str().unwrap_or_default().to_owned();
        let ours = assay_tests::libraries();
        let others = libraries.iter().filter(|library| !Path::new(&text(library, "path")).starts_with(ours));
        let name = |path: String| path.rsplit('/').next().unwrap().to_owned();
        others.map(|library| (name(text(library, "path")), text(library, "trust"))).collect()
    }
}

fn pair(name: &str, trust: &str) -> (String, String) {
    (name.to_owned(), trust.to_owned())
}

#[test]
fn what_was_shipped_needs_no_question() {
    let user = User::new();
    for policy in ["ask", "deny"] {
        let ran = user.run(&["list", "--strict", "--trust", policy]);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    }
    // A copy is as good.
    let copies = user.path("copies");
    fs::create_dir(&copies).unwrap();
    fs::copy(assay_tests::libraries().join("libassay_metrics.so"), copies.join("a.so")).unwrap();
    let folder = copies.to_str().unwrap();
    assert_eq!(user.listed(&["--plugin-dir", folder]), [pair("a.so", "shipped")]);
    assert_eq!(user.run(&["list", "--strict", "--trust", "deny", "--plugin-dir", folder]).code, Some(0));
}

#[test]
fn a_library_that_is_dropped_into_a_found_folder_is_not_loaded_before_it_is_accepted() {
    let user = User::new();
    let library = user.library(&user.plugins(), "dropped", 1);
    let folder = user.plugins().display().to_string();
    let (used, warnings) = user.uses("dropped", &[]);
    let accepts = format!("`assay plugins trust {folder}` accepts what is there now");
    assert!(!used && !user.is_marked(), "nothing of it was loaded");
    assert!(warnings.len() == 1 && warnings[0].contains("1 library of `"), "{warnings:?}");
    assert!(warnings[0].contains("left out") && warnings[0].contains(&accepts), "{warnings:?}");
    let strict = user.run(&["list", "--strict"]);
    assert!(strict.code == Some(2) && strict.stderr.contains(&accepts), "{}", strict.stderr);
    assert_eq!(user.listed(&[]), [pair("dropped.so", "no")]);
    // The variable names folders that are found as well.
    let mut named = user.command(&["list"]);
    named.env("XDG_DATA_HOME", user.path("nothing")).env("ASSAY_PLUGIN_PATH", user.plugins());
    assert!(run(&mut named).warnings()[0].contains(&accepts));
    assert!(user.uses("dropped", &["--trust", "warn"]).0);

    let ran = user.run(&["plugins", "trust", &folder]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(user.uses("dropped", &["--strict"]), (true, vec![]));
    assert_eq!(user.uses("dropped", &["--trust", "deny"]), (true, vec![]));
    assert_eq!(user.listed(&[]), [pair("dropped.so", "yes")]);
    let list = fs::read_to_string(user.path("config/trusted.toml")).unwrap();
    assert!(list.contains(&format!("path = \"{}\"", library.canonicalize().unwrap().display())), "{list}");
    assert!(list.contains("accepted = \"20") && list.contains("sha256 = \""), "{list}");

    // The content that was accepted is known at another place, too; another content at this place is not.
    let before = list.split("sha256 = \"").nth(1).unwrap()[..12].to_owned();
    fs::copy(&library, user.plugins().join("moved.so")).unwrap();
    user.library(&user.plugins(), "dropped", 2);
    let (used, warnings) = user.uses("dropped", &[]);
    assert!(!used && warnings.len() == 1, "{warnings:?}");
    assert!(
        warnings[0].contains("has changed since you accepted it") && warnings[0].contains(&before),
        "{warnings:?}"
    );
    assert_eq!(user.listed(&[]), [pair("dropped.so", "changed"), pair("moved.so", "yes")]);

    let ran = user.run(&["plugins", "distrust", &before]);
    assert!(ran.code == Some(0) && ran.stdout.contains("no longer accepted"), "{}", ran.stderr);
    assert_eq!(user.listed(&[]), [pair("dropped.so", "no"), pair("moved.so", "no")]);
    let ran = user.run(&["plugins", "distrust", &before]);
    assert!(ran.code == Some(2) && ran.stderr.contains("is not among the libraries"), "{}", ran.stderr);
}

#[test]
fn a_folder_on_the_command_line_gets_one_warning_until_its_libraries_are_accepted() {
    let user = User::new();
    let folder = user.path("mine");
    user.library(&folder, "one", 1);
    let two = user.library(&folder, "two", 2);
    let named = ["--plugin-dir", folder.to_str().unwrap()];
    let (used, warnings) = user.uses("one", &named);
    assert!(used && warnings.len() == 1, "{warnings:?}");
    let shown = folder.display();
    let line = format!(
        "warning: 2 libraries of `{shown}` are not trusted, and used nevertheless: one.so two.so; \
         `assay plugins trust {shown}` accepts what is there now"
    );
    assert_eq!(warnings[0], line);
    assert_eq!(user.run(&[&["list", "--strict"], &named[..]].concat()).code, Some(0), "they can be used");
    user.run(&["plugins", "trust", two.to_str().unwrap()]);
    assert!(user.uses("one", &named).1[0].contains("1 library of"));
    assert_eq!(user.listed(&named), [pair("one.so", "no"), pair("two.so", "yes")]);
    for (policy, used) in [("deny", false), ("allow", true)] {
        let mut list = user.command(&["list", "algorithms", "--format", "csv"]);
        let ran = run(list.args(named).env("ASSAY_TRUST", policy));
        assert_eq!((ran.stdout.contains("smart:one,"), ran.warnings().is_empty()), (used, used), "{policy}");
    }
    // The option wins over the file, and the file over the default.
    fs::write(user.path("config/config.toml"), "[trust]\nnamed = \"deny\"\n").unwrap();
    assert!(!user.uses("one", &named).0 && user.uses("one", &[&["--trust", "allow"], &named[..]].concat()).0);
    fs::write(user.path("config/config.toml"), "[trust]\nnamed = \"perhaps\"\n").unwrap();
    let ran = user.run(&["list"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("config.toml:2: "), "{}", ran.stderr);
}

#[test]
fn what_others_may_write_to_is_refused_with_the_command_that_ends_this() {
    let user = User::new();
    let folder = user.path("open");
    let library = user.library(&folder, "open", 1);
    let named = ["--plugin-dir", folder.to_str().unwrap()];
    for (place, mode, command) in
        [(&folder, 0o777, "chmod o-w,g-w"), (&library, 0o646, "chmod o-w"), (&folder, 0o757, "chmod o-w")]
    {
        fs::set_permissions(place, Permissions::from_mode(mode)).unwrap();
        let command = format!("{command} {}", place.display());
        let (used, warnings) = user.uses("open", &[&["--trust", "allow"], &named[..]].concat());
        assert!(!used && !user.is_marked(), "{mode:o}");
        assert!(warnings.len() == 1 && warnings[0].ends_with(&format!("run `{command}`")), "{warnings:?}");
        for words in [["plugins", "trust"], ["plugins", "info"], ["plugins", "check"]] {
            let ran = user.run(&[&words[..], &[library.to_str().unwrap()]].concat());
            let told = format!("{}{}", ran.stdout, ran.stderr);
            assert!(ran.code != Some(0) && told.contains("may write to"), "{words:?}: {told}");
        }
        let mended = Command::new("sh").args(["-c", &command]).status().unwrap();
        assert!(mended.success());
        assert!(user.uses("open", &[&["--trust", "allow"], &named[..]].concat()).0);
        let _ = fs::remove_file(user.path("mark"));
        fs::remove_dir_all(user.path("cache")).unwrap();
    }
    if chown(&library, Some(12345), None).is_err() {
        return skip("nothing can be run as another user here");
    }
    let (used, warnings) = user.uses("open", &named);
    assert!(!used && warnings[0].contains("another user (number 12345) owns `"), "{warnings:?}");
}

#[test]
fn a_damaged_list_is_refused_and_never_counts_as_empty() {
    let user = User::new();
    let library = user.library(&user.plugins(), "mine", 1);
    user.run(&["plugins", "trust", library.to_str().unwrap()]);
    let list = user.path("config/trusted.toml");
    let whole = fs::read_to_string(&list).unwrap();
    fs::write(&list, &whole[..whole.len() - 20]).unwrap();
    for words in [&["list"][..], &["plugins", "trust", "mine.so"], &["plugins", "distrust", "12345678"]] {
        let ran = user.run(words);
        let lines: Vec<&str> = ran.stderr.lines().filter(|line| line.starts_with("error: ")).collect();
        assert_eq!((ran.code, lines.len()), (Some(2), 1), "{words:?}: {}", ran.stderr);
        assert!(
            ran.stderr.contains("trusted.toml:") && ran.stderr.contains("help: correct"),
            "{}",
            ran.stderr
        );
    }
    fs::write(&list, whole).unwrap();
    assert!(user.uses("mine", &[]).0);
}

#[test]
fn a_named_file_is_looked_at_without_trust_and_that_is_said() {
    let user = User::new();
    let library = user.library(&user.path("mine"), "mine", 1);
    let path = library.to_str().unwrap();
    let check = user.run(&["plugins", "check", path]);
    assert_eq!(check.code, Some(0), "{}{}", check.stdout, check.stderr);
    assert!(
        check.stdout.contains(&format!(
            "  -     not trusted: you have not accepted it; `assay plugins trust {path}`"
        ))
    );
    let trust = || {
        let info = user.run(&["plugins", "info", path, "--format", "json"]);
        serde_json::from_str::<Value>(&info.stdout).unwrap()["trust"].as_str().unwrap().to_owned()
    };
    assert_eq!(trust(), "no");
    user.run(&["plugins", "trust", path]);
    assert_eq!(trust(), "yes");
    assert!(!user.run(&["plugins", "check", path]).stdout.contains("not trusted"));
}

/// Runs a command on a terminal, and types the answers. `None`, with the reason printed, if that can't be
/// done.
fn on_a_terminal(command: &Command, answers: &str) -> Option<Ran> {
    let quoted = |word: &std::ffi::OsStr| format!("'{}'", word.to_str().unwrap());
    let words: Vec<String> =
        [command.get_program()].into_iter().chain(command.get_args()).map(quoted).collect();
    let mut terminal = Command::new("script");
    terminal.args(["-q", "-e", "-c", &words.join(" "), "/dev/null"]);
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => terminal.env(name, value),
            None => terminal.env_remove(name),
        };
    }
    terminal.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let Ok(mut running) = terminal.spawn() else {
        skip("script is not installed");
        return None;
    };
    running.stdin.take().unwrap().write_all(answers.as_bytes()).unwrap();
    let output = running.wait_with_output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    Some(Ran { code: output.status.code(), stdout, stderr: String::new() })
}

#[test]
fn on_a_terminal_each_library_is_asked_about_and_yes_is_for_good() {
    let user = User::new();
    user.library(&user.plugins(), "good", 1);
    user.library(&user.plugins(), "strange", 2);
    let list = || user.command(&["list", "algorithms", "--format", "csv"]);
    let Some(ran) = on_a_terminal(&list(), "y\nn\n") else { return };
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    for told in [
        "good.so` is a library that you have not accepted yet.",
        "strange.so` is a library",
        "SHA-256 now:  ",
    ] {
        assert!(ran.stdout.contains(told), "{}", ran.stdout);
    }
    assert_eq!(ran.stdout.matches("Trust it from now on? [y/N]").count(), 2, "{}", ran.stdout);
    assert!(ran.stdout.contains("smart:good,") && !ran.stdout.contains("smart:strange,"), "{}", ran.stdout);
    assert_eq!(user.listed(&[]), [pair("good.so", "yes"), pair("strange.so", "no")]);
    let ran = on_a_terminal(&list(), "\n").unwrap();
    assert_eq!(
        ran.stdout.matches("Trust it from now on?").count(),
        1,
        "only about the other: {}",
        ran.stdout
    );
    user.library(&user.plugins(), "good", 3);
    let ran = on_a_terminal(&list(), "no\nyes\n").unwrap();
    assert!(ran.stdout.contains("good.so` has changed since you accepted it."), "{}", ran.stdout);
    assert!(!ran.stdout.contains("smart:good,") && ran.stdout.contains("smart:strange,"), "{}", ran.stdout);
}
