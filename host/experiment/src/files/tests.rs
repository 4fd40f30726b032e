//! Tests of the files of a text: their order, their names, and what is refused.

use assay_base::io::console::Color;
use assay_load::plugin::Kind;
use assay_load::plugin::testing::{listing, registry};

use super::*;

fn join(places: &[NamedText], most: usize, then: &[TextRecord]) -> Result<JoinedFiles> {
    super::join(places, most, then, &Console::new(false, true, Color::Never))
}

fn place(path: &Path) -> NamedText {
    NamedText { name: "text".to_owned(), path: path.to_owned() }
}

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

#[test]
fn no_more_is_read_than_is_needed() {
    let joined = join(&[place("/dev/zero".as_ref())], 1000, &[]).unwrap();
    assert_eq!(joined.bytes, [0; 1000]);
    assert_eq!(joined.cut(1000).unwrap(), "text: the first 1,000 bytes of text (--text-size for more)");
}

#[test]
fn a_folder_is_its_files_in_order_and_each_is_recorded() {
    let folder = folder(&[("b", "22"), ("a", "1"), (".hidden", "3")]);
    let joined = join(&[place(folder.path())], 2, &[]).unwrap();
    assert_eq!((joined.bytes.as_slice(), joined.sources.len()), (&b"12"[..], 2));
    let recorded = joined.parts[0].files.iter().map(|file| (file.file.as_deref(), file.bytes, file.used));
    assert_eq!(recorded.collect::<Vec<_>>(), [(Some("a"), Some(1), 1), (Some("b"), Some(2), 1)]);
    assert_eq!(joined.parts[0].files[0].path.as_deref(), folder.path().to_str());
}

#[test]
fn what_was_used_is_compared_however_much_is_used_now() {
    let texts = folder(&[("a", "12345"), ("b", "67890")]);
    let places = [place(&texts.path().join("a")), place(&texts.path().join("b"))];
    let places = places.map(|place| NamedText { name: place.path.display().to_string(), ..place });
    let then: Vec<TextRecord> =
        join(&places, 7, &[]).unwrap().parts.into_iter().flat_map(|part| part.files).collect();
    for most in [3, 7, 10] {
        let text = join(&places, most, &then).unwrap().bytes;
        assert_eq!(text, b"1234567890"[..most], "{most}");
    }
    fs::write(texts.path().join("b"), "6x890").unwrap();
    for most in [3, 7, 10] {
        assert!(join(&places, most, &then).is_err(), "{most}");
    }
    fs::write(texts.path().join("b"), "67xxx").unwrap();
    assert!(join(&places, 10, &then).is_ok(), "what was not used may change");
}

#[test]
fn a_file_more_in_a_folder_is_another_text() {
    let texts = folder(&[("a", "1"), ("b", "2")]);
    let then = join(&[place(texts.path())], 1, &[]).unwrap().parts.remove(0).files;
    assert!(join(&[place(texts.path())], 2, &then).is_ok());
    fs::write(texts.path().join("c"), "3").unwrap();
    assert!(join(&[place(texts.path())], 1, &then).is_err());
}

#[test]
fn what_is_cut_off_is_said_once_for_all_files() {
    let texts = folder(&[("a", "12345"), ("b", "6789")]);
    let named = |name: &str| NamedText { name: name.to_owned(), path: texts.path().join(name) };
    let cut = |places: &[NamedText], most| join(places, most, &[]).unwrap().cut(most);
    assert_eq!(cut(&[named("a"), named("b")], 9), None);
    assert_eq!(
        cut(&[named("a"), named("b")], 6).unwrap(),
        "text: the first 6 of 9 bytes of a, b (--text-size 9B for all)"
    );
    assert_eq!(
        cut(&[named("a"), named("b"), named("a"), named("b"), named("a")], 5).unwrap(),
        "text: the first 5 of 23 bytes of a, b, a and 2 more, nothing of b, a, b and 1 more (--text-size 23B for all)"
    );
    assert_eq!(
        cut(&[place(texts.path())], 4).unwrap(),
        "text: the first 4 of 9 bytes of text (--text-size 9B for all)"
    );
}

