//! The substring search of the crate memx.

use assay_plugin_api::prelude::*;

use crate::every;

/// Nothing is kept from one call to the next.
#[derive(Default)]
pub struct Memx;

impl Algorithm for Memx {
    const ABOUT: About = About {
        id: "memx",
        name: "memx::memmem",
        reference: Reference {
            authors: &["The memx project"],
            title: "Crate memx",
            url: "https://docs.rs/memx",
            ..Reference::UNKNOWN
        },
        status: Status::FromAuthorsProgram("The authors' program itself."),
        version: || env!("VERSION_MEMX").to_owned(),
        idea: "The first or the last character, whichever is rarer in ASCII texts, by vectors; then all of \
            the pattern.",
        space: "O(1)",
        worst_case: "O(mn)",
        ..About::UNKNOWN
    };
    const INSTRUMENTED: bool = false;

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, _: P) {
        let (text, pattern) = (text.bytes(), pattern.bytes());
        every(found, text.len(), |from| Some(from + memx::memmem(&text[from..], pattern)?));
    }
}

register!(algorithm Memx);
