//! Selects algorithms by id, by name, by regular expression, or by the sets that the user keeps.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use assay_base::error::{Error, Result, excerpt, near, unknown};
use assay_base::io::console::Console;
use assay_base::natural_order;
use assay_load::plugin::{Kind, Listing, Registry, twin_id};
use regex::RegexBuilder;

use crate::definition::Stats;
use crate::sets::{Sets, nothing_selected};

/// An algorithm that takes part in a run.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// Its id, also where its twin runs; `hor@2` if `hor` takes part for the second time.
    pub id: String,
    /// What runs: the algorithm itself or its instrumented twin.
    pub listing: Listing,
}

/// Users of SMART write this before the id of an algorithm to name its twin.
const STAT: &str = "stat_";

/// Separates an id from the number of its copy.
const COPY: char = '@';

/// Selects the algorithms of a run.
///
/// Each of `names` is an id, a shell pattern such as `bndm*`, a regular expression for whole ids, or a name
/// from the literature, in upper or lower case. The prefix of an id, as in `far:hor`, may be left out if no
/// other algorithm has the rest as its id. An algorithm that is named again takes part again, as `hor@2`.
/// With [`Stats::Algo`] the instrumented twins run; an algorithm without a twin is named in a warning and
/// skipped.
///
/// # Errors
/// If a name matches nothing, is shared by several algorithms, is an id that several libraries bring, or is
/// not a regular expression. Also if no algorithm is left.
pub fn select(names: &[String], stats: Stats, registry: &Registry, console: &Console) -> Result<Vec<Chosen>> {
    let (chosen, skipped) = choose(names, stats, registry)?;
    if let Some(note) = timed_instead(names, stats) {
        console.note(&note);
    }
    if let Some(warning) = skip_warning(&skipped, stats) {
        console.warn(&warning);
    }
    if chosen.is_empty() {
        return Err(Error::new("none of the chosen algorithms can be run this way")
            .remedy("choose others (`assay list algorithms`), or the other --stats"));
    }
    Ok(chosen)
}

/// The algorithms of a command: first `names` as the user wrote them (see [`select`]), then the ids of the
/// named sets and, with `selected`, of the selection. An id that `names` stand for already is not added
/// again. Ids that no library brings are left out with a warning.
///
/// # Errors
/// If there is no such set, or it is empty; if several libraries bring one of its ids; or if no library
/// brings any of them.
pub fn with_sets(
    names: &[String],
    sets: &[String],
    selected: bool,
    registry: &Registry,
    console: &Console,
) -> Result<Vec<String>> {
    let mut members = names.to_vec();
    if sets.is_empty() && !selected {
        return Ok(members);
    }
    let saved = Sets::open()?;
    let mut ids: Vec<&String> = Vec::new();
    for name in sets {
        match saved.find(name)? {
            [] => {
                return Err(Error::new(format!("the set `{name}` is empty"))
                    .remedy("`assay select` adds algorithms to a set"));
            }
            set => {
                let note = saved.note_of_changed_ids(&format!("the set `{name}`"), set, registry);
                note.iter().for_each(|note| console.note(note));
                ids.extend(set);
            }
        }
    }
    if selected {
        if saved.selected().is_empty() {
            return Err(nothing_selected());
        }
        let note = saved.note_of_changed_ids("the selection", saved.selected(), registry);
        note.iter().for_each(|note| console.note(note));
        ids.extend(saved.selected());
    }
    let mut seen: HashSet<String> = named_ids(names, registry)?.into_iter().collect();
    ids.retain(|id| seen.insert((*id).clone()));
    let (known, missing) = split_known(ids, registry);
    if let Some(conflict) = missing.iter().find_map(|id| registry.conflict(Kind::Algorithm, id)) {
        return Err(conflict);
    }
    members.extend(known.into_iter().cloned());
    if let Some(message) = missing_message(&missing) {
        if members.is_empty() {
            return Err(Error::new(message).remedy("--plugin-dir names the folder of a library"));
        }
        console.warn(&format!("{message}; left out"));
    }
    Ok(members)
}

