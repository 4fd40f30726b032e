//! Answers with a message, which is handed over during the call or kept until the host asks for it.

use assay_abi::{Status, TextSink};

use super::guard::guard;

/// Runs a part of the library and answers for it; the message goes to `message`.
///
/// # Safety
/// As for [`TextSink::tell`].
pub unsafe fn answer(message: *const TextSink, run: impl FnOnce() -> Result<(), String>) -> Status {
    let result = guard(run);
    // SAFETY: the caller's promise.
    unsafe { tell(message, result) }
}

/// Turns the result of a guarded call into its status, and hands over the message.
unsafe fn tell(message: *const TextSink, result: Result<Result<(), String>, String>) -> Status {
    let (status, text) = match result {
        Ok(Ok(())) => return Status::OK,
        Ok(Err(reason)) => (Status::FAILED, reason),
        Err(panic) => (Status::PANICKED, panic),
    };
    // SAFETY: the caller's promise.
    unsafe { TextSink::tell(message, &text) };
    status
}

/// The message of the last answer that was not [`Status::OK`], for calls in a hot loop.
#[derive(Debug, Default)]
pub struct Message(String);

impl Message {
    /// Turns what came of a guarded call into its status, and keeps the message. An error has a status of its
    /// own; a panic is [`Status::PANICKED`].
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

    /// Hands the message over.
    ///
    /// # Safety
    /// As for [`TextSink::tell`].
    pub unsafe fn tell(&self, message: *const TextSink) {
        // SAFETY: the caller's promise.
        unsafe { TextSink::tell(message, &self.0) };
    }
}
