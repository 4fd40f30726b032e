//! Four Sliding Windows (`fsw`).
//!
//! Pays where [`tsw`](super::tsw) does, on processors that have work for four windows at once.
//! Departures: once two windows have met, those of the other half go on alone; where two are less than two
//! apart, the rest is compared window by window. Shifts are of 16 bits: a longer one is made in several
//! steps. The characters at both ends are compared in turn, from the ends to the middle.

use assay_plugin_api::prelude::*;

use super::etsw::EnhancedSlidingWindows;

const ABOUT: About = About {
    id: "fsw",
    name: "Four Sliding Windows",
    reference: Reference {
        authors: &["A. Hudaib", "R. Al-Khalid", "A. Al-Anani", "M. Itriq", "D. Suleiman"],
        title: "Four Sliding Windows Pattern Matching Algorithm (FSW)",
        journal: "J. Softw. Eng. Appl.",
        volume: "8",
        number: "3",
        pages: "154-165",
        year: 2015,
        doi: "10.4236/jsea.2015.83016",
        ..Reference::UNKNOWN
    },
    status: Status::FromPaper(
        "The paper's four windows; what is searched after two of them have met is ours.",
    ),
    after: &["etsw"],
    idea: "Two Sliding Windows in both halves of the text at once, compared from both ends of the \
        pattern.",
    ..EnhancedSlidingWindows::<2>::ABOUT
};

register!(algorithm EnhancedSlidingWindows<2>, about: ABOUT);
