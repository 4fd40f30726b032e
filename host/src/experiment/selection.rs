//! Which algorithms: by id, by name, by regular expression, or all of them.

use std::collections::{BTreeMap, HashMap, HashSet};

use regex::RegexBuilder;

use crate::error::{Error, Result, excerpt, near};
use crate::experiment::definition::Stats;
use crate::experiment::sets::Sets;
use crate::io::console::Console;
use crate::plugin::{Kind, Listing, Registry, twin_id};

/// An algorithm that takes part in a run.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// Its id, without the `stat_` of an instrumented variant; `hor@2` where `hor` takes part for the second time.
    pub id: String,
    /// What is run: the algorithm itself, or its instrumented variant.
    pub listing: Listing,
}

/// What users of SMART write before the id of an instrumented variant.
const STAT: &str = "stat_";

/// Between an id and the number of its copy.
const COPY: char = '@';

/// Chooses the algorithms that `names` name: each is an id, a regular expression for whole ids, or a name as the literature
/// has it, in any case. An id with a prefix, `far:hor`, may be called without it where no other algorithm has that name; what
/// is named again takes part again, as `hor@2`. With [`Stats::Algo`] the instrumented variants are run; an algorithm without
/// one is named and skipped.
///
/// # Errors
/// If a name matches nothing, is the name of several algorithms, is an id that several libraries bring, is no regular
/// expression, or nothing is left.
pub fn select(names: &[String], stats: Stats, registry: &Registry, console: &Console) -> Result<Vec<Chosen>> {
    let (chosen, skipped) = choose(names, stats, registry)?;
    if let Some(note) = timed_instead(names, stats) {
        console.note(&note);
    }
    if let Some(warning) = lacking(&skipped, stats) {
        console.warn(&warning);
    }
    if chosen.is_empty() {
        return Err(Error::new("none of the chosen algorithms can be run this way"));
    }
    Ok(chosen)
}

/// The algorithms of the names, and the ids of those that can't be run this way, each once.
fn choose<'a>(names: &[String], stats: Stats, registry: &'a Registry) -> Result<(Vec<Chosen>, Vec<&'a str>)> {
    if names.is_empty() {
        return Err(Error::new("no algorithm is named")
            .remedy(
            "name some (`assay run bf hor`), or give a regular expression (`'bndm.*'`), a set that you keep (--use SET), the \
             selected ones (--selected) or --all; `assay select` makes sets",
        ));
    }
    let known = ids(registry);
    if known.is_empty() {
        return Err(Error::new("no plugin library brings an algorithm")
            .remedy("`assay plugins list` shows what was found; name a folder with --plugin-dir"));
    }
    let (mut chosen, mut skipped) = (Vec::<Chosen>::new(), Vec::new());
    let mut taken: HashSet<String> = HashSet::new();
    // All copies of an id below this number are taken, so that ten thousand copies are not looked through for each.
    let mut next_copy: HashMap<&str, u32> = HashMap::new();
    for name in names {
        let (name, number) = without_copy(name);
        for id in named(name, registry)? {
            let wanted = number.map_or_else(|| id.to_owned(), |number| copy(id, number));
            let is_meant = is_id(name, id) || with_name(name, &known) == [id];
            if skipped.contains(&id) || (taken.contains(&wanted) && !is_meant) {
                continue;
            }
            let mut own_id = wanted;
            while taken.contains(&own_id) {
                let number = next_copy.entry(id).or_insert(2);
                own_id = copy(id, *number);
                *number += 1;
            }
            let instrumented = stats == Stats::Algo;
            let run = registry
                .of_kind(Kind::Algorithm)
                .find(|listing| base_id(listing) == id && listing.instrumented == instrumented);
            match run {
                Some(listing) => {
                    taken.insert(own_id.clone());
                    chosen.push(Chosen { id: own_id, listing: listing.clone() });
                }
                None => {
                    let lost = if instrumented { twin_id(id) } else { id.to_owned() };
                    if let Some(conflict) = registry.conflict(Kind::Algorithm, &lost).filter(|_| is_meant) {
                        return Err(conflict);
                    }
                    skipped.push(id);
                }
            }
        }
    }
    Ok((chosen, skipped))
}

