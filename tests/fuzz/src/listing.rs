//! The description of a library, from the child process that has loaded it and from the cache.

use assay_load::plugin::testing::{cached, description, inspected_by};
use assay_load::plugin::{Contents, LoadFailure};

use super::check::{bounded, is_printable};

/// An item of a listing has a few hundred bytes, and postcard needs eleven bytes for one.
const FACTOR: u64 = 400;
const CONSTANT: u64 = 64 << 10;

/// Reads descriptions as a cache and as the answers of children.
pub fn listing(input: &[u8]) {
    let (cached, inspected) = bounded(input, FACTOR, CONSTANT, || (cached(input), inspected_by(input)));
    // The host has written its cache itself.
    cached.iter().flatten().for_each(|contents| drop(contents.summary()));
    inspected.into_iter().for_each(show);
}

/// Shows a description as the commands do.
fn show(described: Result<Contents, LoadFailure>) {
    match described {
        Err(failure) => is_printable(&failure.to_string()),
        Ok(contents) => {
            let _ = contents.summary();
            is_printable(&contents.library.title());
            for listing in &contents.listings {
                let facts = listing.facts.iter().flat_map(|(name, value)| [name, value]);
                let names = listing.extra.iter().chain(&listing.inputs).chain(&listing.options);
                facts.chain(names).chain([&listing.ids()]).for_each(|text| is_printable(text));
            }
            let again = inspected_by(&description(contents.clone()));
            assert_eq!(again, [Ok(contents)]);
        }
    }
}
