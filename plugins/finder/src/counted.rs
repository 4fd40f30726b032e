//! What a search does, counted for tests.

use core::cell::{Cell, RefCell};

use crate::cpu::Available;
use crate::decision::{Decision, Kind};
use crate::found::Count;
use crate::method::Method;
use crate::search::{run, search, search_by};
use crate::text::{Bytes, Text};

/// A text that counts what a search does.
#[derive(Clone, Copy)]
struct Counted<'a> {
    bytes: &'a [u8],
    work: &'a Work,
}

/// What a search did.
#[derive(Default)]
pub struct Work {
    /// Bytes that it read.
    pub read: Cell<usize>,
    /// How often it went on.
    pub jumps: Cell<usize>,
    /// What was decided for each method that began, in order.
    pub decisions: RefCell<Vec<Decision>>,
    /// How often a method gave up.
    pub give_ups: Cell<usize>,
}

impl Work {
    /// Of a search by methods of a kind, or by those that are chosen; and the number of occurrences.
    pub fn measured(pattern: &[u8], text: &[u8], kind: Option<Kind>, available: Available) -> (Self, u64) {
        let (work, mut count) = (Work::default(), Count::default());
        let counted = Counted { bytes: text, work: &work };
        match kind {
            None => search(pattern, counted, available, &mut count),
            Some(kind) => search_by(kind, pattern, counted, available, &mut count),
        }
        (work, count.0)
    }

    /// Of a search that begins with this method.
    pub fn from_method(method: Method, pattern: &[u8], text: &[u8], available: Available) -> Self {
        let work = Work::default();
        run(method, pattern, Counted { bytes: text, work: &work }, available, &mut Count::default());
        work
    }

    /// The kinds of methods that began, in order.
    pub fn methods(&self) -> Vec<Kind> {
        self.decisions.borrow().iter().map(|decision| decision.kind).collect()
    }
}

// SAFETY: the bytes don't change while they are borrowed.
unsafe impl Text for Counted<'_> {
    fn len(self) -> usize {
        self.bytes.len()
    }

    fn misalignment(self) -> usize {
        Bytes(self.bytes).misalignment()
    }

    fn begins(self, decision: impl FnOnce() -> Decision) {
        self.work.decisions.borrow_mut().push(decision());
    }

    fn gives_up(self) {
        self.work.give_ups.set(self.work.give_ups.get() + 1);
    }

    fn jumps(self, times: usize) {
        self.work.jumps.set(self.work.jumps.get() + times);
    }

    unsafe fn read<const N: usize>(self, index: usize) -> [u8; N] {
        self.work.read.set(self.work.read.get() + N);
        // SAFETY: the caller's promise.
        unsafe { Bytes(self.bytes).read::<N>(index) }
    }
}
