//! String matching by automata of the pattern.

pub mod bom;

assay_plugin_api::register!(family "automata");
