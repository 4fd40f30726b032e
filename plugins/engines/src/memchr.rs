//! The substring searches of the crate memchr: for many texts, for one, and its Two Way without vectors.

use assay_plugin_api::prelude::*;
use memchr::arch::all::twoway;
use memchr::memmem::{self, Finder};

use crate::every;

const MEMCHR: About = About {
    reference: Reference {
        authors: &["A. Gallant"],
        title: "Crate memchr, module memmem",
        url: "https://docs.rs/memchr",
        ..Reference::UNKNOWN
    },
    status: Status::FromAuthorsProgram("The authors' program itself."),
    version: || env!("VERSION_MEMCHR").to_owned(),
    preparation_time: "O(m)",
    space: "O(1)",
    worst_case: "O(n) to an occurrence, so O(mn) to all of them",
    ..About::UNKNOWN
};

/// Prepared once, as `memmem::Finder` is meant to be used.
#[derive(Default)]
pub struct Prepared(Option<Finder<'static>>);

impl Algorithm for Prepared {
    const ABOUT: About = About {
        id: "memmem",
        name: "memchr::memmem, prepared",
        after: &["meta-tw"],
        idea: "Two bytes that should be rare are looked for with vectors, and Two Way takes over where they \
            are not rare.",
        ..MEMCHR
    };
    const INSTRUMENTED: bool = false;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], _: P) {
        self.0 = Some(Finder::new(pattern).into_owned());
    }

    fn search<P: Probe>(&mut self, _: Pattern<P>, text: Text<P>, found: &mut impl Found, _: P) {
        let (text, finder) = (text.bytes(), self.0.as_ref().expect("a preparation"));
        every(found, text.len(), |from| Some(from + finder.find(&text[from..])?));
    }
}

/// Called anew for each occurrence, with what that takes.
#[derive(Default)]
pub struct OneShot;

impl Algorithm for OneShot {
    const ABOUT: About = About {
        id: "memmem-once",
        name: "memchr::memmem, one call",
        after: &["meta-tw"],
        idea: "As `memmem`, but each call prepares: that is part of the search, once more for each \
            occurrence.",
        ..MEMCHR
    };
    const INSTRUMENTED: bool = false;

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, _: P) {
        let (text, pattern) = (text.bytes(), pattern.bytes());
        every(found, text.len(), |from| Some(from + memmem::find(&text[from..], pattern)?));
    }
}

/// Two Way alone, which is also what `str::find` of Rust's standard library does.
#[derive(Default)]
pub struct TwoWay(Option<twoway::Finder>);

impl Algorithm for TwoWay {
    const ABOUT: About = About {
        id: "memmem-tw",
        name: "memchr::arch::all::twoway",
        after: &["tw"],
        idea: "Two Way with a set of the pattern's bytes, without vectors: the way of Rust's str::find.",
        ..MEMCHR
    };
    const INSTRUMENTED: bool = false;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], _: P) {
        self.0 = Some(twoway::Finder::new(pattern));
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, _: P) {
        let (text, pattern) = (text.bytes(), pattern.bytes());
        let finder = self.0.as_ref().expect("a preparation");
        every(found, text.len(), |from| Some(from + finder.find(&text[from..], pattern)?));
    }
}

register!(algorithm Prepared; OneShot; TwoWay);
