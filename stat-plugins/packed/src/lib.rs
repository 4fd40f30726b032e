//! The instrumented twins of `assay-packed`, made from its sources.
use assay_packed as _;

assay_plugin_api::register!(twins Only);
