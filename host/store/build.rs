//! Tells the host which compiler built it, for the record of its results.

fn main() {
    let compiler = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let version = std::process::Command::new(compiler).arg("--version").output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    println!("cargo::rustc-env=ASSAY_COMPILER={}", version.unwrap_or_default());
    println!("cargo::rerun-if-changed=build.rs");
}
