//! Results in the engines that people use: the queries of the book, run on exported runs, give the figures of
//! `assay report`.

mod made_up;
mod sql;
