//! String matching by automata of the pattern.

pub mod aut;
pub mod bom;
pub mod bom2;
pub mod bsdm;
pub mod ebom;
pub mod fbom;
mod oracle;
pub mod rf;

assay_plugin_api::register!(family "automata");
