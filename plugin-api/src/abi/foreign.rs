//! What plain C functions need on both sides: addresses in a library, structs that can grow, answers with a message.

use std::ffi::c_void;

use abi_stable::StableAbi;

use super::Status;

/// An address in a library. It lasts as long as the library, which is for ever, and any thread may use what is there.
#[repr(transparent)]
#[derive(StableAbi, Clone, Copy, Debug)]
pub struct Address(*const c_void);

// SAFETY: it is made of shared references to things that are `Sync` and never freed, or by `Address::foreign`, whose
// caller promises the same.
unsafe impl Send for Address {}
// SAFETY: as above.
unsafe impl Sync for Address {}

impl Address {
    /// Nothing.
    pub const NULL: Address = Address(std::ptr::null());

    /// The address of something that lasts for ever.
    pub fn of<T: Sync>(item: &'static T) -> Self {
        Address(std::ptr::from_ref(item).cast())
    }

    /// An address that a library of another dialect gave.
    ///
    /// # Safety
    /// What is there must last for ever, and any thread must be free to use it.
    pub unsafe fn foreign(address: *const c_void) -> Self {
        Address(address)
    }

    /// The bare pointer.
    pub fn pointer(self) -> *const c_void {
        self.0
    }

    /// What is there.
    ///
    /// # Safety
    /// There must be a `T`.
    pub(super) unsafe fn get<T>(self) -> &'static T {
        // SAFETY: the caller's promise.
        unsafe { &*self.0.cast() }
    }
}

/// Fills a struct that its owner has made, and that begins with its size in bytes: as much of it as both sides know. So
/// either side may be the newer one, which has more fields at the end.
///
/// # Safety
/// Both structs must begin with their size as a `usize`, and go on alike as far as the shorter one reaches; `target` must
/// be good for writes of its size.
pub(super) unsafe fn fill<T: Copy>(target: *mut T, value: &T) {
    let head = size_of::<usize>();
    // SAFETY: the caller's promise; the size itself stays the target's own.
    unsafe {
        let known = (*target.cast::<usize>()).min(size_of::<T>());
        let (from, to) = (std::ptr::from_ref(value).cast::<u8>(), target.cast::<u8>());
        std::ptr::copy_nonoverlapping(from.add(head), to.add(head), known.saturating_sub(head));
    }
}

/// The message of the last answer that was not [`Status::OK`].
#[derive(Debug, Default)]
pub(super) struct Message(String);

impl Message {
    /// Turns what came of a guarded call into its status, and keeps the message. An error has a status of its own; a panic
    /// is [`Status::PANICKED`].
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

    /// The address of the message; its length goes to `length`.
    ///
    /// # Safety
    /// `length` must be good for a write.
    pub unsafe fn tell(&self, length: *mut usize) -> *const u8 {
        // SAFETY: the caller's promise.
        unsafe { *length = self.0.len() };
        self.0.as_ptr()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[repr(C)]
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Known {
        size: usize,
        first: u32,
        second: u32,
    }

    #[test]
    fn a_struct_is_filled_as_far_as_both_sides_know_it() {
        let value = Known { size: size_of::<Known>(), first: 1, second: 2 };
        for (size, second) in [(size_of::<Known>(), 2), (size_of::<usize>() + 4, 0), (100, 2)] {
            let mut target = Known { size, first: 0, second: 0 };
            // SAFETY: both are the same type, and no more than that is written.
            unsafe { fill(&raw mut target, &value) };
            assert_eq!(target, Known { size, first: 1, second });
        }
    }
}