/// Splits ids into those of algorithms that can be used, and those that no library brings or that several
/// bring.
pub fn split_known<'a>(
    wanted: impl IntoIterator<Item = &'a String>,
    registry: &Registry,
) -> (Vec<&'a String>, Vec<&'a String>) {
    let known = ids(registry);
    wanted.into_iter().partition(|id| known.contains_key(id.as_str()))
}

/// The message that no library brings these ids; `None` if there are none.
pub fn missing_message(ids: &[&String]) -> Option<String> {
    let ids: Vec<&str> = ids.iter().map(|id| id.as_str()).collect();
    (!ids.is_empty()).then(|| format!("no library brings {}", ids.join(", ")))
}

/// The algorithms that are named, and the ids of those that can't run with these `stats`, each once.
///
/// # Errors
/// As [`select`].
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
    // All copies of an id below this number are taken, so that ten thousand copies are not looked through for
    // each.
    let mut next_copy: HashMap<&str, u32> = HashMap::new();
    for name in names {
        let (name, number) = without_copy(name);
        for id in named(name, registry)? {
            let wanted = number.map_or_else(|| id.to_owned(), |number| copy(id, number));
            let is_meant =
                is_id(name, id) || name.ends_with(&format!(":{id}")) || with_name(name, &known) == [id];
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
                    if is_meant && !name.contains(':') {
                        registry.announce(Kind::Algorithm, id);
                    }
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

/// The note that a twin was named but its algorithm is timed; `None` if no twin was named.
fn timed_instead(names: &[String], stats: Stats) -> Option<String> {
    let twin = names.iter().find(|name| plain(name) != **name).filter(|_| stats == Stats::Perf)?;
    let timed = plain(twin);
    Some(format!("`{twin}` is timed as {timed}: its instrumented twin runs with --stats algo"))
}

/// The warning that algorithms are skipped; `None` if none is.
fn skip_warning(skipped: &[&str], stats: Stats) -> Option<String> {
    let reason = match stats {
        Stats::Algo => "there is no instrumented twin",
        Stats::Perf => "there is only an instrumented twin",
    };
    (!skipped.is_empty()).then(|| format!("skipped, because {reason}: {}", skipped.join(", ")))
}

/// The id of the algorithm, also if the listing is of its twin.
fn base_id(listing: &Listing) -> &str {
    listing.twin_of.as_deref().unwrap_or(&listing.id)
}

/// The listing of an algorithm, or of its twin if only that is there.
pub fn listing<'a>(id: &str, registry: &'a Registry) -> Option<&'a Listing> {
    let known = || registry.of_kind(Kind::Algorithm).filter(|listing| base_id(listing) == id);
    known().find(|listing| !listing.instrumented).or_else(|| known().next())
}

/// The ids of all algorithms with their names. An algorithm that several libraries bring is left out,
/// together with its twin.
pub fn ids(registry: &Registry) -> BTreeMap<&str, &str> {
    let clear = |listing: &&Listing| registry.conflict(Kind::Algorithm, base_id(listing)).is_none();
    registry
        .of_kind(Kind::Algorithm)
        .filter(clear)
        .map(|listing| (base_id(listing), listing.title().unwrap_or_default()))
        .collect()
}

/// The ids that one of the user's names stands for, at least one.
///
/// # Errors
/// If there are none, or several algorithms share the name.
pub fn named<'a>(name: &str, registry: &'a Registry) -> Result<Vec<&'a str>> {
    if let Some(conflict) = registry.conflict(Kind::Algorithm, &plain(name).to_lowercase()) {
        return Err(conflict);
    }
    if let Some(listing) = registry.find_qualified(Kind::Algorithm, &plain(name).to_lowercase()) {
        return Ok(vec![base_id(listing)]);
    }
    let known = ids(registry);
    let found = among(name, &known)?;
    if !found.is_empty() {
        return Ok(found);
    }
    let close = near(name, known.iter().flat_map(|(id, name)| [*id, *name]));
    let remedy = set_remedy(name)
        .or_else(|| form_remedy(name))
        .or_else(|| file_remedy(name))
        .or_else(|| unit_remedy(name))
        .unwrap_or_else(|| match close.as_slice() {
            [] => "`assay list algorithms` shows all of them".to_owned(),
            close => format!("did you mean {}?", close.join(", ")),
        });
    Err(Error::new(format!("unknown algorithm `{}`", excerpt(name))).remedy(remedy))
}

