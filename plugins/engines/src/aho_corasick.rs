//! The crate aho-corasick, with a single pattern.

use aho_corasick::{AhoCorasick, Input};
use assay_plugin_api::prelude::*;

use crate::every;

/// Prepared once.
#[derive(Default)]
pub struct OfOne(Option<AhoCorasick>);

impl Algorithm for OfOne {
    const ABOUT: About = About {
        id: "aho-corasick",
        name: "Crate aho-corasick, one pattern",
        reference: Reference {
            authors: &["A. Gallant"],
            title: "Crate aho-corasick",
            url: "https://docs.rs/aho-corasick",
            ..Reference::UNKNOWN
        },
        status: Status::FromAuthorsProgram("The authors' program itself."),
        version: || env!("VERSION_AHO_CORASICK").to_owned(),
        idea: "An automaton of many patterns, here of one, with a filter by rare bytes before it.",
        ..About::UNKNOWN
    };
    const INSTRUMENTED: bool = false;

    fn prepare_with<P: Probe>(&mut self, pattern: &[u8], _: Hints, _: P) -> Result<(), CannotSearch> {
        let automaton = AhoCorasick::new([pattern]).map_err(|error| CannotSearch(error.to_string()))?;
        self.0 = Some(automaton);
        Ok(())
    }

    fn search<P: Probe>(&mut self, _: Pattern<P>, text: Text<P>, found: &mut impl Found, _: P) {
        let (text, automaton) = (text.bytes(), self.0.as_ref().expect("a preparation"));
        every(found, text.len(), |from| Some(automaton.find(Input::new(text).range(from..))?.start()));
    }
}

register!(algorithm OfOne);
