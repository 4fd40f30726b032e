//! Libraries: plugins, which the host loads, what it lists, checks and tests of them, and what their faults
//! cost; and the C library of the search.

mod abi_growth;
mod broken_libraries;
mod c_finder;
mod draft;
mod family_tree;
mod faults;
mod faulty_kinds;
mod few_processes;
mod foreign_plugin;
mod hostile_libraries;
mod listing;
mod many_algorithms;
mod raw_tables;
mod registration;
mod sandbox;
mod shared_ids;
mod smart;
mod testing;
mod trust;
