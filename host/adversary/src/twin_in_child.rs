//! The host's side: one child process searches all inputs, as long as it lives.

use std::process::Stdio;
use std::time::Duration;

use assay_base::error::{Error, Result};
use assay_load::process::{
    ChildAnswer, ChildEnd, ChildGuard, Permissions, Requests, Stopwatch, Task, not_started, patience,
};
use assay_trace::TracedTwin;

use crate::child::{CountOutcome, CountRequest};
use crate::input::SearchInput;

/// A twin that counts in a child process.
#[derive(Debug)]
pub struct TwinInChild {
    twin: TracedTwin,
    child: Option<(ChildGuard, Requests)>,
    patience: Duration,
}

impl TwinInChild {
    /// A twin whose child starts with the first request.
    ///
    /// # Errors
    /// If the environment asks for a patience that is no number.
    pub fn new(twin: TracedTwin) -> Result<Self> {
        Ok(TwinInChild { twin, child: None, patience: patience()? })
    }

    /// Searches these inputs, and returns an outcome for each, up to the first at which the child ends.
    /// `look` is called every now and then; its error ends the search.
    ///
    /// # Errors
    /// If no child can be started; what `look` returns.
    pub fn count(
        &mut self,
        inputs: &[SearchInput],
        look: &dyn Fn() -> Result<()>,
    ) -> Result<Vec<CountOutcome>> {
        if let Ok(outcomes) = self.request(inputs, look)? {
            return Ok(outcomes);
        }
        // The child has ended, and does not say at which input. Each is tried by itself, and what was wrong
        // before it is not its fault.
        let mut outcomes = Vec::new();
        for input in inputs {
            match self.request(std::slice::from_ref(input), look)? {
                Ok(outcome) => outcomes.extend(outcome),
                Err(end) => {
                    outcomes.push(CountOutcome::Failed(end.to_string()));
                    break;
                }
            }
        }
        Ok(outcomes)
    }

    /// Sends a request, to a new child if there is none. The inner error says how the child ended.
    fn request(
        &mut self,
        inputs: &[SearchInput],
        look: &dyn Fn() -> Result<()>,
    ) -> Result<Result<Vec<CountOutcome>, ChildEnd>> {
        let (mut guard, mut requests) = match self.child.take() {
            Some(child) => child,
            None => self.start()?,
        };
        let request = CountRequest { twin: self.twin.clone(), inputs: inputs.to_vec() };
        let item = postcard::to_stdvec(&request).map_err(|error| Error::new(error.to_string()))?;
        // If the child has ended already, waiting for its answer shows it.
        let _ = requests.send(&item);
        let answer = requests.hear_last::<Vec<CountOutcome>>(&mut Stopwatch::start(), self.patience, look)?;
        Ok(match answer {
            ChildAnswer::Record(outcomes) if outcomes.len() == inputs.len() => {
                self.child = Some((guard, requests));
                Ok(outcomes)
            }
            ChildAnswer::Record(_) | ChildAnswer::Nonsense => Err(ChildEnd::Garbled),
            ChildAnswer::None { left } => {
                Err(guard.end_within(left).unwrap_or(ChildEnd::Hung(self.patience)))
            }
        })
    }

    fn start(&self) -> Result<(ChildGuard, Requests)> {
        let permissions = Permissions::to_load([self.twin.library.path.clone()]);
        let (guard, connection) = ChildGuard::start(&Task::CountWork, &permissions, Stdio::null())
            .map_err(|error| not_started(&error))?;
        Ok((guard, Requests::new(connection)))
    }
}
