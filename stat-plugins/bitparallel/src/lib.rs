//! The instrumented twins of `assay-bitparallel`, made from its sources.
use assay_bitparallel as _;

assay_plugin_api::register!(twins Only);
