//! Where a saved run is.

use std::path::{Path, PathBuf};

use super::MEASUREMENTS;
use crate::error::{Error, Result, unknown};

/// Finds the folder of a saved run: a folder, a file in one, or an id in the folder `out`, of which the beginning is
/// enough where no other begins like it.
///
/// # Errors
/// If there is no such run: the nearest names; if several ids begin like this: all of them.
pub fn find(result: &str, out: &Path) -> Result<PathBuf> {
    let path = Path::new(result);
    if path.is_file() {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        return saved(folder.unwrap_or(Path::new(".")).to_owned());
    }
    if holds_run(path) {
        return Ok(path.to_owned());
    }
    let ids = ids(out);
    let mut matching = ids.iter().filter(|id| id.starts_with(result) && !result.is_empty());
    match (matching.next(), matching.next()) {
        _ if ids.iter().any(|id| id == result) => saved(out.join(result)),
        (Some(id), None) => saved(out.join(id)),
        (Some(first), Some(second)) => {
            let all: Vec<&str> = [first, second].into_iter().chain(matching).map(String::as_str).collect();
            Err(Error::new(format!("the ids of {} results begin with `{result}`", all.len()))
                .remedy(format!("name one of {}", all.join(", "))))
        }
        (None, _) if path.is_dir() => saved(path.to_owned()),
        (None, _) if ids.is_empty() => {
            Err(Error::new(format!("there is no result `{result}`, and none at all in `{}`", out.display()))
                .remedy("name the folder of a saved run, or the folder of all of them with `--out`"))
        }
        (None, _) => Err(unknown("result", result, ids.iter().map(String::as_str))),
    }
}

fn holds_run(folder: &Path) -> bool {
    folder.join(MEASUREMENTS).is_file()
}

fn saved(folder: PathBuf) -> Result<PathBuf> {
    if holds_run(&folder) {
        return Ok(folder);
    }
    Err(Error::new(format!("`{}` holds no saved run: it has no {MEASUREMENTS}", folder.display()))
        .remedy("name the folder of a saved run, a file in it, or its id"))
}

/// The ids of the runs in a folder, sorted.
fn ids(out: &Path) -> Vec<String> {
    // No such folder: no results.
    let entries = std::fs::read_dir(out).into_iter().flatten().flatten();
    let runs = entries.filter(|entry| holds_run(&entry.path()));
    let mut ids: Vec<String> = runs.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    ids.sort_unstable();
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_found_by_folder_file_id_and_beginning() {
        let out = tempfile::tempdir().unwrap();
        let out = out.path();
        for id in ["20260101-aa", "20260101-ab", "20260102-cc", "20260102-ccc"] {
            std::fs::create_dir(out.join(id)).unwrap();
            std::fs::write(out.join(id).join(MEASUREMENTS), "").unwrap();
        }
        let folder = out.join("20260101-aa");
        let name = |path: &Path| path.to_str().unwrap().to_owned();
        assert_eq!(find(&name(&folder), out).unwrap(), folder);
        assert_eq!(find(&name(&folder.join(MEASUREMENTS)), out).unwrap(), folder);
        assert_eq!(find("20260101-aa", out).unwrap(), folder);
        assert_eq!(find("20260101-a", out).unwrap_err().to_string().lines().count(), 2);
        assert_eq!(find("20260102-cc", out).unwrap(), out.join("20260102-cc"));
        let error = find("20260101-ax", out).unwrap_err().to_string();
        assert!(error.contains("unknown result") && error.contains("20260101-aa"), "{error}");
        assert!(find(&name(out), out).unwrap_err().to_string().contains("holds no saved run"));
        assert!(find("x", &out.join("none")).unwrap_err().to_string().contains("none at all"));
    }
}
