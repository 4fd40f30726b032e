//! Which algorithms: by name, by regular expression, or all of them.

use regex::RegexBuilder;

use crate::error::{Error, Result, unknown};
use crate::experiment::definition::Stats;
use crate::io::console::Console;
use crate::plugin::{Kind, Listing, Registry};

/// An algorithm that takes part in a run.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// Its id, without the `stat_` of an instrumented variant.
    pub id: String,
    /// What is run: the algorithm itself, or its instrumented variant.
    pub listing: Listing,
}

/// What users of SMART write before the id of an instrumented variant.
const STAT: &str = "stat_";

/// Chooses the algorithms whose ids match one of `names`: each a name, or a regular expression for a whole id, in any
/// case. With [`Stats::Algo`] the instrumented variants are run; an algorithm without one is named and skipped.
///
/// # Errors
/// If a name matches nothing, is no regular expression, or nothing is left.
pub fn select(names: &[String], stats: Stats, registry: &Registry, console: &Console) -> Result<Vec<Chosen>> {
    if names.is_empty() {
        return Err(Error::new("no algorithm is named")
            .remedy("name some (`assay run bf hor`), give a regular expression (`'bndm.*'`), or --all"));
    }
    let listings: Vec<&Listing> = registry.of_kind(Kind::Algorithm).collect();
    let mut ids: Vec<&str> = listings.iter().map(|listing| base_id(listing)).collect();
    ids.sort_unstable();
    ids.dedup();
    if ids.is_empty() {
        return Err(Error::new("no plugin library brings an algorithm")
            .remedy("`assay plugins list` shows what was found; name a folder with --plugin-dir"));
    }
    let (mut chosen, mut skipped) = (Vec::<Chosen>::new(), Vec::new());
    for name in names {
        let matches = matching(name, &ids)?;
        if matches.is_empty() {
            return Err(unknown("algorithm", name, ids.iter().copied()));
        }
        for id in matches {
            if chosen.iter().any(|other| other.id == id) || skipped.contains(&id) {
                continue;
            }
            let instrumented = stats == Stats::Algo;
            let run = listings
                .iter()
                .find(|listing| base_id(listing) == id && listing.instrumented == instrumented);
            match run {
                Some(&listing) => chosen.push(Chosen { id: id.to_owned(), listing: listing.clone() }),
                None => skipped.push(id),
            }
        }
    }
    if !skipped.is_empty() {
        let lack = match stats {
            Stats::Algo => "an instrumented variant",
            Stats::Perf => "a variant that can be timed",
        };
        console.warn(&format!("skipped, for lack of {lack}: {}", skipped.join(", ")));
    }
    if chosen.is_empty() {
        return Err(Error::new("none of the chosen algorithms can be run this way"));
    }
    Ok(chosen)
}

/// The id of the algorithm itself, also for its twin.
fn base_id(listing: &Listing) -> &str {
    listing.twin_of.as_deref().unwrap_or(&listing.id)
}

fn matching<'a>(name: &str, ids: &[&'a str]) -> Result<Vec<&'a str>> {
    let expression = RegexBuilder::new(&format!("^(?:{STAT})?(?:{name})$"))
        .case_insensitive(true)
        .build()
        .map_err(|_| Error::new(format!("`{name}` is neither an id nor a regular expression")))?;
    let plain = name.strip_prefix(STAT).unwrap_or(name);
    Ok(ids.iter().copied().filter(|id| id.eq_ignore_ascii_case(plain) || expression.is_match(id)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_whole_ids_in_any_case() {
        let ids = ["bm", "bndm", "bndmq2", "hor"];
        assert_eq!(matching("BM", &ids).unwrap(), ["bm"]);
        assert_eq!(matching("bndm.*", &ids).unwrap(), ["bndm", "bndmq2"]);
        assert_eq!(matching("stat_hor", &ids).unwrap(), ["hor"]);
        assert_eq!(matching("b", &ids).unwrap(), [] as [&str; 0]);
        assert!(matching("(", &ids).unwrap_err().to_string().contains("`(`"));
    }
}
