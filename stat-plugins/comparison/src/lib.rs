//! The instrumented twins of `assay-comparison`, made from its sources.
use assay_comparison as _;

assay_plugin_api::register!(twins Only);
