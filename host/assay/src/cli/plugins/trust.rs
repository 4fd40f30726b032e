//! `assay plugins trust` and `distrust`: which libraries the user accepts.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use assay_base::error::{Error, Result};
use assay_base::io::shell::quoted;
use assay_load::plugin::{AcceptedLibraries, Library, Trust, library_files, sha256};

use super::{Outcome, Session, unreadable};

/// Accept libraries as they are now: they are used without a question or a warning until they change
///
/// Their SHA-256, their paths and the time are kept in trusted.toml, in ASSAY_CONFIG_DIR or else in
/// ~/.config/assay.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
What happens with a library that you have not accepted is decided by a policy:
  ask    you are asked on a terminal; without a terminal, the library is left out with a warning
  warn   it is used, with a warning
  deny   it is left out, with a warning
  allow  it is used

For a folder of --plugin-dir the policy is `warn`, for any other folder `ask`. --trust POLICY or ASSAY_TRUST sets another \
for all folders, config.toml beside trusted.toml for each kind: [trust] named = \"warn\", found = \"ask\". Libraries that \
came with assay are trusted. A library is refused in any case if others may write to its file or its folder.

Examples:
  assay plugins trust ~/.local/share/assay/plugins/libmine.so
  assay plugins trust target/release               all libraries in a folder
  assay plugins distrust libmine.so")]
pub(super) struct TrustArgs {
    /// Library files, or folders of them
    #[arg(required = true, value_name = "FILE|DIR")]
    places: Vec<PathBuf>,
}

/// Withdraw what `assay plugins trust` has accepted
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay plugins distrust ~/.local/share/assay/plugins/libmine.so
  assay plugins distrust target/release            all libraries in a folder
  assay plugins distrust 3f78a1c09b2d              the first digits of a SHA-256")]
pub(super) struct DistrustArgs {
    /// Library files, folders of them, or at least 8 digits of a SHA-256
    #[arg(required = true, value_name = "FILE|DIR|HASH")]
    names: Vec<String>,
}

/// Accepts libraries: all that are named, or none if one of them can't be accepted.
pub(super) fn trust(args: &TrustArgs, session: &Session) -> Result<Outcome> {
    let mut files = Vec::new();
    for place in &args.places {
        files.extend(files_of(place)?);
    }
    let mut judge = session.judge()?;
    let mut accepted = AcceptedLibraries::open()?;
    let mut lines = String::new();
    for file in &files {
        let (sha256, trust) = judge.trust_of(file)?;
        let path = file.display();
        match trust {
            Trust::Shipped => writeln!(lines, "shipped with assay: {path}"),
            Trust::Accepted => writeln!(lines, "accepted before: {path} (SHA-256 {sha256})"),
            Trust::Changed { .. } | Trust::Unknown | Trust::Exposed => {
                accepted.accept(file, &sha256);
                writeln!(lines, "accepted: {path} (SHA-256 {sha256})")
            }
        }
        .expect("writing to memory");
    }
    accepted.save()?;
    session.console.print(&lines)?;
    Ok(Outcome::Done)
}

/// The libraries that the user names by a file or a folder, as absolute paths.
fn files_of(place: &Path) -> Result<Vec<PathBuf>> {
    if !place.is_dir() {
        let path = std::path::absolute(place).map_err(|error| unreadable(place, &error))?;
        return Ok(vec![path]);
    }
    let mut files = library_files(place).map_err(|error| Error::io("read plugin folder", place, &error))?;
    // A link whose target is gone is no library, and must not keep the user from accepting the others.
    files.retain(|file| file.exists());
    if files.is_empty() {
        return Err(Error::new(format!("no library is in `{}`", place.display()))
            .remedy("a library is a file whose name ends in .so"));
    }
    Ok(files)
}

/// Withdraws the trust in libraries: in all that are named, or in none if one of them was not accepted.
pub(super) fn distrust(args: &DistrustArgs, session: &Session) -> Result<Outcome> {
    let mut accepted = AcceptedLibraries::open()?;
    let mut lines = String::new();
    for name in &args.names {
        let content = sha256(Path::new(name)).ok();
        for library in accepted.remove(name, content.as_deref())? {
            let path = library.path.display();
            writeln!(lines, "no longer accepted: {path} (SHA-256 {})", library.sha256)
                .expect("writing to memory");
        }
    }
    accepted.save()?;
    session.console.print(&lines)?;
    Ok(Outcome::Done)
}

/// What there is to say about the trust in a library; `None` if it is trusted.
pub(super) fn remark(library: &Library) -> Option<String> {
    let path = quoted(&library.path.to_string_lossy());
    let remedy = format!("`assay plugins trust {path}` accepts it as it is now");
    match &library.trust {
        Trust::Shipped | Trust::Accepted => None,
        Trust::Changed { accepted } => {
            Some(format!("not trusted: it has changed since you accepted it (SHA-256 {accepted}); {remedy}"))
        }
        Trust::Unknown => Some(format!("not trusted: you have not accepted it; {remedy}")),
        Trust::Exposed => Some("not trusted: others may write to it".to_owned()),
    }
}
