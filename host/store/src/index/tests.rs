//! Tests of the index: it is never believed against the runs, and its loss does no harm.

use std::thread::sleep;
use std::time::Duration;

use super::*;
use crate::MEASUREMENTS;
use crate::find::all;
use crate::testing::run;

/// After this time, a change of a file shows in its identity.
const SETTLED: Duration = Duration::from_millis(2100);

/// Saves a run with this description.
fn save(out: &Path, name: &str, description: &str) {
    let folder = out.join(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(MEASUREMENTS), "").unwrap();
    fs::write(folder.join(RESULTS), json(description)).unwrap();
}

fn json(description: &str) -> String {
    let mut run = run();
    run.experiment.definition.as_mut().unwrap().description = description.to_owned();
    serde_json::to_string_pretty(&run).unwrap() + "\n"
}

/// The descriptions by name, as a command sees them that lists the folder.
fn listed(cache: &Path, out: &Path) -> Vec<(String, String)> {
    let (runs, mut index) = (all(out), RunIndex::open_in(Some(cache), out));
    let mut listed: Vec<(String, String)> = runs
        .iter()
        .map(|saved| {
            let description = index.summary(saved).map(|run| run.description);
            (saved.id.clone(), description.unwrap_or_else(|_| "unreadable".to_owned()))
        })
        .collect();
    index.save(&runs);
    listed.sort();
    listed
}

/// The file of the only index.
fn index_file(cache: &Path) -> PathBuf {
    let mut files = fs::read_dir(cache.join(FOLDER)).unwrap();
    let file = files.next().unwrap().unwrap().path();
    assert!(files.next().is_none());
    file
}

/// Edits each description in the index, so that it shows what is taken from there.
fn mark(cache: &Path) {
    let file = index_file(cache);
    let marked = fs::read_to_string(&file).unwrap().replace("\"description\":\"", "\"description\":\"known ");
    fs::write(file, marked).unwrap();
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

#[test]
fn what_is_changed_removed_added_and_renamed_after_it_was_indexed_is_listed_as_it_is() {
    let (cache, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (cache, out) = (cache.path(), out.path());
    for name in ["same", "changed", "rewritten", "swapped-1", "swapped-2", "renamed", "removed", "broken"] {
        save(out, name, name);
    }
    fs::write(out.join("broken").join(RESULTS), "{").unwrap();
    sleep(SETTLED);
    listed(cache, out);
    mark(cache);
    save(out, "changed", "other");
    // As many bytes as before, and the old time.
    let file = out.join("rewritten").join(RESULTS);
    let modified = fs::metadata(&file).unwrap().modified().unwrap();
    fs::write(&file, json("REWRITTEN")).unwrap();
    fs::File::options().write(true).open(&file).unwrap().set_modified(modified).unwrap();
    for (from, to) in
        [("swapped-1", "aside"), ("swapped-2", "swapped-1"), ("aside", "swapped-2"), ("renamed", "new-name")]
    {
        fs::rename(out.join(from), out.join(to)).unwrap();
    }
    fs::remove_dir_all(out.join("removed")).unwrap();
    save(out, "added", "added");
    let expected = pairs(&[
        ("added", "added"),
        ("broken", "unreadable"),
        ("changed", "other"),
        ("new-name", "renamed"),
        ("rewritten", "REWRITTEN"),
        ("same", "known same"),
        ("swapped-1", "swapped-2"),
        ("swapped-2", "swapped-1"),
    ]);
    assert_eq!(listed(cache, out), expected);
    assert_eq!(listed(cache, out), expected);
    let index = fs::read_to_string(index_file(cache)).unwrap();
    assert!(!index.contains("removed") && !index.contains("broken"), "{index}");
}

#[test]
fn a_file_that_was_written_just_now_is_not_indexed() {
    let (cache, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    save(out.path(), "1", "first");
    listed(cache.path(), out.path());
    assert!(!cache.path().join(FOLDER).exists(), "there is nothing to keep");
}

#[test]
fn an_index_that_is_damaged_foreign_or_nowhere_counts_as_empty() {
    let (cache, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (cache, out) = (cache.path(), out.path());
    save(out, "1", "first");
    sleep(SETTLED);
    let (known, real) = (pairs(&[("1", "known first")]), pairs(&[("1", "first")]));
    listed(cache, out);
    mark(cache);
    assert_eq!(listed(cache, out), known);
    let marked = fs::read_to_string(index_file(cache)).unwrap();
    let foreign = marked.replacen("\"inode\":", "\"inode\":1", 1);
    let moved = marked.replacen("\"folder\":\"", "\"folder\":\"/elsewhere", 1);
    for damaged in [&marked[..marked.len() / 2], "", &foreign, &moved] {
        fs::write(index_file(cache), damaged).unwrap();
        assert_eq!(listed(cache, out), real, "{damaged}");
        assert!(!fs::read_to_string(index_file(cache)).unwrap().contains("known"), "it was written anew");
    }
    let file = fs::File::create(index_file(cache)).unwrap();
    file.set_len(MOST_BYTES + 1).unwrap();
    assert_eq!(listed(cache, out), real);
    let no_folder = cache.join("file");
    fs::write(&no_folder, "").unwrap();
    assert_eq!(listed(&no_folder, out), real);
}

#[test]
fn the_index_of_a_folder_that_is_gone_is_removed() {
    let cache = tempfile::tempdir().unwrap();
    let outs = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    outs.iter().for_each(|out| save(out.path(), "1", "first"));
    sleep(SETTLED);
    let [first, second] = outs;
    listed(cache.path(), first.path());
    let old = index_file(cache.path());
    drop(first);
    listed(cache.path(), second.path());
    assert_ne!(index_file(cache.path()), old);
}

#[test]
fn an_index_that_several_commands_write_at_once_is_one_of_theirs() {
    let (cache, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (cache, out) = (cache.path(), out.path());
    let names: Vec<String> = (0..20).map(|number| format!("{number:02}")).collect();
    names.iter().for_each(|name| save(out, name, name));
    sleep(SETTLED);
    let expected: Vec<(String, String)> = names.iter().map(|name| (name.clone(), name.clone())).collect();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let expected = &expected;
            scope.spawn(move || {
                for round in 0..10 {
                    if thread == 0 && round % 3 == 0 {
                        let _ = fs::remove_dir_all(cache.join(FOLDER));
                    }
                    assert_eq!(&listed(cache, out), expected);
                }
            });
        }
    });
    let index: Option<StoredIndex> = read(&index_file(cache));
    assert_eq!(index.unwrap().runs.len(), names.len());
}
