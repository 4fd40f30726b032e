//! The answer of a call.

/// The answer of a call across the boundary: a plain number, so that any language can give it. A number that
/// the caller does not know is a failure.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status(pub i32);

impl Status {
    /// Done.
    pub const OK: Status = Status(0);
    /// The algorithm is not made for this pattern or text; the message says why.
    pub const CANNOT_SEARCH: Status = Status(1);
    /// Something went wrong; the message says what.
    pub const FAILED: Status = Status(2);
    /// The library panicked: its state is not to be trusted. The message is the panic's.
    pub const PANICKED: Status = Status(3);
}
