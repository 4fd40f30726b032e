//! The instrumented twins of `assay-hybrid`, made from its sources.
use assay_hybrid as _;

assay_plugin_api::register!(twins Only);
