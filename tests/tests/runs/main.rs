//! `assay run`, `assay explain` and `assay select`: what an experiment measures, what stops it, and what it leaves behind.

mod calls;
mod doctor;
mod edited_runs;
mod embedding;
mod explain;
mod how_long;
mod interrupts;
mod patterns;
mod pauses;
mod phases;
mod ranges;
mod resume;
mod run;
mod runs_by;
mod select;
mod texts;
