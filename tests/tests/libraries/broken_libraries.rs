//! Whatever lies in a plugin folder: one warning a file, one line, and the rest works.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use assay_abi::ABI;
use assay_tests::{Ran, assay, c_library, fixture, foreign_workspace, repository, run};
use tempfile::TempDir;

/// Lists everything, with `folder` searched first, and with little patience for what hangs there.
fn list(folder: &Path, more: &[&str]) -> Ran {
    // The project's own libraries are known by then, however slow the machine.
    static KNOWN: OnceLock<Ran> = OnceLock::new();
    KNOWN.get_or_init(|| run(assay().arg("list")));
    run(assay().args(["list", "--plugin-dir"]).arg(folder).args(more).env("ASSAY_PATIENCE_MS", "1000"))
}

/// Expects that a library costs one line, with these words in it, and nothing else; and exit status 2 with
/// `--strict`.
fn expect_refused(library: &Path, words: &[&str]) {
    let folder = library.parent().unwrap();
    let ran = list(folder, &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("Horspool"), "the rest does not work: {}", ran.stdout);
    let path = library.to_str().unwrap();
    let lines: Vec<&str> = ran.stderr.lines().filter(|line| line.contains(path)).collect();
    assert_eq!(lines.len(), 1, "{}", ran.stderr);
    assert!(lines[0].starts_with(&format!("warning: can't use `{path}`: ")), "{}", lines[0]);
    for word in words.iter().chain(&["; expected "]) {
        assert!(lines[0].contains(word), "{word:?} is not in: {}", lines[0]);
    }

    let strict = list(folder, &["--strict"]);
    assert_eq!((strict.code, strict.stdout.as_str()), (Some(2), ""), "{}", strict.stderr);
    assert!(strict.stderr.starts_with("error: ") && strict.stderr.contains(&format!("can't use `{path}`")));
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn file(folder: &TempDir, name: &str, content: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    path
}

#[test]
fn an_empty_file() {
    let folder = folder();
    expect_refused(&file(&folder, "libempty.so", b""), &["it is empty", "a shared library"]);
}

#[test]
fn a_text_file() {
    let folder = folder();
    expect_refused(
        &file(&folder, "libtext.so", b"GROUP ( libreal.so )\n"),
        &["it is a text file", "move it"],
    );
}

#[test]
fn a_truncated_library() {
    let folder = folder();
    let whole = fs::read(fixture("foreign_plugin")).unwrap();
    // After the headers; in the middle; all but the last byte.
    for length in [4096, whole.len() / 2, whole.len() - 1] {
        let library = file(&folder, "libtruncated.so", &whole[..length]);
        expect_refused(&library, &["it is truncated", &format!("it has {length} bytes"), "copy it again"]);
    }
}

#[test]
fn a_library_of_another_architecture() {
    let folder = folder();
    let mut content = fs::read(fixture("foreign_plugin")).unwrap();
    const S390: [u8; 2] = 22u16.to_le_bytes();
    content[18..20].copy_from_slice(&S390);
    expect_refused(&file(&folder, "libother.so", &content), &["it is made for S390", "with 64 bits; get it"]);
}

#[test]
fn a_library_without_entry_point() {
    let folder = folder();
    let library = c_library(folder.path(), "plain", "int answer(void) { return 42; }", &[]);
    expect_refused(&library, &["no entry point (symbol `assay_abi`)", "made with assay-plugin-api"]);
}

#[test]
fn a_missing_dependency() {
    let folder = folder();
    let gone = c_library(folder.path(), "gone", "int gone(void) { return 42; }", &[]);
    let source = "int gone(void); int answer(void) { return gone(); }";
    let search = format!("-L{}", folder.path().display());
    let library = c_library(folder.path(), "needy", source, &[&search, "-lgone", "-Wl,--no-as-needed"]);
    fs::remove_file(gone).unwrap();
    expect_refused(&library, &["it needs `libgone.so`, which is not found", "LD_LIBRARY_PATH"]);
    // What is missing may be installed without a change of the library.
    let elsewhere = tempfile::tempdir().unwrap();
    c_library(elsewhere.path(), "gone", "int gone(void) { return 42; }", &[]);
    let mut list = assay();
    let ran =
        run(list.args(["list", "--plugin-dir"]).arg(folder.path()).env("LD_LIBRARY_PATH", elsewhere.path()));
    assert!(ran.stderr.contains("no entry point"), "{}", ran.stderr);
}

#[test]
fn an_unresolved_symbol() {
    let folder = folder();
    let source = "int gone(void); int answer(void) { return gone(); }";
    let library = c_library(folder.path(), "unresolved", source, &["-Wl,-z,lazy"]);
    expect_refused(&library, &["the symbol `gone` is defined nowhere"]);
}

#[test]
fn an_incompatible_abi_version() {
    let folder = folder();
    for (major, remedy) in [(ABI.major + 1, "update assay"), (ABI.major - 1, "rebuild it")] {
        let source = format!("struct {{ unsigned major, minor; }} assay_abi = {{ {major}, 7 }};");
        let library = c_library(folder.path(), "version", &source, &[]);
        let expected = format!("expected plugin ABI {}.x", ABI.major);
        expect_refused(&library, &[&format!("it has plugin ABI {major}.7"), &expected, remedy]);
    }
}

#[test]
fn an_entry_point_of_another_shape() {
    let folder = folder();
    let source = format!(
        "struct {{ unsigned major, minor; }} assay_abi = {{ {}, {} }}; char assay_rust_plugin[4096];",
        ABI.major, ABI.minor
    );
    let library = c_library(folder.path(), "shape", &source, &[]);
    expect_refused(&library, &["abi_stable", "rebuild it"]);
    let verbose = list(folder.path(), &["--verbose"]);
    assert!(verbose.stderr.lines().count() > list(folder.path(), &[]).stderr.lines().count());
}

#[test]
fn an_entry_point_of_another_shape_in_a_library_that_is_newer() {
    let folder = folder();
    let source = format!(
        "struct {{ unsigned major, minor; }} assay_abi = {{ {}, {} }}; char assay_rust_plugin[4096];",
        ABI.major,
        ABI.minor + 1
    );
    let library = c_library(folder.path(), "newer", &source, &[]);
    expect_refused(&library, &["abi_stable", "update assay, or get a build of the library for this one"]);
}

#[test]
fn a_constructor_that_exits() {
    let folder = folder();
    let source = "#include <stdlib.h>\n__attribute__((constructor)) static void bad(void) { exit(0); }";
    let library = c_library(folder.path(), "exits", source, &[]);
    expect_refused(&library, &["ends the process with exit status 0", "constructors"]);
}

#[test]
fn a_constructor_that_crashes() {
    let folder = folder();
    let source = "__attribute__((constructor)) static void bad(void) { *(volatile int *)8 = 1; }";
    let library = c_library(folder.path(), "crashes", source, &[]);
    expect_refused(&library, &["crashes the process (SIGSEGV"]);
}

#[test]
fn a_constructor_that_hangs() {
    let folder = folder();
    let source =
        "#include <unistd.h>\n__attribute__((constructor)) static void bad(void) { for (;;) pause(); }";
    let library = c_library(folder.path(), "hangs", source, &[]);
    expect_refused(&library, &["hangs: no answer within 1 s"]);

    // Another time it may be quicker, so it was not remembered and needs patience again.
    let nonsense =
        run(assay().args(["list", "--plugin-dir"]).arg(folder.path()).env("ASSAY_PATIENCE_MS", "0.5s"));
    assert_eq!((nonsense.code, nonsense.stdout.as_str()), (Some(2), ""));
    assert!(nonsense.stderr.starts_with("error: ASSAY_PATIENCE_MS is `0.5s`"), "{}", nonsense.stderr);
}

#[test]
fn a_library_with_nothing_registered() {
    let folder = folder();
    let library = folder.path().join("libnothing.so");
    fs::copy(fixture("nothing_registered"), &library).unwrap();
    expect_refused(&library, &["nothing is registered in it", "register!"]);
}

#[test]
fn a_library_that_brings_again_what_another_crate_registers() {
    let folder = folder();
    let families = repository().join("tests/fixtures/families/Cargo.toml");
    let built = foreign_workspace(&families, &["--locked"]).join("debug");
    let library = folder.path().join("libborrower.so");
    fs::copy(built.join("libborrower.so"), &library).unwrap();
    expect_refused(
        &library,
        &["the crates `borrower` and `mine` register things in it", "one crate registers"],
    );
    // The family itself and its twins are used.
    for name in ["libmine.so", "libstat_mine.so"] {
        fs::copy(built.join(name), folder.path().join(name)).unwrap();
    }
    let ran = run(assay().args(["list", "algorithms", "--format", "csv", "--plugin-dir"]).arg(folder.path()));
    for id in ["algorithm,naive,", "algorithm,stat_naive,"] {
        assert_eq!(ran.stdout.matches(id).count(), 1, "{}", ran.stdout);
    }
    assert_eq!(ran.warnings().len(), 1, "{}", ran.stderr);
}

#[test]
fn a_constructor_that_prints_is_not_heard() {
    let folder = folder();
    let source = "#include <stdio.h>\n#include <unistd.h>\n__attribute__((constructor)) static void bad(void) {\n\
                  puts(\"{\\\"Ok\\\":1}\"); fflush(stdout); if (write(1, \"noise\\n\", 6) + write(2, \"noise\\n\", 6)) {} }";
    let library = c_library(folder.path(), "noisy", source, &[]);
    expect_refused(&library, &["no entry point"]);
    let ran = list(folder.path(), &["--format", "json"]);
    assert!(serde_json::from_str::<serde_json::Value>(&ran.stdout).is_ok_and(|json| json.is_array()));
    assert!(!ran.stderr.contains("noise"), "{}", ran.stderr);
}

#[test]
fn one_warning_a_file_and_the_good_one_among_them_works() {
    let folder = folder();
    file(&folder, "liba.so", b"");
    let crash = "__attribute__((constructor)) static void bad(void) { __builtin_trap(); }";
    c_library(folder.path(), "b", crash, &[]);
    fs::copy(fixture("foreign_plugin"), folder.path().join("libc.so")).unwrap();
    let exit = "#include <stdlib.h>\n__attribute__((constructor)) static void bad(void) { exit(3); }";
    c_library(folder.path(), "d", exit, &[]);
    c_library(folder.path(), "e", "int answer(void) { return 42; }", &[]);

    let ran = list(folder.path(), &["--format", "csv"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.stdout.contains("algorithm,notsonaive,"), "{}", ran.stdout);
    let place = folder.path().to_str().unwrap();
    let warnings: Vec<&str> = ran.warnings().into_iter().filter(|line| line.contains(place)).collect();
    assert_eq!(warnings.len(), 4, "{}", ran.stderr);
    for (warning, name) in warnings.iter().zip(["liba.so", "libb.so", "libd.so", "libe.so"]) {
        assert!(warning.contains(name), "{warning}");
    }
    assert_eq!(list(folder.path(), &["--quiet"]).stderr, "");
}

#[test]
fn a_known_library_is_not_loaded_again_until_its_content_changes() {
    let folder = folder();
    let mark = folder.path().join("loaded");
    let build = |number: u32| {
        let source = format!(
            "#include <fcntl.h>\nint number = {number};\n\
             __attribute__((constructor)) static void mark(void) {{ open(\"{}\", O_CREAT | O_WRONLY, 0600); }}",
            mark.display()
        );
        c_library(folder.path(), "marks", &source, &[])
    };
    // Another process that writes the cache at the same time may lose what this one has noted.
    let cache = folder.path().join("cache");
    // In the sandbox, the constructor could not leave its mark.
    let list = |folder: &Path| {
        let mut command = assay();
        command.args(["list", "--no-sandbox", "--plugin-dir"]).arg(folder);
        run(command.env("ASSAY_CACHE_DIR", &cache))
    };
    let loaded = || {
        list(folder.path());
        fs::remove_file(&mark).is_ok()
    };
    let library = build(1);
    assert!(loaded());
    assert!(!loaded());
    let elsewhere = folder.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::copy(&library, elsewhere.join(library.file_name().unwrap())).unwrap();
    fs::remove_file(&library).unwrap();
    list(&elsewhere);
    assert!(!mark.exists(), "the same content in another folder");
    fs::rename(elsewhere.join(library.file_name().unwrap()), elsewhere.join("libother.so")).unwrap();
    list(&elsewhere);
    assert!(fs::remove_file(&mark).is_ok(), "under another name, it may bring another algorithm");
    build(2);
    assert!(loaded());
}
