//! Says to the host which compiler built it, and with which flags, for the record of its results.

fn main() {
    let compiler = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let version = std::process::Command::new(compiler).arg("--version").output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    println!("cargo::rustc-env=ASSAY_COMPILER={}", version.unwrap_or_default());
    // Flags are separated by a character that none of them holds.
    let flags = std::env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default().replace('\u{1f}', " ");
    println!("cargo::rustc-env=ASSAY_COMPILER_FLAGS={flags}");
    println!("cargo::rerun-if-changed=build.rs");
}
