//! Which algorithm a twin belongs to. Its id says it, so that two libraries that bring a twin of the same
//! algorithm bring the same id, and neither is used.

use super::contents::Listing;
use super::validation::Violation;

/// The id of an algorithm's instrumented twin: that of `hor` is `stat_hor`, that of `other:hor` is
/// `other:stat_hor`.
pub fn twin_id(id: &str) -> String {
    match id.split_once(':') {
        Some((prefix, id)) => format!("{prefix}:stat_{id}"),
        None => format!("stat_{id}"),
    }
}

/// Whether a thing that calls itself a twin is called like one, and is instrumented.
///
/// # Errors
/// If not.
pub(super) fn check(listing: &Listing) -> Result<(), Violation> {
    let Some(base) = &listing.twin_of else { return Ok(()) };
    if listing.instrumented && listing.id == twin_id(base) {
        return Ok(());
    }
    let instrumented = if listing.instrumented { "" } else { ", and is not instrumented" };
    Err(Violation {
        found: format!(
            "its algorithm `{}` calls itself the twin of `{}`{instrumented}",
            listing.id,
            assay_base::error::excerpt(base)
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

    #[test]
    fn a_twin_is_called_like_one_and_is_instrumented() {
        let twin = |id: &str, of: &str, instrumented| {
            let listing = Listing {
                twin_of: Some(of.to_owned()),
                instrumented,
                ..listing(Kind::Algorithm, id, "/a.so", "1")
            };
            check(&listing).map_err(|violation| violation.found)
        };
        assert_eq!(twin("stat_hor", "hor", true), Ok(()));
        assert_eq!(twin("other:stat_hor", "other:hor", true), Ok(()));
        let raw = "its algorithm `raw-a` calls itself the twin of `hor`";
        assert_eq!(twin("raw-a", "hor", true), Err(raw.to_owned()));
        assert_eq!(twin("raw-a", "hor", false), Err(format!("{raw}, and is not instrumented")));
        assert!(twin("stat_hor", "hor", false).is_err() && twin("stat_hor", "other:hor", true).is_err());
    }
}
