//! The rules for what a library declares. Its ids and names appear in commands, file names and columns, so
//! they must fit there.

use std::collections::HashSet;
use std::path::{Component, PathBuf};

use assay_base::columns;
use assay_base::error::excerpt;
use assay_base::io::console::moves;
use assay_plugin_api::{EXTRA_FIELDS, EXTRA_NAME_LENGTH};

use super::catalogue::Catalogue;
use super::contents::{self, Contents, Listing};
use super::dialect;
use super::library_info::LibraryInfo;
use super::twins::twin_id;

/// Greatest length of an id. It is far more than an id needs, and still fits into file names and the first
/// column of tables.
const LONGEST_ID: usize = 64;
/// The prefix of the id of a twin.
const TWIN: &str = "stat_";
/// Greatest length of a fact: a screenful of text.
const LONGEST_FACT: usize = 4096;
/// Greatest length of any other name, and of each text by which a library describes itself.
const LONGEST_NAME: usize = 256;
/// Greatest number of facts and names of one item. Ours have fewer than 30.
const MOST_NAMES: usize = 256;
/// Greatest number of items in a library. Our largest family has fewer than 300.
const MOST_THINGS: usize = 4096;
/// Greatest number of bytes in the descriptions of all items of a library. They are kept in the cache, which
/// every command reads.
const MOST_BYTES: usize = 1 << 20;

/// What to do about descriptions that are too long, or too many.
const SAY_LESS: &str = "say it in fewer words, and rebuild it";
const LEAVE_SOME_OUT: &str = "leave some out, and rebuild it";

/// A rule that a library breaks.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    /// What was found.
    pub found: String,
    /// What was expected.
    pub expected: &'static str,
    /// What to do.
    pub remedy: &'static str,
}

/// Checks everything that a library declares.
pub(super) fn check(catalogue: &Catalogue) -> Result<(), Violation> {
    check_info(&catalogue.library)?;
    check_listings(catalogue.prefix, &contents::listings(catalogue))
}

/// Whether a description that has come from a child is one that [`check`] lets through. Code of the library
/// shares the child's process, and could describe the library in its place.
pub(super) fn is_sound(described: &Contents) -> bool {
    let Contents { library, listings } = described;
    let LibraryInfo { name, version, dialect, abi, features, .. } = library;
    let texts = [name, version, dialect, abi].into_iter().chain(features);
    let texts = texts.chain(listings.iter().flat_map(texts_of));
    check_info(library).is_ok()
        && check_listings(dialect::prefix(dialect), listings).is_ok()
        && !texts.into_iter().any(|text| text.contains(moves))
}

/// The facts of an item, and all its names.
fn texts_of(listing: &Listing) -> impl Iterator<Item = &String> {
    let Listing { facts, extra, cpu, inputs, options, .. } = listing;
    let names = [extra, cpu, inputs, options].into_iter().flatten();
    facts.iter().flat_map(|(name, value)| [name, value]).chain(names)
}

/// Checks what a library says of itself.
fn check_info(library: &LibraryInfo) -> Result<(), Violation> {
    let LibraryInfo { name, version, features, .. } = library;
    check_origin(name)?;
    let about = [name, version].into_iter().chain(features);
    if features.len() > MOST_NAMES || about.clone().any(|name| name.len() > LONGEST_NAME) {
        return Err(Violation {
            found: format!("it says {} bytes of itself", about.map(String::len).sum::<usize>()),
            expected: "a name, a version and at most 256 features, of at most 256 bytes each",
            remedy: SAY_LESS,
        });
    }
    Ok(())
}

/// Checks that only one crate registers items in a library. A crate that depends on another one that
/// registers items would bring these again, under the same ids.
fn check_origin(name: &str) -> Result<(), Violation> {
    let crates: Vec<&str> = name.split(" and ").collect();
    if crates.len() < 2 {
        return Ok(());
    }
    Err(Violation {
        found: format!("the crates `{}` register things in it", crates.join("` and `")),
        expected: "a library that brings what one crate registers",
        remedy: "keep what both need in a crate that registers nothing, or say register!(twins Only) in a library of twins",
    })
}

