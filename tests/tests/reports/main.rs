//! What is made of saved runs: tables, statistics, comparisons, pictures, exports and pages.

mod baseline;
mod compare;
mod comparing;
mod describe;
mod exports;
mod info;
mod page;
mod pictures;
mod report;
mod statistics;
mod subset;
