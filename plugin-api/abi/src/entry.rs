//! The root module of a Rust library, made with `abi_stable`: both ends of it.

use std::ffi::c_void;
use std::fmt;

use abi_stable::StableAbi;
use abi_stable::abi_stability::abi_checking::check_layout_compatibility;
use abi_stable::library::{AbiHeaderRef, RootModule, RootModuleResult};
use abi_stable::prefix_type::{PrefixRefTrait, PrefixTypeTrait};
use abi_stable::sabi_types::VersionStrings;
use abi_stable::std_types::RResult;

use crate::root::{Build, Item, Kind, Library};
use crate::{List, Str};

/// The root module.
#[repr(C)]
#[derive(StableAbi)]
#[sabi(kind(Prefix(prefix_ref = RootRef, prefix_fields = RootPrefix)))]
pub struct Root {
    name: Str,
    version: Str,
    features: List<Str>,
    // Spelt out: `abi_stable` knows function pointers by their looks.
    #[sabi(last_prefix_field)]
    items: unsafe extern "C" fn(kind: Kind) -> List<Item>,
    build: Build,
}

impl RootModule for RootRef {
    abi_stable::declare_root_module_statics! {RootRef}
    const BASE_NAME: &'static str = "assay_plugin";
    const NAME: &'static str = "assay plugin";
    // abi_stable has rules of its own for this number. It stands still, and `ABI` decides.
    const VERSION_STRINGS: VersionStrings = VersionStrings::new("1.0.0");
}

/// Makes the root module of a library.
pub fn leak(Library { name, version, features, items, build }: Library) -> RootModuleResult {
    let root = Root { name, version, features, items, build };
    // SAFETY: the header that calls this is declared for `RootRef`, and casts back to it.
    RResult::ROk(unsafe { root.leak_into_prefix().to_prefix_ref().cast() })
}

/// Exports the two symbols of a library. Takes a function that gives its [`Library`](root::Library).
#[macro_export]
macro_rules! export_library {
    ($library:path) => {
        #[unsafe(export_name = "assay_abi")]
        static ASSAY_ABI: $crate::AbiNumber = $crate::ABI;

        // SAFETY: the constructor leaks a root into its prefix reference, which is what the header is
        // declared for.
        #[unsafe(export_name = "assay_rust_plugin")]
        static ASSAY_RUST_PLUGIN: $crate::private::LibHeader = unsafe {
            extern "C" fn construct() -> $crate::private::RootModuleResult {
                $crate::private::leak($library())
            }
            $crate::private::LibHeader::from_constructor::<$crate::private::RootRef>(
                construct,
                $crate::private::CheckTypeLayout::Yes,
            )
        };
    };
}

/// Why a root module can't be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong, in a few words.
    pub summary: String,
    /// The whole story, often hundreds of lines.
    pub details: String,
}

/// Opens the root module of a Rust library.
///
/// # Errors
/// If the library was built with an incompatible release of `abi_stable`, or its types don't have the layout
/// of ours: the one side's must hold all that the other's hold, whichever of them is the older.
///
/// # Safety
/// `entry` must be the address of the symbol [`ENTRY_SYMBOL`] in a library that is never unloaded, whose
/// [`AbiNumber`] has our major number.
pub unsafe fn open(entry: *const c_void) -> Result<Library, Refusal> {
    let refusal = |summary: &str, error: &dyn fmt::Display| Refusal {
        summary: summary.to_owned(),
        details: error.to_string(),
    };
    // SAFETY: the symbol is a `LibHeader`, which begins with the header that this points to; it is checked
    // before the rest is touched.
    let header = unsafe { std::mem::transmute::<*const c_void, AbiHeaderRef>(entry) };
    let header = header
        .upgrade()
        .map_err(|error| refusal("built with an incompatible release of abi_stable", &error))?;
    if let Some(theirs) = header.layout() {
        let ours = <RootRef as StableAbi>::LAYOUT;
        let newer = check_layout_compatibility(ours, theirs);
        let fits = newer.or_else(|error| match check_layout_compatibility(theirs, ours) {
            Ok(()) => Ok(()),
            Err(_) => Err(error),
        });
        fits.map_err(|error| refusal("its types have another layout than the host's", &error))?;
    }
    // SAFETY: the layout was compared just now; what a shorter prefix type lacks is never read.
    let root = unsafe { header.init_root_module_with_unchecked_layout::<RootRef>() }
        .map_err(|error| refusal("it has no root module", &error))?;
    Ok(Library {
        name: root.name(),
        version: root.version(),
        features: root.features(),
        items: root.items(),
        build: root.build().unwrap_or_default(),
    })
}
