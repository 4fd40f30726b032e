//! Debug builds: their times say little about an algorithm, so they are timed only if the user knows about
//! it.

use std::collections::BTreeSet;

use assay_base::error::{Error, Result};
use assay_base::io::console::Console;

use super::definition::Stats;
use super::selection::Chosen;

/// The environment variable that does what `--allow-debug` does.
const VARIABLE: &str = "ASSAY_ALLOW_DEBUG";

/// Refuses to time debug builds of libraries. If this program is a debug build as well, it only warns,
/// because somebody who has just built everything with plain `cargo build` wants to see figures. With
/// `allowed`, it does neither. Figures of debug builds are marked in any case.
///
/// # Errors
/// If a library is a debug build and this program is not.
pub(crate) fn check(algorithms: &[Chosen], stats: Stats, allowed: bool, console: &Console) -> Result<()> {
    if allowed || stats == Stats::Algo || std::env::var_os(VARIABLE).is_some_and(|value| !value.is_empty()) {
        return Ok(());
    }
    if let Some(warning) = warning(cfg!(debug_assertions), &debug_builds(algorithms))? {
        console.warn(warning);
    }
    Ok(())
}

/// The warning about debug builds; `None` if neither this program nor a library is one.
///
/// # Errors
/// If a library is a debug build and this program is not.
fn warning(is_debug: bool, libraries: &[String]) -> Result<Option<&'static str>> {
    if is_debug {
        return Ok(Some(
            "this assay is a debug build: its times say little about a release build (`cargo build --release`; --allow-debug \
             silences this)",
        ));
    }
    match libraries {
        [] => Ok(None),
        libraries => Err(Error::new(format!(
            "debug builds of libraries are not timed: {} ({})",
            libraries.join(", "),
            if libraries.len() == 1 { "its times would say little" } else { "their times would say little" }
        ))
        .remedy("build with `cargo build --release`, or time them all the same with --allow-debug")),
    }
}

/// The files of the libraries that say that they are debug builds, each once and sorted.
fn debug_builds(algorithms: &[Chosen]) -> Vec<String> {
    let debug = algorithms.iter().filter(|chosen| chosen.listing.library.info.debug == Some(true));
    let files: BTreeSet<String> =
        debug.map(|chosen| chosen.listing.library.path.display().to_string()).collect();
    files.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::testing::example;

    #[test]
    fn a_debug_build_is_refused_where_it_is_the_only_one_and_else_warned_of() {
        let libraries = ["a.so".to_owned(), "b.so".to_owned()];
        assert!(warning(true, &libraries).unwrap().unwrap().contains("cargo build --release"));
        assert_eq!(warning(false, &[]).unwrap(), None);
        let refused = warning(false, &libraries).unwrap_err().to_string();
        assert!(
            refused.contains("a.so, b.so (their times") && refused.contains("--allow-debug"),
            "{refused}"
        );
        assert!(warning(false, &libraries[..1]).unwrap_err().to_string().contains("a.so (its times"));
    }

    #[test]
    fn a_library_that_does_not_say_is_not_held_to_be_a_debug_build() {
        let mut algorithms = example(4, 1).algorithms;
        for (chosen, debug) in algorithms.iter_mut().zip([Some(true), Some(false), None, Some(true)]) {
            let library = Arc::make_mut(&mut chosen.listing.library);
            (library.path, library.info.debug) = (format!("{debug:?}.so").into(), debug);
        }
        assert_eq!(debug_builds(&algorithms), ["Some(true).so"]);
        assert!(debug_builds(&algorithms[1..3]).is_empty());
    }
}
