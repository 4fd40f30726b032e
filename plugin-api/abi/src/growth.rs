//! Structs that can grow: they begin with their size in bytes, and later versions have more fields at the
//! end.

use std::fmt;

/// A struct that crosses by address and can grow. Either side may be the newer one, which knows more fields.
///
/// # Safety
/// The type must be `repr(C)` and begin with its size as a `usize`; every field must have a value whose bytes
/// are all 0, which in a field that the first version did not have means that it is absent.
pub unsafe trait Growing: Copy {
    /// Size of the first version in bytes: no library and no host has less.
    const FIRST: usize;

    /// Nothing but its size.
    fn empty() -> Self {
        let mut value = std::mem::MaybeUninit::<Self>::zeroed();
        // SAFETY: zero is a value of every field, and the size comes first.
        unsafe {
            value.as_mut_ptr().cast::<usize>().write(size_of::<Self>());
            value.assume_init()
        }
    }
}

/// Says that a struct can grow, and which field is the last of its first version.
macro_rules! growing {
    ($type:ty, $last:ident) => {
        // SAFETY: it is `repr(C)` and begins with `size`; numbers, addresses and optional functions may be 0.
        unsafe impl $crate::Growing for $type {
            const FIRST: usize =
                $crate::growth::end_of(std::mem::offset_of!($type, $last), |it: &$type| &it.$last);
        }
    };
}
pub(crate) use growing;

/// Where a field ends.
pub(crate) const fn end_of<T, F>(offset: usize, _: fn(&T) -> &F) -> usize {
    offset + size_of::<F>()
}

/// Why a struct can't be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// Nothing can lie at this address.
    Address(usize),
    /// It is shorter than its first version, or of a size that nothing has.
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
/// Nothing that crosses will ever be so long: a greater size is no size.
const GREATEST_SIZE: usize = 1 << 16;

/// Copies a struct as far as both sides know it; what the other side does not have is 0.
///
/// # Errors
/// If the address or the size can't be.
///
/// # Safety
/// At an address that could be there must be a size, and as many bytes of this struct in its own version as
/// that says.
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
    // SAFETY: both are at least as long as what is copied, and begin alike; the size stays our own.
    unsafe { copy_known(address, &raw mut value, size.min(size_of::<T>())) };
    Ok(value)
}

/// Fills a struct that its owner has made: as much of it as both sides know.
///
/// # Safety
/// `target` must be good for writes of the size that it begins with.
pub unsafe fn fill<T: Growing>(target: *mut T, value: &T) {
    // SAFETY: the caller's promise; the size itself stays the target's own.
    unsafe {
        let size = target.cast::<usize>().read();
        copy_known(value, target, size.min(size_of::<T>()));
    }
}

/// # Safety
/// Both must have `size` bytes.
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

    /// A later version, with one function more.
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
    fn a_shorter_struct_lacks_the_later_functions() {
        let first = First { number: 5, call: Some(seven), ..First::empty() };
        // SAFETY: it has the size that it says.
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
        // SAFETY: it has the size that it says.
        let first: First = unsafe { read((&raw const later).cast()) }.unwrap();
        assert_eq!((first.size, first.number, first.call.is_none()), (size_of::<First>(), 5, true));
    }

    #[test]
    fn what_can_be_no_struct_is_refused() {
        let at = |address: usize| {
            // SAFETY: such addresses are not followed.
            unsafe { read(std::ptr::without_provenance::<First>(address)) }.unwrap_err()
        };
        for address in [0, 8, 4095, 0x10001] {
            assert_eq!(at(address), Unreadable::Address(address));
        }
        for size in [0, size_of::<First>() - 8, size_of::<First>() + 1, usize::MAX, 1 << 40] {
            let wrong = First { size, ..First::empty() };
            // SAFETY: of such sizes nothing but the size is read.
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
            // SAFETY: it is as long as it says, or longer.
            unsafe { fill(&raw mut target, &value) };
            assert_eq!((target.size, target.number, target.more.is_some()), (size, number, more));
        }
    }
}
