//! A campaign: an experiment that is cut into tasks, which any number of machines measure.
//!
//! `cut` decides which tasks there are, and `plan` writes them into a folder with a `manifest`. `folder` says
//! where everything is, and `manifest_check` whether it is what was planned. A process attends to a `task`,
//! and measures it in an `attempt`; `node` says on which machine. A `submission` hands tasks to a batch
//! system by a `job_script`; `batch_system` is what a batch system must be able to do, and `slurm` does it by
//! calling the `program`s of Slurm. `status` joins what the batch system says with what the attempts say, and
//! so decides what `submit` hands over again; `damage` finds what must be measured again although it is done.
//! `gather` finds the tasks that make a run together, and `references` compares the machines by the
//! experiment that all have measured.

#![warn(unreachable_pub)]

pub mod attempt;
pub mod batch_system;
pub mod cut;
pub mod damage;
pub mod folder;
pub mod gather;
mod job_script;
pub mod manifest;
mod manifest_check;
pub mod node;
pub mod plan;
mod program;
pub mod references;
#[cfg(test)]
mod simulation;
pub mod slurm;
pub mod status;
pub mod submission;
pub mod submit;
pub mod task;

pub use attempt::{Attempt, AttemptFolder, AttemptOutcome};
pub use folder::CampaignFolder;
pub use manifest::CampaignManifest;
pub use node::Node;
pub use status::{CampaignStatus, TaskState, TaskStatus};
pub use submission::{Submission, SubmitOptions, SubmitTarget};
pub use task::TaskEnd;
