//! `assay plan`, `collect` and `merge`: counters from several runs in one table.

mod collect;
mod merge;
mod merge_quality;
mod much;
mod plan;
