//! Filters that say of a hashed factor whether it may occur in the pattern.

mod chain;
mod linear;
pub mod recognition;
mod sentinel;
mod unique;
mod weak;

pub mod bram;
pub mod hc;
pub mod lhc;
pub mod lwfr;
pub mod shc;
pub mod twfr;
pub mod twfrq;
pub mod ufm;
pub mod wfr;
pub mod wfrq;
pub mod whc;

assay_plugin_api::register!(family "hashing-factor");
