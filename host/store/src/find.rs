//! Where saved runs are.

use std::path::{Path, PathBuf};

use assay_base::error::{Error, Result, excerpt, near};
use assay_base::io::shell::quoted;

use super::folder::{id_of_partial_folder, partial_folder};
use super::{MEASUREMENTS, RESULTS, RunIndex, is_measuring};

/// What stands for the newest run.
pub(crate) const LAST: &str = "last";

/// The folder of runs where no other is named.
pub const USUAL: &str = "results";

/// How many runs a message names.
const NEWEST: usize = 3;
/// How many folders are searched for runs that the user may have meant.
const CONSIDERED: usize = 1000;

/// A run in a folder of runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// Id of the run.
    pub id: String,
    /// Its folder.
    pub folder: PathBuf,
    /// Whether its folder has the name of a partial one: the run was ended before it was complete, or goes
    /// on.
    pub partial: bool,
}

impl Saved {
    /// The run of a folder of this name.
    fn new(name: &str, folder: PathBuf) -> Self {
        let id = id_of_partial_folder(name);
        Saved { partial: id.is_some(), id: id.unwrap_or(name).to_owned(), folder }
    }

    /// The run of a folder.
    fn of_folder(folder: PathBuf) -> Self {
        let path = folder.canonicalize().unwrap_or_else(|_| folder.clone());
        Saved::new(&path.file_name().unwrap_or_default().to_string_lossy(), folder)
    }
}

/// The runs in a folder, the oldest first: an id begins with the time.
pub fn all(out: &Path) -> Vec<Saved> {
    // No such folder: no results.
    let entries = std::fs::read_dir(out).into_iter().flatten().flatten();
    let saved = |entry: std::fs::DirEntry| Some(Saved::new(entry.file_name().to_str()?, entry.path()));
    // A folder without results and rows belongs to a run that checks the machine, before it measures.
    let has_rows =
        |run: &Saved| std::fs::metadata(run.folder.join(MEASUREMENTS)).is_ok_and(|journal| journal.len() > 0);
    let begun = |run: &Saved| {
        holds_run(&run.folder) && (!run.partial || run.folder.join(RESULTS).is_file() || has_rows(run))
    };
    let mut all: Vec<Saved> = entries.filter_map(saved).filter(begun).collect();
    // Runs of the same second are ordered by their files.
    let written =
        |run: &Saved| std::fs::metadata(run.folder.join(MEASUREMENTS)).and_then(|file| file.modified()).ok();
    let began = |run: &Saved| {
        run.id.get(..15).filter(|id| id.starts_with(|c: char| c.is_ascii_digit())).map(str::to_owned)
    };
    all.sort_by_cached_key(|run| (began(run), written(run), run.id.clone()));
    all
}

/// Whether this word is `last` or the id of a run in this folder.
pub fn is_run(word: &str, out: &Path) -> bool {
    let is_name = Path::new(word).file_name().is_some_and(|name| name == word);
    word == LAST || is_name && [word, &partial_folder(word)].iter().any(|name| holds_run(&out.join(name)))
}

