//! The crate regex, with a literal.

use std::fmt::Write;

use assay_plugin_api::prelude::*;
use regex::bytes::{Regex, RegexBuilder};

use crate::every;

/// Prepared once.
#[derive(Default)]
pub struct Literal(Option<Regex>);

impl Algorithm for Literal {
    const ABOUT: About = About {
        id: "regex",
        name: "Crate regex, a literal",
        reference: Reference {
            authors: &["The Rust project", "A. Gallant"],
            title: "Crate regex",
            url: "https://docs.rs/regex",
            ..Reference::UNKNOWN
        },
        status: Status::FromAuthorsProgram("The authors' program itself."),
        version: || env!("VERSION_REGEX").to_owned(),
        after: &["memmem"],
        idea: "A regular expression that is a literal: found by memchr's memmem, after the engine's own \
            decisions.",
        ..About::UNKNOWN
    };
    const INSTRUMENTED: bool = false;

    /// # Errors
    /// If the compiled expression is larger than the crate allows.
    fn prepare_with<P: Probe>(&mut self, pattern: &[u8], _: Hints, _: P) -> Result<(), CannotSearch> {
        let literal = pattern.iter().fold(String::new(), |mut literal, byte| {
            let _ = write!(literal, r"\x{byte:02x}");
            literal
        });
        // With the crate's own limit a long literal in a periodic text gets a far slower engine.
        let compiled = RegexBuilder::new(&literal).unicode(false).dfa_size_limit(64 << 20).build();
        self.0 = Some(compiled.map_err(|error| CannotSearch(error.to_string()))?);
        Ok(())
    }

    fn search<P: Probe>(&mut self, _: Pattern<P>, text: Text<P>, found: &mut impl Found, _: P) {
        let (text, compiled) = (text.bytes(), self.0.as_ref().expect("a preparation"));
        every(found, text.len(), |from| Some(compiled.find_at(text, from)?.start()));
    }
}

register!(algorithm Literal);
