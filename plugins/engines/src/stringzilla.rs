//! The substring search of StringZilla.

use assay_plugin_api::prelude::*;

use crate::every;

/// Nothing is prepared.
#[derive(Default)]
pub struct StringZilla;

impl Algorithm for StringZilla {
    const ABOUT: About = About {
        id: "stringzilla",
        name: "StringZilla's find",
        reference: Reference {
            authors: &["A. Vardanian"],
            title: "Crate stringzilla",
            url: "https://docs.rs/stringzilla",
            ..Reference::UNKNOWN
        },
        status: Status::FromAuthorsProgram("The authors' program itself."),
        version: || env!("VERSION_STRINGZILLA").to_owned(),
        idea: "Three bytes of the pattern, different ones where it has them, are compared at as many places as \
            a vector holds.",
        space: "O(1)",
        worst_case: "O(mn)",
        ..About::UNKNOWN
    };
    const INSTRUMENTED: bool = false;

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, _: P) {
        let (text, pattern) = (text.bytes(), pattern.bytes());
        every(found, text.len(), |from| Some(from + stringzilla::sz::find(&text[from..], pattern)?));
    }
}

register!(algorithm StringZilla);
