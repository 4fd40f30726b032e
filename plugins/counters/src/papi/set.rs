//! An event set of PAPI's: events of one component, which one thread counts.

use std::ffi::c_int;

use super::library::{Code, Libpapi, zero_ended};
use crate::c_library::check;

/// An open set.
#[derive(Debug)]
pub struct EventSet {
    library: &'static Libpapi,
    handle: c_int,
    /// The codes of the events in the order in which they were added, each once.
    names: Vec<String>,
    counting: bool,
    /// The latest reading.
    pub counts: Vec<i64>,
}

/// The handle of an event set that does not exist.
const NONE: c_int = -1;

impl EventSet {
    pub fn new(library: &'static Libpapi) -> Result<Self, Code> {
        let mut handle = NONE;
        // SAFETY: the handle has its place.
        check(unsafe { (library.functions.create_eventset)(&raw mut handle) }, Code)?;
        Ok(EventSet { library, handle, names: Vec::new(), counting: false, counts: Vec::new() })
    }

    /// Adds an event unless it is in the set already, and returns the place of its count. This shows whether
    /// it can be counted.
    pub fn add(&mut self, name: &str) -> Result<usize, Code> {
        if let Some(place) = self.names.iter().position(|other| other == name) {
            return Ok(place);
        }
        let c_name = zero_ended(name)?;
        // SAFETY: the set is open, and the name ends with zero.
        check(unsafe { (self.library.functions.add_named_event)(self.handle, c_name.as_ptr()) }, Code)?;
        self.names.push(name.to_owned());
        self.counts.push(0);
        Ok(self.names.len() - 1)
    }

    pub fn start(&mut self) -> Result<(), Code> {
        // SAFETY: the set is open.
        check(unsafe { (self.library.functions.start)(self.handle) }, Code)?;
        self.counting = true;
        Ok(())
    }

    #[inline]
    pub fn read(&mut self) -> Result<(), Code> {
        // SAFETY: the set is open, and there is room for as many counts as it has events.
        check(unsafe { (self.library.functions.read)(self.handle, self.counts.as_mut_ptr()) }, Code)?;
        Ok(())
    }

    pub fn stop(&mut self) -> Result<(), Code> {
        self.counting = false;
        // SAFETY: as for `read`.
        check(unsafe { (self.library.functions.stop)(self.handle, self.counts.as_mut_ptr()) }, Code)?;
        Ok(())
    }
}

impl Drop for EventSet {
    fn drop(&mut self) {
        if self.counting {
            // A running set must be stopped before it can be destroyed. Errors are ignored, because nobody is
            // left to report
            // them to.
            let _ = self.stop();
        }
        // SAFETY: the set is open, and is not used any more.
        unsafe {
            (self.library.functions.cleanup_eventset)(self.handle);
            (self.library.functions.destroy_eventset)(&raw mut self.handle);
        }
    }
}
