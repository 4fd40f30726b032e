//! The library libpcp of the machine: its functions, the structures that they fill, and its errors.

use std::ffi::{c_char, c_int, c_void};
use std::sync::OnceLock;

use crate::c_library::{self, Absent, functions};
use crate::refusal::Refusal;

/// The functions that are used are the same in both versions.
const NAMES: [&str; 2] = ["libpcp.so.3", "libpcp.so.4"];

/// A function that libpcp calls with each name of a tree of metrics.
pub type EachName = unsafe extern "C" fn(*const c_char, *mut c_void);

functions! {
    /// Functions of libpcp.
    Functions {
        new_context: "pmNewContext" = fn(c_int, *const c_char) -> c_int;
        use_context: "pmUseContext" = fn(c_int) -> c_int;
        destroy_context: "pmDestroyContext" = fn(c_int) -> c_int;
        traverse: "pmTraversePMNS_r" = fn(*const c_char, EachName, *mut c_void) -> c_int;
        lookup_name: "pmLookupName" = fn(c_int, *const *const c_char, *mut u32) -> c_int;
        lookup_desc: "pmLookupDesc" = fn(u32, *mut Descriptor) -> c_int;
        lookup_text: "pmLookupText" = fn(u32, c_int, *mut *mut c_char) -> c_int;
        lookup_in_dom: "pmLookupInDom" = fn(u32, *const c_char) -> c_int;
        get_in_dom: "pmGetInDom" = fn(u32, *mut *mut c_int, *mut *mut *mut c_char) -> c_int;
        delete_profile: "pmDelProfile" = fn(u32, c_int, *const c_int) -> c_int;
        add_profile: "pmAddProfile" = fn(u32, c_int, *const c_int) -> c_int;
        fetch: "pmFetch" = fn(c_int, *const u32, *mut *mut RawResult) -> c_int;
        free_result: "pmFreeResult" = fn(*mut RawResult);
        extract_value: "pmExtractValue" = fn(c_int, *const RawValue, c_int, *mut u64, c_int) -> c_int;
        error_text: "pmErrStr_r" = fn(c_int, *mut c_char, c_int) -> *const c_char;
    }
}

/// The descriptor of a metric.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Descriptor {
    pub metric: u32,
    pub kind: i32,
    /// The domain of its instances.
    pub domain: u32,
    pub semantics: i32,
    pub units: u32,
}

/// An answer: a time stamp, and the values of each requested metric.
#[repr(C)]
pub struct RawResult {
    pub time: [u8; 16],
    pub metrics: c_int,
    /// The first of as many as there are metrics.
    pub values: [*const RawValues; 1],
}

#[repr(C)]
pub struct RawValues {
    pub metric: u32,
    /// Their number, or an error.
    pub number: c_int,
    pub format: c_int,
    /// The first of all values.
    pub values: [RawValue; 1],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct RawValue {
    pub instance: c_int,
    /// The value or its address; libpcp knows which.
    pub value: u64,
}

const _: () = assert!(size_of::<Descriptor>() == 20);
const _: () = assert!(size_of::<RawResult>() == 32 && std::mem::offset_of!(RawResult, values) == 24);
const _: () = assert!(size_of::<RawValues>() == 32 && std::mem::offset_of!(RawValues, values) == 16);
const _: () = assert!(size_of::<RawValue>() == 16);

/// The library, which is loaded when this is first called.
pub fn libpcp() -> Result<&'static Functions, Refusal> {
    static LIBRARY: OnceLock<Result<Functions, Refusal>> = OnceLock::new();
    LIBRARY.get_or_init(|| load(&NAMES)).as_ref().map_err(Clone::clone)
}

const REMEDY: &str = "Debian: apt install libpcp3, and pcp for the daemon";

fn load(names: &[&str]) -> Result<Functions, Refusal> {
    let unusable = |message| Refusal::new(format!("libpcp can't be used: {message}"), REMEDY);
    let library = c_library::open(names, false).map_err(|absent| match absent {
        Absent::NotFound => Refusal::new("libpcp is not installed", REMEDY),
        Absent::Broken(message) => unusable(message),
    })?;
    let functions = Functions::look_up(&library).map_err(unusable)?;
    c_library::keep(library);
    Ok(functions)
}

/// An error of libpcp: a negative number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code(pub c_int);

impl Code {
    /// There is no such metric.
    pub const NAME: Code = Code(-12357);
    /// A name that other names begin with.
    pub const BRANCH: Code = Code(-12394);
    /// There is no such instance.
    pub const INSTANCE: Code = Code(-12360);
    /// There is no value.
    pub const VALUE: Code = Code(-12351);
    const TIMEOUT: Code = Code(-12353);
    const NO_AGENT: Code = Code(-12386);
    const PERMISSION: Code = Code(-12387);

    /// The message of the error: its number, and the sentence of libpcp.
    pub fn message(self, functions: &Functions) -> String {
        let mut buffer: [c_char; 128] = [0; 128];
        // SAFETY: the buffer has so much room; libpcp ends the text with zero.
        let words = unsafe {
            c_library::text((functions.error_text)(self.0, buffer.as_mut_ptr(), buffer.len() as c_int))
        };
        format!("error {}, {words}", self.0)
    }

    /// The refusal of a metric.
    pub fn refusal(self, functions: &Functions) -> Refusal {
        let remedy = match self {
            Code::NAME | Code::BRANCH => "`pminfo` lists the names of metrics",
            Code::INSTANCE => "`pminfo -f METRIC` lists its instances",
            Code::NO_AGENT => {
                "install the agent of the metric (/var/lib/pcp/pmdas/AGENT/Install), which pmcd then starts"
            }
            Code::PERMISSION => {
                "connect by the local socket (PCP_HOST=local:), or ask an administrator for access in pmcd.conf"
            }
            Code::TIMEOUT => "raise PMCD_REQUEST_TIMEOUT",
            _ => "`pminfo -f METRIC` shows what pmcd says of it",
        };
        Refusal::new(format!("pmcd says {}", self.message(functions)), remedy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_library_is_reported_with_its_package() {
        assert_eq!(load(&["libnone.so.1"]).unwrap_err(), Refusal::new("libpcp is not installed", REMEDY));
        let other = load(&["libc.so.6"]).unwrap_err();
        assert_eq!(other.reason, "libpcp can't be used: it has no pmNewContext");
    }
}
