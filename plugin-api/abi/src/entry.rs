//! The root module of a Rust library, made with `abi_stable`: how a library exports it and how a host opens
//! it.

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
    // The type is written out, because `abi_stable` recognises function pointers by their syntax.
    #[sabi(last_prefix_field)]
    items: unsafe extern "C" fn(kind: Kind) -> List<Item>,
    build: Build,
}

impl RootModule for RootRef {
    abi_stable::declare_root_module_statics! {RootRef}
    const BASE_NAME: &'static str = "assay_plugin";
    const NAME: &'static str = "assay plugin";
    // `abi_stable` has rules of its own for this version. It never changes, because `ABI` decides.
    const VERSION_STRINGS: VersionStrings = VersionStrings::new("1.0.0");
}

/// Creates the root module of a library.
pub fn leak(Library { name, version, features, items, build }: Library) -> RootModuleResult {
    let root = Root { name, version, features, items, build };
    // SAFETY: the header that calls this is declared for `RootRef`, and casts back to it.
    RResult::ROk(unsafe { root.leak_into_prefix().to_prefix_ref().cast() })
}

/// Exports the two symbols of a library. The argument is a function that returns its
/// [`Library`](root::Library).
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

/// The reason why a root module can't be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong, in a few words.
    pub summary: String,
    /// The full report, often hundreds of lines.
    pub details: String,
}

/// Opens the root module of a Rust library.
///
/// # Errors
/// If the library was built with an incompatible release of `abi_stable`, or if its types have another
/// layout. The newer side may have more fields at the end.
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
    // SAFETY: the layout was compared above. Fields that a shorter prefix type does not have are never read.
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
