//! The instrumented twins of `assay-own`, made from its sources.
use assay_own as _;

assay_plugin_api::register!(twins Only);
