//! Strings and lists that cross the boundary: an address and a length.

use std::borrow::Cow;
use std::ffi::c_void;

use abi_stable::StableAbi;

use crate::growth::growing;

/// A list of values of one type, which lie one after the other.
#[repr(C)]
#[derive(StableAbi, Debug)]
pub struct List<T> {
    address: *const T,
    length: usize,
}

// SAFETY: the list only gives shared access to its items, and `items` requires that they are valid.
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
    /// An empty list.
    pub const EMPTY: List<T> = List { address: std::ptr::null(), length: 0 };

    /// A list of these items, which must outlive all uses of the list. Usually these end with a call.
    pub const fn new(items: &[T]) -> Self {
        List { address: items.as_ptr(), length: items.len() }
    }

    /// A list of items that are never freed.
    pub fn leaked(items: impl IntoIterator<Item = T>) -> Self {
        List::new(Box::leak(items.into_iter().collect::<Box<[T]>>()))
    }

    /// The items. A list with an impossible address or length has no items.
    ///
    /// # Safety
    /// If the address is possible, it must be valid for reads of this number of items as long as `'a` lasts.
    pub unsafe fn items<'a>(self) -> &'a [T] {
        let fits = self.length <= isize::MAX as usize / size_of::<T>().max(1);
        if self.length == 0 || self.address.is_null() || !self.address.is_aligned() || !fits {
            return &[];
        }
        // SAFETY: the caller's promise. The address is aligned and not null, and the length is possible.
        unsafe { std::slice::from_raw_parts(self.address, self.length) }
    }
}

/// A text in UTF-8, without a terminator.
#[repr(transparent)]
#[derive(StableAbi, Clone, Copy, Debug)]
pub struct Str(List<u8>);

impl Str {
    /// An empty text.
    pub const EMPTY: Str = Str(List::EMPTY);

    /// This text, which must outlive all uses of the value. Usually these end with a call.
    pub const fn new(text: &str) -> Self {
        Str(List::new(text.as_bytes()))
    }

    /// A text that is never freed.
    pub fn leaked(text: impl Into<String>) -> Self {
        Str::new(Box::leak(text.into().into_boxed_str()))
    }

    /// The text. Bytes that are not valid UTF-8 become replacement characters.
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

/// A sink for texts, most of all for messages of errors.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TextSink {
    /// Size of this struct in bytes.
    pub size: usize,
    /// The first argument of `take`.
    pub context: *mut c_void,
    /// Takes a text, and copies what it keeps.
    pub take: Option<unsafe extern "C" fn(context: *mut c_void, text: Str)>,
}

growing!(TextSink, take);

impl TextSink {
    /// Passes a text to a sink, unless the sink is null.
    ///
    /// # Safety
    /// `sink` must be null, or a sink of a call that has not yet returned.
    pub unsafe fn send(sink: *const TextSink, text: &str) {
        // SAFETY: the caller's promise.
        if let Ok(TextSink { context, take: Some(take), .. }) = unsafe { crate::read(sink) } {
            // SAFETY: function and context belong together.
            unsafe { take(context, Str::new(text)) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_with_an_impossible_address_is_empty() {
        let numbers = [1u32, 2, 3];
        // SAFETY: the first address is that of an array, and the others are not dereferenced.
        unsafe {
            assert_eq!(List::new(&numbers).items(), &[1, 2, 3]);
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
        assert_eq!(unsafe { Str(List::new(b"a\xffb")).text() }, "a\u{fffd}b");
    }
}
