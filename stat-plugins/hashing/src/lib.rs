//! The instrumented twins of `assay-hashing`, made from its sources.
use assay_hashing as _;

assay_plugin_api::register!(twins Only);
