//! Algorithms of this project: the search of `assay-finder`, and each of its methods by itself.

pub mod one_kind;
pub mod own;
mod own_all;
mod own_packed;
mod own_planes;
mod own_some;
mod own_windows;
mod reading;

assay_plugin_api::register!(family "own");
