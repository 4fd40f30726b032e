//! An open set of events: the safe side of a counter backend's plain C functions.

use std::ffi::c_void;

use assay_plugin_api::EventCount;
use assay_plugin_api::abi::Status;
use assay_plugin_api::abi::counter::{Calls, Entry};

use super::searcher::message_of;

/// Events of one backend that are counted together, by the thread that opened them.
#[derive(Debug)]
pub struct CounterSet {
    calls: Calls,
    handle: *mut c_void,
    counts: Vec<EventCount>,
}

impl CounterSet {
    /// Opens a set of events, by the names that they have within the backend.
    ///
    /// # Errors
    /// One sentence that names the event at fault.
    pub fn open(backend: &Entry, events: &[&str]) -> Result<Self, String> {
        let handle = backend.open(events, &[])?;
        Ok(CounterSet { calls: backend.calls(), handle, counts: vec![EventCount::default(); events.len()] })
    }

    /// Starts counting, from zero.
    ///
    /// # Errors
    /// The backend's message.
    pub fn start(&mut self) -> Result<(), String> {
        // SAFETY: the handle is this backend's.
        let status = unsafe { (self.calls.start)(self.handle) };
        self.check(status)
    }

    /// Reads all events of the set, in the order in which they were named, without stopping them.
    ///
    /// # Errors
    /// The backend's message.
    #[inline]
    pub fn read(&mut self) -> Result<&[EventCount], String> {
        // SAFETY: the handle is this backend's, and there is a place for each event.
        let status = unsafe { (self.calls.read)(self.handle, self.counts.as_mut_ptr(), self.counts.len()) };
        self.check(status)?;
        Ok(&self.counts)
    }

    /// Stops counting.
    ///
    /// # Errors
    /// The backend's message.
    pub fn stop(&mut self) -> Result<(), String> {
        // SAFETY: the handle is this backend's.
        let status = unsafe { (self.calls.stop)(self.handle) };
        self.check(status)
    }

    #[inline]
    fn check(&self, status: Status) -> Result<(), String> {
        if status == Status::OK {
            return Ok(());
        }
        // SAFETY: the handle is this backend's.
        Err(unsafe { message_of(|length| (self.calls.message)(self.handle, length)) })
    }
}

impl Drop for CounterSet {
    fn drop(&mut self) {
        // SAFETY: `open` made the handle, and it is used no more.
        unsafe { (self.calls.close)(self.handle) }
    }
}
