//! The repository itself: its files, its algorithms, its book and its command line.

mod algorithms;
mod bibtex;
mod changed_ids;
mod code_map;
mod documented_commands;
mod elaps;
mod engines;
mod errata;
mod families;
mod house_rules;
mod lineage;
mod names;
mod pages;
mod pitfalls;
mod refusals;
mod rust_types;
mod statuses;
mod timed;
mod usage;
