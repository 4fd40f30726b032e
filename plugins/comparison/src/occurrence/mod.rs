//! Shifts by where one or two characters of the text occur in the pattern.

pub mod br;
pub mod hor;
pub mod qs;
pub mod raita;
pub mod smith;
pub mod tunedbm;
pub mod tvsbs;

assay_plugin_api::register!(family "comparison-occurrence");
