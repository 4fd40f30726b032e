//! The command `assay`.

fn main() -> std::process::ExitCode {
    assay::cli::main(std::env::args_os())
}
