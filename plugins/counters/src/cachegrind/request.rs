//! Requests of a program to the simulator in which it runs: an instruction sequence that does nothing
//! elsewhere, as the manual of valgrind documents it ("The Client Request mechanism").

/// A request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Request {
    /// Return the number of simulators in which this process runs, one in the other.
    RunningOnValgrind = 0x1001,
    /// Write the counts to the file, and begin again from zero.
    Dump = CALLGRIND,
    /// Begin again from zero.
    Zero = CALLGRIND + 1,
    /// Simulate from here on, with empty caches.
    Start = CALLGRIND + 4,
    /// Stop simulating.
    Stop = CALLGRIND + 5,
}

const CALLGRIND: usize = ((b'C' as usize) << 24) + ((b'T' as usize) << 16);

/// Whether this module has a sequence for this architecture.
pub const KNOWN: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

/// Makes a request. Outside a simulator, the answer is 0.
#[inline(always)]
pub fn request(request: Request) -> usize {
    let arguments = [request as usize, 0, 0, 0, 0, 0];
    let mut answer = 0;
    // SAFETY: the rotations add up to a whole turn, and the register is exchanged with itself: nothing
    // changes. A simulator that knows the sequence reads the arguments and writes the answer, and what a
    // request writes down is not read meanwhile.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        std::arch::asm!(
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            inout("rdx") answer, in("rax") arguments.as_ptr(), inout("rdi") 0_usize => _,
        );
    }
    // SAFETY: the same.
    #[cfg(target_arch = "aarch64")]
    unsafe {
        std::arch::asm!(
            "ror x12, x12, #3", "ror x12, x12, #13", "ror x12, x12, #51", "ror x12, x12, #61", "orr x10, x10, x10",
            inout("x3") answer, in("x4") arguments.as_ptr(), inout("x12") 0_usize => _,
        );
    }
    if !KNOWN {
        answer = std::hint::black_box(arguments[1]);
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_happens_outside_a_simulator() {
        let none = std::env::var_os("RUNNING_UNDER_VALGRIND").is_none();
        assert!(none && request(Request::RunningOnValgrind) == 0);
        assert_eq!(Request::Start as usize, 0x4354_0004);
    }
}