/// Says so where a twin is named and its algorithm is timed.
fn timed_instead(names: &[String], stats: Stats) -> Option<String> {
    let twin = names.iter().find(|name| plain(name) != **name).filter(|_| stats == Stats::Perf)?;
    let timed = plain(twin);
    Some(format!("`{twin}` is timed as {timed}: its instrumented twin runs with --stats algo"))
}

/// Says which algorithms are left out, if there are some.
fn lacking(skipped: &[&str], stats: Stats) -> Option<String> {
    let lack = match stats {
        Stats::Algo => "an instrumented variant",
        Stats::Perf => "a variant that can be timed",
    };
    (!skipped.is_empty()).then(|| format!("skipped, for lack of {lack}: {}", skipped.join(", ")))
}

/// The id of the algorithm itself, also for its twin.
fn base_id(listing: &Listing) -> &str {
    listing.twin_of.as_deref().unwrap_or(&listing.id)
}

/// The algorithm itself, or its twin where that is alone.
pub fn listing<'a>(id: &str, registry: &'a Registry) -> Option<&'a Listing> {
    let known = || registry.of_kind(Kind::Algorithm).filter(|listing| base_id(listing) == id);
    known().find(|listing| !listing.instrumented).or_else(|| known().next())
}

/// The ids of the algorithms, each once, with their names; of those that several libraries bring, also the twin is left out.
pub fn ids(registry: &Registry) -> BTreeMap<&str, &str> {
    let clear = |listing: &&Listing| registry.conflict(Kind::Algorithm, base_id(listing)).is_none();
    registry
        .of_kind(Kind::Algorithm)
        .filter(clear)
        .map(|listing| (base_id(listing), listing.title().unwrap_or_default()))
        .collect()
}

/// The ids that one of the user's names stands for.
///
/// # Errors
/// If there are none, or it is the name of several algorithms.
pub fn named<'a>(name: &str, registry: &'a Registry) -> Result<Vec<&'a str>> {
    if let Some(conflict) = registry.conflict(Kind::Algorithm, &plain(name).to_lowercase()) {
        return Err(conflict);
    }
    let known = ids(registry);
    let found = among(name, &known)?;
    if !found.is_empty() {
        return Ok(found);
    }
    let close = near(name, known.iter().flat_map(|(id, name)| [*id, *name]));
    let remedy = of_set(name).or_else(|| misspelt(name)).unwrap_or_else(|| match close.as_slice() {
        [] => "`assay list algorithms` tells all of them".to_owned(),
        close => format!("did you mean {}?", close.join(", ")),
    });
    Err(Error::new(format!("unknown algorithm `{}`", excerpt(name))).remedy(remedy))
}

/// The ids that the user's names stand for, each once, in the order of the names; `hor@2` stands for `hor`.
///
/// # Errors
/// As [`named`].
pub fn named_ids(names: &[String], registry: &Registry) -> Result<Vec<String>> {
    let mut found = Vec::<String>::new();
    for name in names {
        for id in named(without_copy(name).0, registry)? {
            if !found.iter().any(|other| other == id) {
                found.push(id.to_owned());
            }
        }
    }
    Ok(found)
}

/// Those of some algorithms, ids with names, that one of the user's names stands for: none, if it is none of theirs.
///
/// # Errors
/// If it is the name of several, or no regular expression.
pub fn among<'a>(name: &str, known: &BTreeMap<&'a str, &str>) -> Result<Vec<&'a str>> {
    let ids: Vec<&str> = known.keys().copied().collect();
    let matching = matching(name, &ids);
    if matching.as_ref().is_ok_and(|ids| !ids.is_empty()) {
        return matching;
    }
    match with_name(name, known).as_slice() {
        [] => matching,
        [id] => Ok(vec![*id]),
        several => Err(Error::new(format!("{} algorithms are called `{name}`", several.len()))
            .remedy(format!("name them by their ids: {}", several.join(", ")))),
    }
}

