//! An example of a program that embeds assay: it measures two algorithms from the plugin libraries of a
//! folder.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use assay::{Call, Color, Console, Experiment, Registry, Report, execute};

fn main() -> ExitCode {
    // assay starts this program again as a child process, to inspect libraries and to measure algorithms.
    if let Some(status) = assay::serve_as_child() {
        return status;
    }
    let [plugins, out] = [1, 2].map(|i| PathBuf::from(std::env::args_os().nth(i).unwrap_or_default()));
    match compare(&plugins, &out) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn compare(plugins: &Path, out: &Path) -> assay::Result<()> {
    let (registry, _problems) = Registry::open(&[plugins.to_owned()])?;
    let console = Console::new(false, false, Color::Never);

    let experiment = Experiment {
        algorithms: vec!["bf".to_owned(), "hor".to_owned()],
        runs: 20,
        seed: Some(1),
        ..Experiment::default()
    };
    let resolved = experiment.resolve(&registry, &console)?;
    let finished = execute(&resolved, &registry, Some(out), &AtomicBool::new(false), |_| {})?;
    let folder = finished.expect("nobody interrupts it").saved?.expect("it was to be saved");
    let report = Report::load(&folder)?;

    for algorithm in report.algorithms() {
        let data = report.data(algorithm).expect("it is one of them");
        let last = data.range().len() - 1;
        let ns = data.counts(last, Some(Call::Search), 0)?[0].expect("it was measured");
        println!("{algorithm}: {ns} ns for a pattern of {} bytes", data.range_value(last));
    }
    Ok(())
}
