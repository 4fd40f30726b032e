//! An open set of events: the safe side of a counter backend's plain C functions.

use std::ffi::c_void;

use assay_abi::Status;
use assay_abi::counter::EventCount;

use super::counter::CounterFunctions;
use super::receive_text;
use crate::process::call_without_copies;

/// Events of one backend that are counted together, by the thread that opened them.
#[derive(Debug)]
pub struct CounterSet {
    calls: CounterFunctions,
    handle: *mut c_void,
    counts: Vec<EventCount>,
}

impl CounterSet {
    /// # Safety
    /// `open` of these calls must have made the set, with this number of events.
    pub(super) unsafe fn new(calls: CounterFunctions, handle: *mut c_void, events: usize) -> Self {
        CounterSet { calls, handle, counts: vec![EventCount::default(); events] }
    }

    /// Starts counting, from zero.
    ///
    /// # Errors
    /// The backend's message.
    pub fn start(&mut self) -> Result<(), String> {
        // SAFETY: the handle is this backend's.
        let status = call_without_copies(|| unsafe { (self.calls.start)(self.handle) });
        self.check(status)
    }

    /// Reads all events of the set, in the order in which they were named, without stopping them.
    ///
    /// # Errors
    /// The backend's message.
    #[inline]
    pub fn read(&mut self) -> Result<&[EventCount], String> {
        let (start, length) = (self.counts.as_mut_ptr(), self.counts.len());
        // SAFETY: the handle is this backend's, and there is a place for each event.
        let status = unsafe { (self.calls.read)(self.handle, start, length, size_of::<EventCount>()) };
        self.check(status)?;
        Ok(&self.counts)
    }

    /// Stops counting.
    ///
    /// # Errors
    /// The backend's message.
    pub fn stop(&mut self) -> Result<(), String> {
        // SAFETY: the handle is this backend's.
        let status = call_without_copies(|| unsafe { (self.calls.stop)(self.handle) });
        self.check(status)
    }

    #[inline]
    fn check(&self, status: Status) -> Result<(), String> {
        if status == Status::OK {
            return Ok(());
        }
        // SAFETY: the handle is this backend's, and the sink lasts during the call.
        Err(receive_text(|sink| unsafe { (self.calls.message)(self.handle, sink) }))
    }
}

impl Drop for CounterSet {
    fn drop(&mut self) {
        // SAFETY: `open` made the handle, and it is used no more.
        call_without_copies(|| unsafe { (self.calls.close)(self.handle) });
    }
}
