//! How long the program takes to start with 20 plugin libraries: `assay list --quiet`, with an empty cache
//! and with a full one. Target: less than 50 ms with a full one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use assay_tests::{assay, foreign_workspace, isolate, repository, run, scratch};

const LIBRARIES: usize = 20;

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let plugins = folder.path().join("plugins");
    fs::create_dir(&plugins).expect("the folder is new");
    for library in libraries() {
        let name = library.file_name().expect("it is a file");
        fs::copy(&library, plugins.join(name)).expect("libraries can be copied");
    }
    // Away from its own libraries, so that it finds these 20 alone.
    let program = folder.path().join("assay");
    fs::copy(assay().get_program(), &program).expect("the program can be copied");

    let cache = folder.path().join("cache");
    let command = |arguments: &[&str]| {
        let mut command = Command::new(&program);
        isolate(&mut command);
        command.args(arguments).arg("--plugin-dir").arg(&plugins).env("ASSAY_CACHE_DIR", &cache);
        command
    };
    let listed = run(&mut command(&["list", "--strict", "--format", "csv"]));
    assert_eq!(listed.stdout.lines().count(), 1 + LIBRARIES, "{}", listed.stderr);

    let list = || time(&mut command(&["list", "--quiet"]));
    let warm = (0..100).map(|_| list()).collect();
    let cold =
        (0..20).map(|_| fs::remove_dir_all(&cache).map(|()| list()).expect("the cache is there")).collect();
    let bare = (0..100).map(|_| time(&mut command(&["--version"]))).collect();
    report("assay list, full cache", warm);
    report("assay list, empty cache", cold);
    report("assay --version", bare);
}

fn time(command: &mut Command) -> Duration {
    let start = Instant::now();
    let ran = run(command);
    let time = start.elapsed();
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    time
}

fn report(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let [least, median, greatest] =
        [0, times.len() / 2, times.len() - 1].map(|i| times[i].as_secs_f64() * 1e3);
    println!("{what:<24} min {least:6.2} ms   median {median:6.2} ms   max {greatest:6.2} ms");
}

/// Builds small plugin crates with an id each, in a workspace of their own, and says where their libraries
/// lie.
fn libraries() -> Vec<PathBuf> {
    let workspace = scratch().join("many");
    let manifest =
        "[workspace]\nmembers = [\"plugin*\"]\nresolver = \"3\"\n[profile.release]\nstrip = true\n";
    write(&workspace.join("Cargo.toml"), manifest);
    // The same versions as here, so that nothing needs to be looked up.
    fs::copy(repository().join("Cargo.lock"), workspace.join("Cargo.lock"))
        .expect("the lock file can be copied");
    let api = repository().join("plugin-api");
    for number in 0..LIBRARIES {
        let krate = workspace.join(format!("plugin{number}"));
        let manifest = format!(
            "[package]\nname = \"plugin{number}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
             [lib]\ncrate-type = [\"cdylib\"]\n[dependencies]\nassay-plugin-api = {{ path = {api:?} }}\n"
        );
        let source = format!(
            "assay_plugin_api::register!(statistic assay_plugin_api::Statistic {{\n    id: \"sum{number}\",\n    \
             summary: \"the sum\",\n    reduce: |values| vec![values.iter().sum()],\n    ..assay_plugin_api::Statistic::UNKNOWN\n}});\n"
        );
        write(&krate.join("Cargo.toml"), &manifest);
        write(&krate.join("src/lib.rs"), &source);
    }
    let target = foreign_workspace(&workspace.join("Cargo.toml"), &["--release"]);
    (0..LIBRARIES).map(|number| target.join(format!("release/libplugin{number}.so"))).collect()
}

/// Writes a file only if its content changes, so that cargo builds it only then.
fn write(path: &Path, content: &str) {
    if fs::read_to_string(path).is_ok_and(|old| old == content) {
        return;
    }
    fs::create_dir_all(path.parent().expect("it lies in a folder"))
        .expect("the scratch folder can be written");
    fs::write(path, content).expect("the scratch folder can be written");
}
