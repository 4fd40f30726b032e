//! The question whether a library is to be trusted.

use std::fs;

use assay_base::error::Result;
use assay_base::io::console::Console;
use assay_load::plugin::TrustQuestion;

/// Asks on the terminal whether a library is to be trusted from now on.
///
/// # Errors
/// If the answer can't be read.
pub(super) fn ask(console: &Console, about: &TrustQuestion<'_>) -> Result<bool> {
    let bytes = fs::metadata(about.path).map(|metadata| metadata.len()).unwrap_or_default();
    let path = about.path.display();
    let what = match about.accepted {
        Some(earlier) => format!("`{path}` has changed since you accepted it.\n  SHA-256 then: {earlier}"),
        None => format!("`{path}` is a library that you have not accepted yet."),
    };
    console.ask(&format!(
        "{what}\n  SHA-256 now:  {}\n  The file has {bytes} bytes. Its code would run in the sandbox; with --no-sandbox or --in-process it would have all \
         your rights.\n\
         Trust it from now on?",
        about.sha256
    ))
}
