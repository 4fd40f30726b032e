//! Engines that people use: the queries of the book, run on exported runs, give the figures of `assay
//! report`, and a merge on disk gives the table of one in memory.

mod made_up;
mod merge;
mod sql;
