//! The style of every page that the program writes: the page of a run and that of a merge.

/// The style sheet, to be put into the page itself: a page is one file that needs no network.
pub const STYLE: &str = include_str!("page.css");