/// Whether a word is like the id of a run, or the beginning of one: it begins with a day.
pub fn is_like_id(word: &str) -> bool {
    let Some((day, rest)) = word.split_once('-') else { return false };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    day.len() == 8 && digits(day) && rest.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

/// The file of rows to read instead of a path that is a run and no file, in words.
pub fn rows_of_run(path: &Path) -> Option<String> {
    if holds_run(path) {
        return Some(format!("the rows of this run are `{}`", path.join(MEASUREMENTS).display()));
    }
    let is_id = path.file_name().is_some_and(|name| is_like_id(&name.to_string_lossy()));
    (is_id && !path.exists()).then(|| {
        format!(
            "of a saved run, name the file of its rows: `results/ID/{MEASUREMENTS}`, or where --out put it"
        )
    })
}

/// The command that continues the run of this folder, whose name is its id, unless somebody has copied it.
pub fn resume_command(folder: &Path) -> String {
    let Saved { id, folder, .. } = Saved::of_folder(folder.to_owned());
    let out = match folder.parent() {
        Some(out) if out != Path::new("") => out,
        _ => Path::new("."),
    };
    let id = quoted(&id);
    if out == Path::new(USUAL) {
        return format!("assay run --resume {id}");
    }
    format!("assay run --resume {id} --out {}", quoted(&out.to_string_lossy()))
}

/// The command that lists the runs of a folder.
pub fn listing(out: &Path) -> String {
    match out.to_str() {
        Some(USUAL) => "`assay results`".to_owned(),
        _ => format!("`assay results --out {}`", quoted(&out.to_string_lossy())),
    }
}

/// Finds the folder of a saved run: a folder, a file in one, `last`, or an id in the folder `out`, of which
/// the beginning is enough where no other begins like it. The last is the newest that is complete; one that
/// is not has to be named, unless there is no other.
///
/// # Errors
/// If there is no such run: the nearest names; if several ids begin like this: all of them.
pub fn find(result: &str, out: &Path) -> Result<PathBuf> {
    let path = Path::new(result);
    // A file or folder that happens to be called `last` does not stand for the newest run; `./last` does.
    let is_path = result != LAST;
    if is_path && path.is_file() {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        return checked_run(folder.unwrap_or(Path::new(".")).to_owned());
    }
    if is_path && holds_run(path) {
        return Ok(path.to_owned());
    }
    if let (Some(out), Some(id), false) = (path.parent(), path.file_name(), path.is_dir())
        && out.is_dir()
    {
        return find(&id.to_string_lossy(), out);
    }
    let runs = all(out);
    if runs.is_empty() && !(is_path && path.is_dir()) {
        return Err(nothing_saved(out));
    }
    if result == LAST {
        let newest = runs.iter().rfind(|run| !run.partial).or(runs.last());
        return Ok(newest.expect("there is one").folder.clone());
    }
    let matching: Vec<&Saved> =
        runs.iter().filter(|run| run.id.starts_with(result) && !result.is_empty()).collect();
    match matching.as_slice() {
        [run, ..] if run.id == result => Ok(run.folder.clone()),
        [run] => Ok(run.folder.clone()),
        [] if path.is_dir() => checked_run(path.to_owned()),
        [] => Err(no_result(result, &runs, out)),
        several => {
            let ids: Vec<&str> = several.iter().map(|run| run.id.as_str()).collect();
            let newest: Vec<&str> = ids.iter().rev().take(NEWEST).copied().collect();
            let all = if ids.len() > newest.len() {
                format!("; {} lists all", listing(out))
            } else {
                String::new()
            };
            Err(Error::new(format!("the ids of {} saved runs begin with `{result}`", ids.len()))
                .remedy(format!("name one of them, such as {}{all}", newest.join(", "))))
        }
    }
}

/// Finds a run that is to be continued, as [`find`] does. Here, `last` is the newest that is not complete and
/// does not measure now.
///
/// # Errors
/// As [`find`], and if there is no such run.
pub fn find_incomplete(result: &str, out: &Path) -> Result<Saved> {
    if result != LAST {
        return Ok(Saved::of_folder(find(result, out)?));
    }
    let (runs, mut index) = (all(out), RunIndex::open(out));
    if runs.is_empty() {
        return Err(nothing_saved(out));
    }
    let mut is_measuring_any = false;
    let newest = runs.iter().rfind(|saved| {
        let measures = is_measuring(&saved.folder);
        is_measuring_any |= measures;
        !measures && (saved.partial || index.summary(saved).is_ok_and(|run| run.interrupted))
    });
    index.save(&runs);
    if let Some(newest) = newest {
        return Ok(newest.clone());
    }
    let others = if is_measuring_any { "; one is still being measured" } else { "" };
    Err(Error::new(format!("no run in `{}` was interrupted{others}", out.display()))
        .remedy(format!("{} lists them; {ELSEWHERE}", listing(out))))
}

/// The newest run in `out`, if it is not complete and `result` is `last`, which then stands for an older run.
pub fn newer_incomplete(result: &str, out: &Path) -> Option<Saved> {
    let runs = if result == LAST { all(out) } else { Vec::new() };
    let newest = runs.last().filter(|run| run.partial && runs.iter().any(|run| !run.partial));
    newest.cloned()
}

fn nothing_saved(out: &Path) -> Error {
    Error::new(format!("no run is saved in `{}`", out.display()))
        .remedy(format!("`assay run` saves one; {ELSEWHERE}"))
}

/// How a run is found that is in another folder.
const ELSEWHERE: &str = "name a run in another folder by its path, or give that folder with `--out`";
/// The end of these words, for commands whose own `--out` is something else.
pub const WITH_OUT: &str = "give that folder with `--out`";

/// "there is no saved run `lst` in `results`", with what was probably meant, or the newest runs, because
/// there may be many.
fn no_result(result: &str, runs: &[Saved], out: &Path) -> Error {
    let ids = || runs.iter().rev().map(|run| run.id.as_str());
    let close = near(result, ids().chain([LAST]));
    let newest = ids().take(NEWEST).collect::<Vec<_>>().join(", ");
    let meant = match close.as_slice() {
        [] => format!("`{LAST}` is the newest, and {} lists them; newest first: {newest};", listing(out)),
        close => format!("did you mean {}? If not,", close.join(", ")),
    };
    // No id is that short, but a value of an option that takes several.
    if result.len() <= 4 && result.bytes().all(|byte| byte.is_ascii_digit()) {
        let meant = "several values of an option are joined by commas, as in `--at 8,16`; if a run is meant,";
        return Error::new(format!("there is no saved run `{result}` in `{}`", out.display()))
            .remedy(format!("{meant} {ELSEWHERE}"));
    }
    Error::new(format!("there is no saved run `{}` in `{}`", excerpt(result), out.display()))
        .remedy(format!("{meant} {ELSEWHERE}"))
}

fn holds_run(folder: &Path) -> bool {
    folder.join(MEASUREMENTS).is_file()
}

/// This folder, if it holds a run.
fn checked_run(folder: PathBuf) -> Result<PathBuf> {
    if holds_run(&folder) {
        return Ok(folder);
    }
    let remedy = match runs_within(&folder).as_slice() {
        [] => "name the folder of a saved run, a file in it, or its id".to_owned(),
        runs => format!("saved runs in it: {}", runs.join(", ")),
    };
    Err(Error::new(format!("`{}` holds no saved run: it has no {MEASUREMENTS}", folder.display()))
        .remedy(remedy))
}

/// Some of the saved runs in a folder, or in its folders, as in that of a campaign.
fn runs_within(folder: &Path) -> Vec<String> {
    let folders = |folder: &Path| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut folders: Vec<PathBuf> =
            entries.map(|entry| entry.path()).filter(|path| path.is_dir()).take(CONSIDERED).collect();
        folders.sort();
        folders.reverse();
        folders
    };
    let children = folders(folder);
    let all = children.iter().flat_map(|child| std::iter::once(child.clone()).chain(folders(child)));
    let runs = all.filter(|folder| holds_run(folder)).take(NEWEST);
    runs.map(|run| format!("`{}`", run.display())).collect()
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
        assert!(error.contains(&format!("no saved run `20260101-ax` in `{}`", out.display())), "{error}");
        assert!(error.contains("20260101-aa") && error.contains("`--out`"), "{error}");
        assert!(find("lst", out).unwrap_err().to_string().contains("did you mean last? If not,"));
        let far = find("elsewhere", out).unwrap_err().to_string();
        assert!(
            far.contains(
                "newest first: 20260102-ccc, 20260102-cc, 20260101-ab; name a run in another folder"
            ),
            "{far}"
        );
        let above = find(&name(out), out).unwrap_err().to_string();
        assert!(
            above.contains("holds no saved run")
                && above.contains("saved runs in it: `")
                && above.contains("20260102-ccc`, `"),
            "{above}"
        );
        assert!(find("x", &out.join("none")).unwrap_err().to_string().contains("no run is saved in"));
    }

    #[test]
    fn what_was_interrupted_is_found_by_its_id_and_the_last_is_complete() {
        let out = tempfile::tempdir().unwrap();
        let out = out.path();
        for name in ["20260101-000000-aa", "20260102-000000-bb", ".20260103-000000-cc.partial", "saved"] {
            std::fs::create_dir(out.join(name)).unwrap();
            std::fs::write(out.join(name).join(MEASUREMENTS), "").unwrap();
            std::fs::write(out.join(name).join(RESULTS), "").unwrap();
        }
        let counting = out.join(".20260104-000000-dd.partial");
        std::fs::create_dir(&counting).unwrap();
        std::fs::write(counting.join(MEASUREMENTS), "").unwrap();
        assert_eq!(find("20260103", out).unwrap(), out.join(".20260103-000000-cc.partial"));
        assert_eq!(find(LAST, out).unwrap(), out.join("20260102-000000-bb"));
        assert_eq!(newer_incomplete(LAST, out).unwrap().id, "20260103-000000-cc");
        assert_eq!(newer_incomplete("20260102", out), None, "only `last` is about the newest");
        assert_eq!(
            find(out.join("20260101").to_str().unwrap(), Path::new("none")).unwrap(),
            out.join("20260101-000000-aa")
        );
        assert_eq!(
            find(out.join(LAST).to_str().unwrap(), Path::new("none")).unwrap(),
            out.join("20260102-000000-bb")
        );
        let ids: Vec<_> = all(out).into_iter().map(|run| (run.id, run.partial)).collect();
        let expected = [
            ("saved", false),
            ("20260101-000000-aa", false),
            ("20260102-000000-bb", false),
            ("20260103-000000-cc", true),
        ];
        assert_eq!(ids, expected.map(|(id, partial)| (id.to_owned(), partial)));
        assert!(find(LAST, &out.join("none")).unwrap_err().to_string().starts_with("no run is saved in"));
    }

    #[test]
    fn a_word_is_a_run_if_it_is_a_whole_id_or_last() {
        let out = tempfile::tempdir().unwrap();
        std::fs::create_dir(out.path().join("20260101-aa")).unwrap();
        std::fs::write(out.path().join("20260101-aa").join(MEASUREMENTS), "").unwrap();
        let words = ["20260101-aa", LAST, "20260101", "hor"].map(|word| is_run(word, out.path()));
        assert_eq!(words, [true, true, false, false]);
    }

    #[test]
    fn of_many_ids_that_begin_alike_the_newest_are_named() {
        let out = tempfile::tempdir().unwrap();
        let remedy = |count: usize| {
            for id in (0..count).map(|i| format!("20260101-00000{i}-aa")) {
                let _ = std::fs::create_dir(out.path().join(&id));
                std::fs::write(out.path().join(&id).join(MEASUREMENTS), "").unwrap();
            }
            find("2026", out.path()).unwrap_err().to_string()
        };
        assert!(remedy(3).ends_with("20260101-000001-aa, 20260101-000000-aa"));
        let listing = listing(out.path());
        assert!(remedy(4).ends_with(&format!("20260101-000001-aa; {listing} lists all")));
    }

    #[test]
    fn what_begins_with_a_day_is_like_an_id() {
        for word in ["20260102-030405-1a2b", "20260102-", "20260102-03"] {
            assert!(is_like_id(word), "{word}");
        }
        for word in ["20260102", "2026-01-02", "hor", "a0260102-03", "20260102-hor", "2026010é-"] {
            assert!(!is_like_id(word), "{word}");
        }
    }

    #[test]
    fn the_command_that_continues_a_run_names_its_folder() {
        let command = |folder: &str| resume_command(Path::new(folder));
        assert_eq!(command("results/.20260101-aa.partial"), "assay run --resume 20260101-aa");
        assert_eq!(command("results/my copy"), "assay run --resume 'my copy'");
        assert_eq!(command("far/away/1"), "assay run --resume 1 --out far/away");
        assert_eq!(command("copy"), "assay run --resume copy --out .");
    }

    #[test]
    fn runs_are_listed_where_they_are() {
        assert_eq!(listing(Path::new(USUAL)), "`assay results`");
        assert_eq!(listing(Path::new("far/away")), "`assay results --out far/away`");
    }
}
