//! Ids that meant other algorithms when a run was made or a set was written.

use std::collections::BTreeMap;

use assay_base::natural_order;
use assay_load::plugin::{FormerId, Registry};

use crate::selection::original;

/// The ids among these that have meant other algorithms before, each with the last version in which they did:
/// what a run or a file of sets records, so that a later version knows which meaning it has.
pub fn changed<'a>(ids: impl IntoIterator<Item = &'a str>, registry: &Registry) -> BTreeMap<String, String> {
    let former = ids.into_iter().filter_map(|id| registry.former_id(original(id)));
    former.map(|former| (former.id.to_owned(), former.until.to_owned())).collect()
}

/// The note that ids of `owner` mean other algorithms now, unless they were `recorded` with their present
/// meaning; `None` if there are no such ids.
pub fn note<'a>(
    owner: &str,
    ids: impl IntoIterator<Item = &'a str>,
    recorded: &BTreeMap<String, String>,
    registry: &Registry,
) -> Option<String> {
    let mut ids: Vec<&str> = ids.into_iter().map(original).collect();
    ids.sort_unstable_by(|one, other| natural_order(one, other));
    ids.dedup();
    let former = ids.into_iter().filter_map(|id| registry.former_id(id));
    let older = former.filter(|former| recorded.get(former.id).is_none_or(|until| until != former.until));
    let words: Vec<String> = older.map(|former: FormerId<'_>| former.words()).collect();
    (!words.is_empty()).then(|| format!("{owner} is older than the ids that it names: {}", words.join(", ")))
}

#[cfg(test)]
mod tests {
    use assay_load::plugin::testing::{self, listing};
    use assay_load::plugin::{Kind, Listing};

    use super::*;

    /// A registry in which `old` means another algorithm than before, which is `new` now.
    fn registry() -> Registry {
        let facts = [("formerly", "old"), ("formerly_until", "0.3.0")];
        let facts = facts.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        let listing = |id| listing(Kind::Algorithm, id, "/a.so", "1");
        let renamed = Listing { facts, ..listing("new") };
        testing::registry(vec![("/a.so", vec![renamed, listing("old")])])
    }

    #[test]
    fn an_id_with_an_older_meaning_is_noted_until_the_present_one_is_recorded() {
        let registry = registry();
        let noted = |recorded: &BTreeMap<String, String>| {
            note("the set `mine`", ["hor", "old", "old@2"], recorded, &registry)
        };
        assert_eq!(
            noted(&BTreeMap::new()).unwrap(),
            "the set `mine` is older than the ids that it names: `old` was until version 0.3.0 what is new now"
        );
        let recorded = changed(["hor", "old@2", "new"], &registry);
        assert_eq!(recorded, [("old".to_owned(), "0.3.0".to_owned())].into());
        assert_eq!(noted(&recorded), None);
        let earlier = [("old".to_owned(), "0.1.0".to_owned())].into();
        assert!(noted(&earlier).is_some(), "it has changed again");
        assert_eq!(note("it", ["new", "hor"], &BTreeMap::new(), &registry), None);
    }
}
