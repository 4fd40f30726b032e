//! Structs that can grow: they begin with their size in bytes, and later versions add fields at the end.

use std::fmt;

/// A struct that crosses by address and can grow. Either side may be newer and know more fields.
///
/// # Safety
/// The type must be `repr(C)` and begin with its size as a `usize`. Bytes that are all 0 must be a valid
/// value of every field. In a field that a later version added, this value means that the field is absent.
pub unsafe trait Growing: Copy {
    /// Size of the first version in bytes. No library and no host has a smaller struct.
    const FIRST: usize;

    /// A struct with its size, and zeros in all other fields.
    fn empty() -> Self {
        let mut value = std::mem::MaybeUninit::<Self>::zeroed();
        // SAFETY: zeros are a valid value of every field, and the size is the first field.
        unsafe {
            value.as_mut_ptr().cast::<usize>().write(size_of::<Self>());
            value.assume_init()
        }
    }
}

/// Declares that a struct can grow, with the last field of its first version.
macro_rules! growing {
    ($type:ty, $last:ident) => {
        // SAFETY: the type is `repr(C)` and begins with `size`; numbers, addresses and optional functions may
        // be 0.
        unsafe impl $crate::Growing for $type {
            const FIRST: usize =
                $crate::growth::end_of(std::mem::offset_of!($type, $last), |it: &$type| &it.$last);
        }
    };
}
pub(crate) use growing;

/// The offset at which a field ends, from the offset at which it begins.
pub(crate) const fn end_of<T, F>(offset: usize, _: fn(&T) -> &F) -> usize {
    offset + size_of::<F>()
}

/// The reason why a struct can't be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// No struct can lie at this address.
    Address(usize),
    /// The size that the struct has is impossible: it is smaller than the first version (second number), too
    /// large, or no multiple of the alignment.
    Size(usize, usize),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::Address(address) => write!(f, "lies at the impossible address {address:#x}"),
            Unreadable::Size(found, first) => {
                write!(f, "says that it has {found} bytes; its first version has {first}")
            }
        }
    }
}

/// The first page of memory is never mapped.
const LEAST_ADDRESS: usize = 4096;
/// Greatest size in bytes that is believed. No struct of the ABI will come near it, so a greater number shows
/// that the address does not lead to such a struct.
const GREATEST_SIZE: usize = 1 << 16;

/// Copies the fields of a struct that both sides know. Fields that the other side does not have are 0.
///
/// # Errors
/// If the address or the size is impossible.
///
/// # Safety
/// If the address is possible, it must lead to a struct of this type in some version, which begins with its
/// size.
pub unsafe fn read<T: Growing>(address: *const T) -> Result<T, Unreadable> {
    if address.addr() < LEAST_ADDRESS || !address.is_aligned() {
        return Err(Unreadable::Address(address.addr()));
    }
    // SAFETY: the caller's promise.
    let size = unsafe { address.cast::<usize>().read() };
    if size < T::FIRST || size > GREATEST_SIZE || !size.is_multiple_of(align_of::<T>()) {
        return Err(Unreadable::Size(size, T::FIRST));
    }
    let mut value = T::empty();
    // SAFETY: both structs have at least this number of bytes, and the same fields in them.
    unsafe { copy_known(address, &raw mut value, size.min(size_of::<T>())) };
    Ok(value)
}

/// Fills in the fields of a struct that both sides know.
///
/// # Safety
/// `target` must be valid for writes of the number of bytes with which it begins.
pub unsafe fn fill<T: Growing>(target: *mut T, value: &T) {
    // SAFETY: the caller's promise. The size of the target is not overwritten.
    unsafe {
        let size = target.cast::<usize>().read();
        copy_known(value, target, size.min(size_of::<T>()));
    }
}

/// Copies `size` bytes, except for the size field at the beginning.
///
/// # Safety
/// Both structs must have `size` bytes.
unsafe fn copy_known<T>(from: *const T, to: *mut T, size: usize) {
    let head = size_of::<usize>();
    // SAFETY: the caller's promise.
    unsafe {
        let (from, to) = (from.cast::<u8>().add(head), to.cast::<u8>().add(head));
        std::ptr::copy_nonoverlapping(from, to, size.saturating_sub(head));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Call = extern "C" fn() -> u32;

    extern "C" fn seven() -> u32 {
        7
    }

    #[repr(C)]
    #[derive(Clone, Copy, Debug)]
    struct First {
        size: usize,
        number: u64,
        call: Option<Call>,
    }
    growing!(First, call);

    /// A later version with another function.
    #[repr(C)]
    #[derive(Clone, Copy, Debug)]
    struct Later {
        size: usize,
        number: u64,
        call: Option<Call>,
        more: Option<Call>,
    }
    growing!(Later, call);

    #[test]
    fn later_functions_of_a_shorter_struct_are_absent() {
        let first = First { number: 5, call: Some(seven), ..First::empty() };
        // SAFETY: the struct has the size with which it begins.
        let later: Later = unsafe { read((&raw const first).cast()) }.unwrap();
        assert_eq!(
            (later.size, later.number, later.call.map(|call| call())),
            (size_of::<Later>(), 5, Some(7))
        );
        assert!(later.more.is_none());
    }

    #[test]
    fn a_longer_struct_is_read_as_far_as_it_is_known() {
        let later = Later { number: 5, call: None, more: Some(seven), ..Later::empty() };
        // SAFETY: the struct has the size with which it begins.
        let first: First = unsafe { read((&raw const later).cast()) }.unwrap();
        assert_eq!((first.size, first.number, first.call.is_none()), (size_of::<First>(), 5, true));
    }

    #[test]
    fn impossible_addresses_and_sizes_are_refused() {
        let at = |address: usize| {
            // SAFETY: impossible addresses are not dereferenced.
            unsafe { read(std::ptr::without_provenance::<First>(address)) }.unwrap_err()
        };
        for address in [0, 8, 4095, 0x10001] {
            assert_eq!(at(address), Unreadable::Address(address));
        }
        for size in [0, size_of::<First>() - 8, size_of::<First>() + 1, usize::MAX, 1 << 40] {
            let wrong = First { size, ..First::empty() };
            // SAFETY: only the size is read if it is impossible.
            let refused = unsafe { read(&raw const wrong) }.unwrap_err();
            assert_eq!(refused, Unreadable::Size(size, size_of::<First>()));
        }
    }

    #[test]
    fn a_struct_is_filled_as_far_as_both_sides_know_it() {
        let value = Later { number: 5, call: Some(seven), more: Some(seven), ..Later::empty() };
        for (size, number, more) in
            [(size_of::<Later>(), 5, true), (size_of::<First>(), 5, false), (0, 0, false)]
        {
            let mut target = Later { size, ..Later::empty() };
            // SAFETY: the struct has at least the size with which it begins.
            unsafe { fill(&raw mut target, &value) };
            assert_eq!((target.size, target.number, target.more.is_some()), (size, number, more));
        }
    }
}
