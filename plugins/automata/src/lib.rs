//! String matching by automata of the pattern.

pub mod aut;
pub mod bom;
pub mod bom2;
pub mod bsdm;
mod oracle;

assay_plugin_api::register!(family "automata");
