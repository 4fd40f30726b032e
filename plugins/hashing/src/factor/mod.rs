//! Filters that say of a hashed factor whether it may occur in the pattern.

mod chain;
mod linear;
mod weak;

pub mod hc;
pub mod lhc;
pub mod lwfr;
pub mod wfr;

assay_plugin_api::register!(family "hashing-factor");
