//! Passes the versions of other people's code to the library, for example as `VERSION_MEMCHR`.

fn main() {
    let lock = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.lock");
    println!("cargo::rerun-if-changed={lock}");
    let lock: toml::Table = std::fs::read_to_string(lock).expect("a lock file").parse().expect("TOML");
    let packages = lock["package"].as_array().expect("packages");
    for engine in ["aho-corasick", "memchr", "memx", "regex", "stringzilla"] {
        let package = packages.iter().find(|package| package["name"].as_str() == Some(engine)).expect(engine);
        let version = package["version"].as_str().expect("a version");
        println!("cargo::rustc-env=VERSION_{}={version}", engine.to_uppercase().replace('-', "_"));
    }
}
