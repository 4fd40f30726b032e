//! What is made of saved runs: tables, statistics, comparisons, pictures, exports and pages.

mod atlas;
mod baseline;
mod claim;
mod compare;
mod comparing;
mod describe;
mod exports;
mod info;
mod not_made_for;
mod page;
mod pictures;
mod report;
mod several;
mod statistics;
mod subset;
