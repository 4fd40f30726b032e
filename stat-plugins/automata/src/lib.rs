//! The instrumented twins of `assay-automata`, made from its sources.
use assay_automata as _;

assay_plugin_api::register!(twins Only);
