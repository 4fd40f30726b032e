//! The command `assay`.

fn main() -> std::process::ExitCode {
    assay::main(std::env::args_os())
}
