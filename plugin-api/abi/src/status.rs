//! The status that a call returns.

/// The status that a call across the boundary returns. It is a plain number, so that any language can return
/// it. The caller treats unknown numbers as failures.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status(pub i32);

impl Status {
    /// The call succeeded.
    pub const OK: Status = Status(0);
    /// The algorithm is not made for this pattern or text; the message says why.
    pub const CANNOT_SEARCH: Status = Status(1);
    /// The call failed; the message says why.
    pub const FAILED: Status = Status(2);
    /// The library panicked, so its state can't be trusted. The message is that of the panic.
    pub const PANICKED: Status = Status(3);
}