#[test]
fn the_size_that_is_advised_has_room_for_all() {
    let sizes = [1023, 1024, 1025, (1 << 20) - 1, 1 << 20, 4_047_392].map(size);
    assert_eq!(sizes, ["1023B", "1KiB", "2KiB", "1024KiB", "1MiB", "4MiB"]);
}

/// Reads a text of these files, for an experiment that has recorded `then`.
fn text(names: &[&str], then: &[TextRecord], bytes: usize) -> Result<JoinedFiles> {
    let algorithms = vec![listing(Kind::Algorithm, "hor", "", "")];
    let corpora = vec![listing(Kind::Corpus, "english", "", "")];
    let files = names.iter().map(|name| (*name).to_owned()).collect();
    let spec = TextSpec { files, bytes, recorded: then.to_vec(), ..TextSpec::default() };
    let registry = registry(vec![("/a.so", algorithms), ("/b.so", corpora)]);
    read(&spec, &registry, &Console::new(false, true, Color::Never))
}

#[test]
fn a_text_that_is_named_twice_is_read_twice_and_recorded_once() {
    let texts = folder(&[("a", "12"), ("b", "3")]);
    let [a, b] = ["a", "b"].map(|name| texts.path().join(name).display().to_string());
    let joined = text(&[&a, &b, &a], &[], 100).unwrap();
    let recorded = joined.records();
    assert_eq!(
        (joined.bytes.as_slice(), joined.sources),
        (&b"12312"[..], vec![a.clone(), b.clone(), a.clone()])
    );
    assert_eq!(recorded.iter().map(|file| (&file.name, file.used)).collect::<Vec<_>>(), [(&a, 2), (&b, 1)]);
}

#[test]
fn what_is_not_needed_is_not_opened_and_is_no_source() {
    let texts = folder(&[("a", "12")]);
    let a = texts.path().join("a");
    let joined = join(&[place(&a), place(&texts.path().join("gone"))], 2, &[]).unwrap();
    assert_eq!((joined.bytes.as_slice(), joined.sources), (&b"12"[..], vec![a.display().to_string()]));
    assert!(join(&[place(&a), place(&texts.path().join("gone"))], 3, &[]).is_err());
}

#[test]
fn a_text_is_found_where_it_was_before() {
    let texts = folder(&[("a", "12")]);
    let path = texts.path().join("a");
    let was =
        |name: &str| TextRecord { path: Some(path.display().to_string()), ..unread(name, &path, &path) };
    let then = [was("another text").using(b"12", 2), was("moved text").using(b"12", 2)];
    assert_eq!(text(&["moved text"], &then, 100).unwrap().bytes, b"12");
    fs::remove_file(&path).unwrap();
    let gone = text(&["moved text"], &then, 100).unwrap_err().to_string();
    assert!(gone.starts_with(&format!("the text that was {} is gone; ", path.display())), "{gone}");
    let unknown = text(&["no text at all"], &then, 100).unwrap_err().to_string();
    assert!(unknown.starts_with("there is no text `no text at all`"), "{unknown}");
}

#[test]
fn a_word_that_is_no_text_may_be_something_else_that_is_known() {
    let texts = folder(&[("a", "12")]);
    let there = texts.path().join("a").display().to_string();
    let fault = |name: &str| text(&[&there, name], &[], 100).unwrap_err().to_string();
    let before = format!("`{there}` is there; there is no text");
    for (name, instead) in [
        (
            "hor",
            " `hor`, but an algorithm of this name\n  help: all words after --text are texts; write `assay run hor",
        ),
        (
            "english",
            " `english`, but a corpus of this name\n  help: write `--corpus english`, or `corpus:english` in a range and a call",
        ),
        ("neither of them", " `neither of them`: no such file"),
    ] {
        let error = fault(name);
        assert!(error.starts_with(&format!("{before}{instead}")), "{error}");
    }
}
