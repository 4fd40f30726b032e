//! Strings and lists as they cross: an address and a length.

use std::borrow::Cow;
use std::ffi::c_void;

use abi_stable::StableAbi;

use crate::growth::growing;

/// A list of things of a fixed size, which lie one after the other.
#[repr(C)]
#[derive(StableAbi, Debug)]
pub struct List<T> {
    address: *const T,
    length: usize,
}

// SAFETY: it gives nothing but shared access, and what it gives access to is promised where it is read.
unsafe impl<T: Sync> Send for List<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for List<T> {}

impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for List<T> {}

impl<T> List<T> {
    /// A list that holds nothing.
    pub const EMPTY: List<T> = List { address: std::ptr::null(), length: 0 };

    /// The items, which must outlive every use of the list: for the length of a call, as a rule.
    pub const fn of(items: &[T]) -> Self {
        List { address: items.as_ptr(), length: items.len() }
    }

    /// Items that are never freed.
    pub fn leaked(items: impl IntoIterator<Item = T>) -> Self {
        List::of(Box::leak(items.into_iter().collect::<Box<[T]>>()))
    }

    /// The items. An address or a length that can't be is a list without items.
    ///
    /// # Safety
    /// An address that could be must be good for reads of this number of items as long as `'a` lasts.
    pub unsafe fn items<'a>(self) -> &'a [T] {
        let fits = self.length <= isize::MAX as usize / size_of::<T>().max(1);
        if self.length == 0 || self.address.is_null() || !self.address.is_aligned() || !fits {
            return &[];
        }
        // SAFETY: the caller's promise; the address is aligned and no null, and the length is possible.
        unsafe { std::slice::from_raw_parts(self.address, self.length) }
    }
}

/// A text in UTF-8, without a terminator.
#[repr(transparent)]
#[derive(StableAbi, Clone, Copy, Debug)]
pub struct Str(List<u8>);

impl Str {
    /// No text.
    pub const EMPTY: Str = Str(List::EMPTY);

    /// A text, which must outlive every use of the value: for the length of a call, as a rule.
    pub const fn of(text: &str) -> Self {
        Str(List::of(text.as_bytes()))
    }

    /// A text that is never freed.
    pub fn leaked(text: impl Into<String>) -> Self {
        Str::of(Box::leak(text.into().into_boxed_str()))
    }

    /// The text. Bytes that are no UTF-8 become replacement characters.
    ///
    /// # Safety
    /// As for [`List::items`].
    pub unsafe fn text<'a>(self) -> Cow<'a, str> {
        // SAFETY: the caller's promise.
        String::from_utf8_lossy(unsafe { self.0.items() })
    }
}

/// A name with a value: a fact, or an option.
#[repr(C)]
#[derive(StableAbi, Clone, Copy, Debug)]
pub struct Pair {
    /// The name.
    pub name: Str,
    /// The value.
    pub value: Str,
}

/// Takes texts from the other side, during a call: the message of an error, above all.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TextSink {
    /// Size of this struct in bytes.
    pub size: usize,
    /// What `take` is called with.
    pub context: *mut c_void,
    /// Takes a text. It copies what it wants to keep.
    pub take: Option<unsafe extern "C" fn(context: *mut c_void, text: Str)>,
}

growing!(TextSink, take);

impl TextSink {
    /// Tells a text, if anybody listens.
    ///
    /// # Safety
    /// `sink` must be null, or a sink whose call has not yet returned.
    pub unsafe fn tell(sink: *const TextSink, text: &str) {
        // SAFETY: the caller's promise.
        if let Ok(TextSink { context, take: Some(take), .. }) = unsafe { crate::read(sink) } {
            // SAFETY: function and context belong together.
            unsafe { take(context, Str::of(text)) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_no_list_is_an_empty_one() {
        let numbers = [1u32, 2, 3];
        // SAFETY: the first is an array's, and none of the others is followed.
        unsafe {
            assert_eq!(List::of(&numbers).items(), &[1, 2, 3]);
            let unaligned = numbers.as_ptr().cast::<u8>().wrapping_add(1).cast::<u32>();
            for (address, length) in [(std::ptr::null(), 3), (unaligned, 2), (numbers.as_ptr(), usize::MAX)] {
                assert_eq!(List { address, length }.items(), &[] as &[u32]);
            }
            assert_eq!(List::<u32>::EMPTY.items(), &[] as &[u32]);
        }
    }

    #[test]
    fn a_text_that_is_no_utf_8_is_still_shown() {
        // SAFETY: it is an array's.
        assert_eq!(unsafe { Str(List::of(b"a\xffb")).text() }, "a\u{fffd}b");
    }
}
