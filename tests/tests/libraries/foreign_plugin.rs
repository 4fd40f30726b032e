//! A plugin that somebody else wrote: its own workspace and lock file, nothing but `assay-plugin-api` to
//! depend on, built with another optimisation level.

use std::fs;

use assay_tests::{assay, fixture, run};

#[test]
fn it_is_found_in_a_folder_with_its_twin() {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("libforeign_plugin.so");
    fs::copy(fixture("foreign_plugin"), &library).unwrap();
    let by_flag =
        run(assay().args(["list", "algorithms", "--format", "json", "--plugin-dir"]).arg(folder.path()));
    let by_variable =
        run(assay().args(["list", "algorithms", "--format", "json"]).env("ASSAY_PLUGIN_PATH", folder.path()));
    assert_eq!(by_flag, by_variable);
    let listings: Vec<serde_json::Value> = serde_json::from_str(&by_flag.stdout).unwrap();
    let listing = |id: &str| listings.iter().find(|listing| listing["id"] == id).unwrap();
    for (id, instrumented) in [("notsonaive", false), ("stat_notsonaive", true)] {
        let listing = listing(id);
        assert_eq!(listing["library"], library.to_str().unwrap());
        assert_eq!(listing["library_name"], "foreign-plugin");
        assert_eq!(listing["version"], "2.3.4");
        assert_eq!(listing["name"], "Not So Naive");
        assert_eq!(listing["instrumented"], instrumented);
    }
}

#[test]
fn it_is_found_in_the_users_folder() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("assay/plugins");
    fs::create_dir_all(&folder).unwrap();
    fs::copy(fixture("foreign_plugin"), folder.join("libforeign_plugin.so")).unwrap();
    let ran = run(assay().args(["list", "--format", "csv"]).env("XDG_DATA_HOME", home.path()));
    assert!(ran.stdout.contains("algorithm,notsonaive,Not So Naive,"), "{}", ran.stdout);
}

#[test]
fn it_passes_the_check() {
    let ran = run(assay().args(["plugins", "check"]).arg(fixture("foreign_plugin")));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{}", ran.stdout);
    assert!(ran.stdout.contains("foreign-plugin 2.3.4") && !ran.stdout.contains("FAIL"), "{}", ran.stdout);
    for id in ["  ok    notsonaive: ", "  ok    stat_notsonaive: "] {
        assert!(ran.stdout.contains(id), "{}", ran.stdout);
    }
}

#[test]
fn the_check_names_each_fault_and_goes_on() {
    let mut check = assay();
    // The sandbox would stop the fork before its consequences are found out.
    check.args(["plugins", "check", "--no-sandbox"]).arg(fixture("faulty_plugin"));
    let ran = run(check.env("ASSAY_PATIENCE_MS", "2000"));
    assert_eq!(ran.code, Some(1), "{}\n{}", ran.stdout, ran.stderr);
    let expected = [
        "FAIL  crashes: it crashes the process (SIGSEGV",
        "FAIL  exits: it ends the process with exit status 0",
        "ok    right: ",
        "FAIL  hangs: it hangs",
        "FAIL  overflows: it crashes the process (SIG",
        "FAIL  panics: panicked at ",
        "FAIL  miscounts: counted 2, expected 1",
        "FAIL  forks: it crashes the process (SIGABRT",
        "FAIL  clueless: its needs for patterns of 1 bytes: panicked at ",
        "FAIL  greedy: it needs 18446744073709551615 bytes of slack",
        "FAIL  lofty: it refuses all patterns: it takes patterns of 18446744073709551615 bytes or more",
        "-     no-such-cpu: not tried: this CPU has no warp-drive",
    ];
    for line in expected {
        assert!(ran.stdout.contains(line), "{line:?} is not in:\n{}", ran.stdout);
    }
    assert!(ran.stdout.contains("out of ideas"), "{}", ran.stdout);
}

#[test]
fn two_libraries_with_the_same_ids_are_refused_with_both_paths() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("liba.so"), folder.path().join("libb.so"));
    let content = fs::read(fixture("foreign_plugin")).unwrap();
    fs::write(&first, &content).unwrap();
    let mut list = assay();
    list.args(["list", "--format", "csv", "--plugin-dir"]).arg(folder.path());

    fs::write(&second, &content).unwrap();
    let ran = run(&mut list);
    assert!(
        ran.stdout.contains("notsonaive,") && !ran.stderr.contains("notsonaive"),
        "a copy does no harm: {}",
        ran.stderr
    );

    // What lies after the end of a library changes nothing but its hash.
    fs::write(&second, [&content[..], b"another build"].concat()).unwrap();
    let ran = run(&mut list);
    assert_eq!(ran.code, Some(0));
    assert!(!ran.stdout.contains("notsonaive,"), "{}", ran.stdout);
    assert_eq!(ran.stderr, "", "this command does not use the id");
    let mut libraries = assay();
    libraries.args(["plugins", "list", "--plugin-dir"]).arg(folder.path());
    let ran = run(&mut libraries);
    let paths = format!("`{}` and `{}` both bring", first.display(), second.display());
    let lines: Vec<&str> = ran.warnings().into_iter().filter(|line| line.contains(&paths)).collect();
    assert!(
        lines.len() == 1 && lines[0].contains("`notsonaive`, algorithm `stat_notsonaive`"),
        "{}",
        ran.stderr
    );

    for stats in ["perf", "algo"] {
        for names in [&["notsonaive"][..], &["hor", "notsonaive"], &["stat_notsonaive", "hor"]] {
            let mut measure = assay();
            measure.arg("run").args(names).args([
                "--stats",
                stats,
                "--no-save",
                "--runs",
                "1",
                "--plugin-dir",
            ]);
            let ran = run(measure.arg(folder.path()));
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{names:?} {stats}: {}", ran.stderr);
            let error = format!(
                "error: algorithm `notsonaive` is brought by `{}` and `{}`",
                first.display(),
                second.display()
            );
            assert!(ran.stderr.contains(&error), "{}", ran.stderr);
        }
    }
    let mut check = assay();
    let ran = run(check.args(["plugins", "check"]).arg(&first).arg("--plugin-dir").arg(folder.path()));
    let line = format!(
        "algorithm `notsonaive`, algorithm `stat_notsonaive` are brought by `{}` too",
        second.display()
    );
    assert!(ran.code == Some(0) && ran.stdout.contains(&line), "{}", ran.stdout);

    // The file that is checked need not lie where libraries are looked for: the other one does.
    let data = tempfile::tempdir().unwrap();
    let installed = data.path().join("assay/plugins/libother.so");
    fs::create_dir_all(installed.parent().unwrap()).unwrap();
    fs::rename(&second, &installed).unwrap();
    let mut check = assay();
    let ran = run(check.args(["plugins", "check"]).arg(&first).env("XDG_DATA_HOME", data.path()));
    let line = line.replace(second.to_str().unwrap(), installed.to_str().unwrap());
    assert!(ran.code == Some(0) && ran.stdout.contains(&line), "{}", ran.stdout);
    fs::rename(&installed, &second).unwrap();

    let strict = run(libraries.arg("--strict"));
    assert_eq!(strict.code, Some(2));
    assert!(strict.stderr.contains(&paths), "{}", strict.stderr);
}