/// What to do with the name of a set that the user keeps.
fn of_set(name: &str) -> Option<String> {
    Sets::open().is_ok_and(|sets| sets.find(name).is_ok()).then(|| {
        format!("`{name}` is a set: `run` and `test` take it as --use {name}, `assay select use {name}` selects it")
    })
}

/// What is wrong with the form of a name: a list, a pattern of the shell, a file.
fn misspelt(name: &str) -> Option<String> {
    if name.contains(',') && !name.contains('{') {
        return Some(format!("algorithms have blanks between them: {}", name.replace(',', " ")));
    }
    if name.ends_with('*') && !name.ends_with(".*") {
        let stem = name.trim_end_matches('*');
        return Some(format!("a regular expression for whole ids is '{stem}.*'"));
    }
    let is_file = std::path::Path::new(name).is_file();
    is_file.then(|| "the name of an experiment's file ends with .toml".to_owned())
}

/// The algorithms of a name. Blanks, dashes and case make no difference.
fn with_name<'a>(name: &str, known: &BTreeMap<&'a str, &str>) -> Vec<&'a str> {
    let letters = |name: &str| -> String {
        name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let wanted = letters(name);
    let same = known.iter().filter(|(_, name)| !wanted.is_empty() && letters(name) == wanted);
    same.map(|(id, _)| *id).collect()
}

/// A name and the number behind its `@`: that of an algorithm that takes part more than once.
fn without_copy(name: &str) -> (&str, Option<u32>) {
    let copy = name.rsplit_once(COPY).and_then(|(name, copy)| Some((name, copy.parse().ok()?)));
    copy.filter(|(_, copy)| *copy > 1).map_or((name, None), |(name, copy)| (name, Some(copy)))
}

/// The id under which an algorithm takes part for so many a time.
pub fn copy(id: &str, number: u32) -> String {
    format!("{id}{COPY}{number}")
}

/// The id of the algorithm that takes part again under this id: `hor` for `hor@2`, and for `hor` itself.
pub fn original(id: &str) -> &str {
    without_copy(id).0
}

/// Whether a name is this very id, and no expression.
fn is_id(name: &str, id: &str) -> bool {
    id.eq_ignore_ascii_case(&plain(name))
}

/// What SMART calls `stat_hor` is the instrumented variant of `hor`.
fn plain(name: &str) -> String {
    name.strip_prefix(STAT).unwrap_or(name).replacen(&format!(":{STAT}"), ":", 1)
}

fn matching<'a>(name: &str, ids: &[&'a str]) -> Result<Vec<&'a str>> {
    // A dot is part of some ids: one that is spelled out is no expression.
    if let Some(id) = ids.iter().find(|id| is_id(name, id)) {
        return Ok(vec![id]);
    }
    let plain = plain(name);
    let expression = RegexBuilder::new(&format!("^(?:{name}|{plain})$"))
        .case_insensitive(true)
        .build()
        .map_err(|_| Error::new(format!("`{name}` is neither an id nor a regular expression")))?;
    let calls = |id: &str| is_id(name, id) || expression.is_match(id);
    let called = |id: &str| calls(id) || short(id, ids).is_some_and(calls);
    Ok(ids.iter().copied().filter(|id| called(id)).collect())
}

/// An id without its prefix, if it has one and nothing else is called so.
fn short<'a>(id: &'a str, ids: &[&str]) -> Option<&'a str> {
    let (_, short) = id.split_once(':')?;
    (!ids.contains(&short)).then_some(short)
}

#[cfg(test)]
mod tests;