pub(super) fn check_listings(prefix: &str, listings: &[Listing]) -> Result<(), Violation> {
    if listings.is_empty() {
        return Err(Violation {
            found: "nothing is registered in it".to_owned(),
            expected: "a library that brings something",
            remedy: "use register! in it; a library of twins must also name its family with `use .. as _;`",
        });
    }
    if listings.len() > MOST_THINGS {
        return Err(Violation {
            found: format!("it brings {} things", listings.len()),
            expected: "a library of at most 4096 things",
            remedy: "make several libraries of it",
        });
    }
    let (mut seen, mut bytes) = (HashSet::new(), 0);
    for listing in listings {
        let Listing { kind, id, .. } = listing;
        let name = id.strip_prefix(prefix).map(|id| without_twin(listing, id));
        if !name.is_some_and(is_id) {
            return Err(Violation {
                found: format!("it brings {} with the id {:?}", kind.with_article(), excerpt(id)),
                expected: "an id of at most 64 letters a to z, digits, `-`, `_` and `.`, beginning with a letter or digit",
                remedy: "give it such an id, and rebuild it",
            });
        }
        if !seen.insert((kind, id)) {
            return Err(Violation {
                found: format!("it brings the {kind} `{id}` twice"),
                expected: "ids that are unique within a kind",
                remedy: "give one of the two another id, and rebuild it",
            });
        }
        check_twin(listing)?;
        bytes += check_length(listing)?;
        check_facts(listing)?;
        check_extra(listing)?;
        check_access(listing)?;
    }
    if bytes > MOST_BYTES {
        return Err(Violation {
            found: format!("it says {bytes} bytes of what it brings"),
            expected: "at most 1 MiB of facts and names in a library",
            remedy: SAY_LESS,
        });
    }
    Ok(())
}

/// The id without the `stat_` of a twin, because that prefix does not count towards the length of the id.
fn without_twin<'a>(listing: &Listing, id: &'a str) -> &'a str {
    listing.twin_of.as_ref().and_then(|_| id.strip_prefix(TWIN)).unwrap_or(id)
}

/// Whether a text can be an id, without the prefix of its dialect. An id contains no colon, so no library can
/// forge the prefix of another dialect.
pub fn is_id(id: &str) -> bool {
    // A hyphen at the beginning would look like an option, and a dot would hide a file.
    id.bytes().next().is_some_and(is_word_byte)
        && id.len() <= LONGEST_ID
        && id.bytes().all(|byte| is_word_byte(byte) || b"-_.".contains(&byte))
}

/// Whether a byte is a lower case letter or a digit.
fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit()
}

/// Checks the number and the lengths of an item's names, and returns how many bytes its description has.
fn check_length(listing: &Listing) -> Result<usize, Violation> {
    let Listing { kind, id, facts, extra, cpu, inputs, options, .. } = listing;
    let names = [extra, cpu, inputs, options].map(|names| names.iter()).into_iter().flatten();
    let names = || facts.iter().map(|(name, _)| name).chain(names.clone());
    let violation = |what: String, expected, remedy| {
        Err(Violation { found: format!("its {kind} `{id}` has {what}"), expected, remedy })
    };
    if names().count() > MOST_NAMES {
        let what = format!("{} facts, fields, inputs and options", names().count());
        return violation(what, "at most 256 of them", LEAVE_SOME_OUT);
    }
    if let Some(name) = names().find(|name| name.len() > LONGEST_NAME) {
        let what = format!("{:?}, a name of {} bytes", excerpt(name), name.len());
        return violation(what, "names of at most 256 bytes", "give it a shorter name, and rebuild it");
    }
    let values: usize = facts.iter().map(|(_, value)| value.len()).sum();
    Ok(id.len() + names().map(String::len).sum::<usize>() + values)
}

/// Checks the lengths of an item's facts.
fn check_facts(listing: &Listing) -> Result<(), Violation> {
    let Some((name, value)) = listing.facts.iter().find(|(_, value)| value.len() > LONGEST_FACT) else {
        return Ok(());
    };
    Err(Violation {
        found: format!(
            "its {} `{}` has {} bytes of `{}`",
            listing.kind,
            listing.id,
            value.len(),
            excerpt(name)
        ),
        expected: "at most 4096 bytes for each fact",
        remedy: SAY_LESS,
    })
}

/// Checks the files that a counter backend declares. A path with `..` would hide where it leads.
fn check_access(listing: &Listing) -> Result<(), Violation> {
    let files = &listing.access.files;
    let names_one_place = |path: &PathBuf| {
        path.is_absolute()
            && path.components().all(|part| matches!(part, Component::RootDir | Component::Normal(_)))
            && path.as_os_str().len() <= LONGEST_NAME
    };
    let found = match files.iter().find(|path| !names_one_place(path)) {
        Some(wrong) => format!("{:?} among its files", excerpt(&wrong.display().to_string())),
        None if files.len() > MOST_NAMES => format!("{} files", files.len()),
        None => return Ok(()),
    };
    Err(Violation {
        found: format!("its {} `{}` declares {found}", listing.kind, listing.id),
        expected: "at most 256 absolute paths of at most 256 bytes, without `..`",
        remedy: "name files and folders so, and rebuild it",
    })
}

