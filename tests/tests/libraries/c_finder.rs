//! The C library of `assay-finder`: what its header promises, and the commands that the book shows.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use assay_tests::{expect_success, foreign_workspace, repository, run};

/// The folder of the C library, in the repository.
const FOLDER: &str = "plugins/finder/c";

/// The folder with the built library.
fn built() -> PathBuf {
    foreign_workspace(&repository().join(FOLDER).join("Cargo.toml"), &["--locked"]).join("debug")
}

#[test]
fn it_does_what_its_header_says() {
    let built = built();
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let program = folder.path().join("check");
    let source = repository().join(FOLDER);
    let compile = |language: &str, library: &Path, program: &Path| {
        let mut compiler = Command::new("cc");
        compiler.args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", language, "-I"]).arg(&source);
        compiler.arg(source.join("check.c")).arg(library).arg("-o").arg(program);
        // For versions of glibc that have these apart.
        expect_success(compiler.args(["-lpthread", "-ldl", "-lm"]));
    };
    // The static library and the shared one.
    for library in ["libassay_finder.a", "libassay_finder.so"] {
        compile("-std=c11", &built.join(library), &program);
        // Each with its own instructions; those that the CPU does not have are replaced by the best that it has.
        for instructions in ["plain", "sse2", "avx2", "avx512", "avx512-planes"] {
            let mut check = Command::new(&program);
            let ran = run(check.env("ASSAY_FINDER", instructions).env("LD_LIBRARY_PATH", &built));
            assert_eq!(ran.stdout, "all as the header says\n", "{library} with {instructions}: {ran:?}");
            assert_eq!(ran.code, Some(0), "{ran:?}");
        }
    }
}

#[test]
fn the_commands_of_the_book_build_its_example() {
    let page = fs::read_to_string(repository().join("docs/src/finder.md")).expect("the page is text");
    let command = page.lines().find(|line| line.starts_with("cc ")).expect("the page says how to compile");
    let release = format!("{FOLDER}/target/release");
    assert!(command.contains(&release), "{command}");
    let build = format!("cargo build --release --manifest-path {FOLDER}/Cargo.toml");
    assert!(page.lines().any(|line| line == build), "the page says how to build the library");
    let source = fs::read_to_string(repository().join(FOLDER).join("example.c")).expect("it is text");
    assert!(page.contains(&source), "the page shows the example as it is");

    let folder = tempfile::tempdir().expect("there is room for a folder");
    symlink(repository().join("plugins"), folder.path().join("plugins")).expect("the folder is new");
    let command = command.replace(&release, &built().display().to_string());
    let ran = run(Command::new("sh").args(["-c", &command]).current_dir(folder.path()));
    assert_eq!((ran.stdout.as_str(), ran.code), ("ana at 1\nana at 3\nnas: nas\n", Some(0)), "{ran:?}");
}
