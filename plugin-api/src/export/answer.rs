//! The status that a call returns, with its message. The message is passed during the call, or kept until the
//! host asks for it.

use assay_abi::{Status, TextSink};

use super::guard::guard;

/// Runs a part of the library, passes the message of an error or a panic to `message`, and returns the
/// status.
///
/// # Safety
/// As for [`TextSink::send`].
pub unsafe fn answer(message: *const TextSink, run: impl FnOnce() -> Result<(), String>) -> Status {
    let result = guard(run);
    // SAFETY: the caller's promise.
    unsafe { status_of(message, result) }
}

/// The status of a guarded call, whose message is passed to `message`.
///
/// # Safety
/// As for [`TextSink::send`].
unsafe fn status_of(message: *const TextSink, result: Result<Result<(), String>, String>) -> Status {
    let (status, text) = match result {
        Ok(Ok(())) => return Status::OK,
        Ok(Err(reason)) => (Status::FAILED, reason),
        Err(panic) => (Status::PANICKED, panic),
    };
    // SAFETY: the caller's promise.
    unsafe { TextSink::send(message, &text) };
    status
}

/// The message of the last status that was not [`Status::OK`]. Calls in a hot loop keep it here, because they
/// pass no sink.
#[derive(Debug, Default)]
pub struct Message(String);

impl Message {
    /// The status of a guarded call, whose message is kept. An error brings its own status; a panic is
    /// [`Status::PANICKED`].
    #[inline]
    pub fn answer(&mut self, result: Result<Result<(), (Status, String)>, String>) -> Status {
        let (status, message) = match result {
            Ok(Ok(())) => return Status::OK,
            Ok(Err(refusal)) => refusal,
            Err(panic) => (Status::PANICKED, panic),
        };
        self.0 = message;
        status
    }

    /// Passes the message to a sink.
    ///
    /// # Safety
    /// As for [`TextSink::send`].
    pub unsafe fn send(&self, message: *const TextSink) {
        // SAFETY: the caller's promise.
        unsafe { TextSink::send(message, &self.0) };
    }
}