/// Checks the extra fields of an algorithm. Each is a column beside the standard ones and those of counters
/// (`backend:event`), so it must have another name than these.
fn check_extra(listing: &Listing) -> Result<(), Violation> {
    let violation = |what: &str, expected, remedy| {
        let found = format!("its {} `{}` has {what}", listing.kind, listing.id);
        Err(Violation { found, expected, remedy })
    };
    if listing.extra.len() > EXTRA_FIELDS {
        let count = format!("{} extra fields", listing.extra.len());
        return violation(&count, "at most 16 extra fields", LEAVE_SOME_OUT);
    }
    let mut seen = HashSet::new();
    for name in &listing.extra {
        let fits = (1..=EXTRA_NAME_LENGTH).contains(&name.len());
        if !fits || name.contains(|c: char| c.is_control() || c == ',' || c == ':') {
            return violation(
                &format!("an extra field {name:?}"),
                "names of 1 to 10 bytes without `,` and `:`",
                "give it such a name, and rebuild it",
            );
        }
        if !seen.insert(name) || columns::is_standard(name) {
            return violation(
                &format!("an extra field `{name}`, as another column is called"),
                "names that no other field has",
                "give it another name, and rebuild it",
            );
        }
    }
    Ok(())
}

/// Checks that an item that calls itself a twin has the id of one, and is instrumented.
fn check_twin(listing: &Listing) -> Result<(), Violation> {
    let Some(base) = &listing.twin_of else { return Ok(()) };
    if listing.instrumented && listing.id == twin_id(base) {
        return Ok(());
    }
    let instrumented = if listing.instrumented { "" } else { ", and is not instrumented" };
    Err(Violation {
        found: format!(
            "its algorithm `{}` calls itself the twin of `{}`{instrumented}",
            listing.id,
            excerpt(base)
        ),
        expected: "twins that are instrumented, and whose id is `stat_` and that of the algorithm",
        remedy: "give it that id, or leave out what it is the twin of, and rebuild it",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plugin::contents::Kind;
    use crate::plugin::testing::listing;

    fn found(listings: &[Listing]) -> String {
        check_listings("", listings).unwrap_err().found
    }

    #[test]
    fn ids_are_words_and_unique_within_a_kind() {
        let (longest, endless) = ("a".repeat(64), "a".repeat(1 << 20));
        fn named(kind: Kind, id: &str) -> Listing {
            listing(kind, id, "/a.so", "1")
        }
        assert_eq!(
            check_listings("", &[named(Kind::Metric, "4a-1_b.c"), named(Kind::Merger, "4a-1_b.c")]),
            Ok(())
        );
        for id in ["", "a b", "a,b", "a:b", "a/b", "é", "a\n", "HOR", "..", "-x", "--help", "_a"] {
            assert_eq!(found(&[named(Kind::Metric, id)]), format!("it brings a metric with the id {id:?}"));
        }
        assert_eq!(check_listings("", &[named(Kind::Metric, &longest)]), Ok(()));
        let twin = |id: &str| Listing {
            twin_of: Some(id.to_owned()),
            instrumented: true,
            ..named(Kind::Algorithm, &format!("stat_{id}"))
        };
        assert_eq!(
            check_listings("", &[twin(&longest)]),
            Ok(()),
            "a twin's id is as long as its algorithm's"
        );
        assert!(check_listings("", &[twin(&format!("{longest}a"))]).is_err());
        assert!(check_listings("", &[named(Kind::Algorithm, &format!("stat_{longest}"))]).is_err());
        let long = found(&[named(Kind::Metric, &endless)]);
        assert!(long.len() < 200, "{long}");
        let twice = [named(Kind::Metric, "a"), named(Kind::Metric, "a")];
        assert_eq!(found(&twice), "it brings the metric `a` twice");
    }

    #[test]
    fn a_library_is_one_crate_s() {
        assert_eq!(check_origin("android-search"), Ok(()));
        let found = check_origin("borrower and comparison").unwrap_err().found;
        assert_eq!(found, "the crates `borrower` and `comparison` register things in it");
    }

    #[test]
    fn facts_are_short() {
        let with = |bytes| Listing {
            facts: vec![("summary".to_owned(), "a".repeat(bytes))],
            ..listing(Kind::Metric, "a", "/a.so", "1")
        };
        assert_eq!(check_listings("", &[with(4096)]), Ok(()));
        assert_eq!(found(&[with(4097)]), "its metric `a` has 4097 bytes of `summary`");
    }

    #[test]
    fn the_description_of_a_library_is_limited() {
        let with = |facts: usize, name: usize, value: usize| {
            let fact = |_| ("n".repeat(name), "v".repeat(value));
            Listing { facts: (0..facts).map(fact).collect(), ..listing(Kind::Metric, "a", "/a.so", "1") }
        };
        assert_eq!(check_listings("", &[with(256, 256, 3000)]), Ok(()));
        assert_eq!(found(&[with(257, 1, 1)]), "its metric `a` has 257 facts, fields, inputs and options");
        assert!(found(&[with(1, 257, 1)]).ends_with("a name of 257 bytes"));
        assert_eq!(found(&[with(256, 1, 4096)]), "it says 1048833 bytes of what it brings");
        let many: Vec<Listing> =
            (0..4097).map(|i| listing(Kind::Metric, &format!("m{i}"), "/a.so", "1")).collect();
        assert_eq!(
            (found(&many), check_listings("", &many[1..])),
            ("it brings 4097 things".to_owned(), Ok(()))
        );
    }

    #[test]
    fn extra_fields_are_few_and_short_and_columns_of_their_own() {
        let with = |names: &[&str]| Listing {
            extra: names.iter().map(|name| (*name).to_owned()).collect(),
            ..listing(Kind::Algorithm, "hor", "/a.so", "1")
        };
        assert_eq!(check_listings("", &[with(&["#small", "ten bytes!", "a", "b", "c", "d"])]), Ok(()));
        let sixteen = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16"];
        assert_eq!(check_listings("", &[with(&sixteen)]), Ok(()));
        let seventeen = [&sixteen[..], &["17"]].concat();
        let wrong: [&[&str]; 8] = [
            &seventeen,
            &[""],
            &["eleven byte"],
            &["a,b"],
            &["clock:ns"],
            &["a", "a"],
            &["jumps"],
            &["status"],
        ];
        for names in wrong {
            assert!(found(&[with(names)]).starts_with("its algorithm `hor` has "), "{names:?}");
        }
    }

    #[test]
    fn a_description_that_no_child_of_ours_makes_is_not_sound() {
        let item = || listing(Kind::Metric, "a", "/a.so", "1");
        let with = |listings| Contents { listings, ..Contents::default() };
        assert!(is_sound(&with(vec![item()])));
        assert!(!is_sound(&with(vec![listing(Kind::Metric, "other:a", "/a.so", "1")])));
        assert!(!is_sound(&with(Vec::new())) && !is_sound(&with(vec![item(), item()])));
        let fact = Listing { facts: vec![("name".to_owned(), "\u{1b}[2J".to_owned())], ..item() };
        let option = Listing { options: vec!["a\nb".to_owned()], ..item() };
        assert!(!is_sound(&with(vec![fact])) && !is_sound(&with(vec![option])));
    }

    #[test]
    fn files_of_a_backend_are_absolute_paths_that_show_where_they_lead() {
        let with = |files: &[&str]| {
            let mut backend = listing(Kind::Counter, "b", "/a.so", "1");
            backend.access.files = files.iter().map(PathBuf::from).collect();
            backend
        };
        assert_eq!(check_listings("", &[with(&["/proc/self", "/sys/", "/"])]), Ok(()));
        for wrong in ["", "sys", "/proc/../home", &"/a".repeat(129)] {
            let found = found(&[with(&["/proc", wrong])]);
            assert!(found.starts_with("its counter `b` declares \""), "{found}");
        }
        assert_eq!(found(&[with(&["/a"; 257])]), "its counter `b` declares 257 files");
    }

    #[test]
    fn a_twin_is_called_like_one_and_is_instrumented() {
        let twin = |id: &str, of: &str, instrumented| {
            let listing = Listing {
                twin_of: Some(of.to_owned()),
                instrumented,
                ..listing(Kind::Algorithm, id, "/a.so", "1")
            };
            check_twin(&listing).map_err(|violation| violation.found)
        };
        assert_eq!(twin("stat_hor", "hor", true), Ok(()));
        assert_eq!(twin("other:stat_hor", "other:hor", true), Ok(()));
        let raw = "its algorithm `raw-a` calls itself the twin of `hor`";
        assert_eq!(twin("raw-a", "hor", true), Err(raw.to_owned()));
        assert_eq!(twin("raw-a", "hor", false), Err(format!("{raw}, and is not instrumented")));
        assert!(twin("stat_hor", "hor", false).is_err() && twin("stat_hor", "other:hor", true).is_err());
    }
}