/// The ids that the user's names stand for, each once, in the order of the names. The name `hor@2` stands for
/// `hor`.
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

/// The ids among `known` (ids with names) that one of the user's names stands for. There may be none.
///
/// # Errors
/// If several algorithms share the name, or it is not a regular expression.
pub fn among<'a>(name: &str, known: &BTreeMap<&'a str, &str>) -> Result<Vec<&'a str>> {
    let mut ids: Vec<&str> = known.keys().copied().collect();
    ids.sort_unstable_by(|one, other| natural_order(one, other));
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

/// The ids of a saved run that the user's names stand for, in alphabetical order. `known` has the ids of the
/// run, with the names of the algorithms in the literature where these are known.
///
/// # Errors
/// If a name matches none of them, with near ids; or as [`among`].
pub fn measured_ids<'a>(names: &[String], known: &BTreeMap<&'a str, &str>) -> Result<BTreeSet<&'a str>> {
    let mut ids = BTreeSet::new();
    for name in names {
        let found = among(name, known)?;
        if found.is_empty() {
            let error = unknown("algorithm of this run", name, known.keys().copied());
            // The `.*` of an expression must not count as a difference from an id.
            let close = near(name.trim_end_matches(|c: char| !c.is_alphanumeric()), known.keys().copied());
            let meant = (!close.is_empty()).then(|| format!("did you mean {}?", close.join(", ")));
            return Err(match form_remedy(name).or(meant) {
                Some(remedy) => error.remedy(remedy),
                None => error,
            });
        }
        ids.extend(found);
    }
    Ok(ids)
}

/// The remedy if the user has a set of this name.
fn set_remedy(name: &str) -> Option<String> {
    Sets::open().is_ok_and(|sets| sets.find(name).is_ok()).then(|| {
        format!("`{name}` is a set: `run` and `test` take it as --use {name}, `assay select use {name}` selects it")
    })
}

/// The remedy if the name has another form than that of an algorithm: a list, or `?` for any character.
fn form_remedy(name: &str) -> Option<String> {
    if name.contains(',') && !name.contains('{') {
        return Some(format!("separate algorithms by blanks: {}", name.replace(',', " ").trim_end()));
    }
    let dotted = name.replace('?', ".");
    (dotted != name && name.chars().all(is_of_shell_pattern))
        .then(|| format!("names are regular expressions, in which a dot is any character: '{dotted}'"))
}

/// The remedy if the name is a unit that stands apart from its number.
fn unit_remedy(name: &str) -> Option<String> {
    const UNITS: [&str; 9] = ["kb", "mb", "gb", "kib", "mib", "gib", "ms", "us", "ns"];
    let is_unit = UNITS.contains(&name.to_lowercase().as_str());
    is_unit.then(|| format!("a number and its unit are one word: 4{name}"))
}

/// The remedy if the name is that of a file.
fn file_remedy(name: &str) -> Option<String> {
    let is_file = std::path::Path::new(name).is_file();
    is_file.then(|| "the name of an experiment's file ends with .toml".to_owned())
}

/// The letters and digits of a name, in lower case.
fn letters(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The algorithms that have this name in the literature. Blanks, dashes and case make no difference.
fn with_name<'a>(name: &str, known: &BTreeMap<&'a str, &str>) -> Vec<&'a str> {
    let wanted = letters(name);
    let same = known.iter().filter(|(_, name)| !wanted.is_empty() && letters(name) == wanted);
    same.map(|(id, _)| *id).collect()
}

