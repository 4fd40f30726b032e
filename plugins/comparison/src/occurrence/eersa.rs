//! Enhanced ERS-A (`eersa`).
//!
//! Pays where [`ersa`](super::ersa) does, if mismatches are as likely at both ends of the pattern.
//! Departures: we have seen the abstract of the paper. How a shift is looked up is ours: the shift is the
//! least with which the four characters fit the pattern, and where the pattern has all four is kept by their
//! hash. When the windows are less than four apart, the rest is compared window by window. Shifts from the
//! table are of 16 bits: a longer one is made in several steps.
//! The characters at both ends of a window are compared in turn, from the ends to the middle. Patterns have
//! four characters at least. One computation = the hash of four characters.

use assay_plugin_api::prelude::*;

use super::ersa::ErsA;

const ABOUT: About = About {
    id: "eersa",
    name: "Enhanced ERS-A",
    reference: Reference {
        authors: &["D. Suleiman", "M. Itriq", "A. Al-Anani", "R. Al-Khalid", "A. Hudaib"],
        title: "Enhancing ERS-A Algorithm for Pattern Matching (EERS-A)",
        journal: "J. Softw. Eng. Appl.",
        volume: "8",
        number: "3",
        pages: "143-153",
        year: 2015,
        doi: "10.4236/jsea.2015.83015",
        ..Reference::UNKNOWN
    },
    status: Status::FromAbstract("The abstract was seen; how a shift is looked up is ours."),
    after: &["ersa", "etsw"],
    idea: "Windows from both ends of the text shift by the four characters beyond them, and are compared \
        from both ends of the pattern.",
    ..ErsA::<true>::ABOUT
};

register!(algorithm ErsA<true>, about: ABOUT);