/// Splits a name into the name of an algorithm and the number of its copy: `hor@2` into `hor` and 2.
fn without_copy(name: &str) -> (&str, Option<u32>) {
    let copy = name.rsplit_once(COPY).and_then(|(name, copy)| Some((name, copy.parse().ok()?)));
    copy.filter(|(_, copy)| *copy > 1).map_or((name, None), |(name, copy)| (name, Some(copy)))
}

/// The id of an algorithm that takes part for the second time or later: `hor@2`.
pub fn copy(id: &str, number: u32) -> String {
    format!("{id}{COPY}{number}")
}

/// The id of an algorithm without the number of its copy: `hor` for `hor@2`, and for `hor` itself.
pub fn original(id: &str) -> &str {
    without_copy(id).0
}

/// Whether a name is this very id, rather than an expression that matches it.
fn is_id(name: &str, id: &str) -> bool {
    id.eq_ignore_ascii_case(&plain(name))
}

/// A name without the `stat_` of a twin.
fn plain(name: &str) -> String {
    name.strip_prefix(STAT).unwrap_or(name).replacen(&format!(":{STAT}"), ":", 1)
}

/// The ids that a name matches, as an id, as a shell pattern or as a regular expression.
///
/// # Errors
/// If it is not a regular expression.
fn matching<'a>(name: &str, ids: &[&'a str]) -> Result<Vec<&'a str>> {
    // Some ids have a dot, so an id that is spelled out must not be taken for an expression.
    if let Some(id) = ids.iter().find(|id| is_id(name, id)) {
        return Ok(vec![id]);
    }
    let plain = plain(name);
    let pattern = shell_pattern(&plain).unwrap_or_else(|| format!("{name}|{plain}"));
    let expression = RegexBuilder::new(&format!("^(?:{pattern})$"))
        .case_insensitive(true)
        .build()
        .map_err(|error| no_expression(name, &error))?;
    let matches = |id: &str| is_id(name, id) || expression.is_match(id);
    Ok(ids.iter().copied().filter(|id| matches(id) || short(id, ids).is_some_and(matches)).collect())
}

/// The regular expression that matches what a shell pattern does; `None` if the name is not one. `bndm*`
/// would be a regular expression, too, but users do not mean `bnd` and any number of m by it.
fn shell_pattern(name: &str) -> Option<String> {
    let is_pattern = name.contains('*') && name.chars().all(is_of_shell_pattern);
    is_pattern.then(|| regex::escape(name).replace(r"\*", ".*").replace(r"\?", "."))
}

/// Whether a character can be in a shell pattern. An id can have a dot, but a name with one is a regular
/// expression.
fn is_of_shell_pattern(character: char) -> bool {
    character.is_alphanumeric() || "-_:*?".contains(character)
}

/// The error of a name that is not a regular expression.
fn no_expression(name: &str, error: &regex::Error) -> Error {
    let name = excerpt(name);
    if matches!(error, regex::Error::CompiledTooBig(_)) {
        return Error::new(format!("the regular expression `{name}` is too large"))
            .remedy("write a shorter one, with fewer repetitions");
    }
    // The last of the lines that show the place says what is wrong there.
    let reason = error.to_string();
    let reason = reason.lines().last().and_then(|line| line.strip_prefix("error: "));
    let reason = reason.map_or_else(String::new, |reason| format!(": {reason}"));
    Error::new(format!("`{name}` is neither an id nor a regular expression{reason}")).remedy(
        "`assay list algorithms` shows the ids; in an expression, brackets come in pairs: 'b.*|(hor|qs)2'",
    )
}

/// An id without its prefix; `None` if it has none, or if the rest is the id of another algorithm.
fn short<'a>(id: &'a str, ids: &[&str]) -> Option<&'a str> {
    let (_, short) = id.split_once(':')?;
    (!ids.contains(&short)).then_some(short)
}

#[cfg(test)]
mod tests;
