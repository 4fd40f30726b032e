//! A campaign through a real Slurm: one node, started for the test, with all of its files in a folder.

use std::ffi::OsStr;
use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use assay_tests::{Ran, run, skip};
use tempfile::TempDir;

use super::gather::{COUNTS, columns, gathered_runs};
use super::{Campaign, count};

/// How long the daemons may take to be ready. Usually they take two seconds.
const READY: Duration = Duration::from_secs(30);
/// How long anything in this test may take on a slow machine.
const MOST: Duration = Duration::from_secs(300);

/// The daemons of a cluster of one node. They end with this.
struct RealSlurm {
    folder: TempDir,
    daemons: Vec<Child>,
}

impl RealSlurm {
    /// Starts the daemons. The error is the reason why that is not possible here.
    fn start() -> Result<Self, String> {
        if !is_root() {
            return Err("slurmd starts jobs as root only".to_owned());
        }
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path();
        for name in ["state", "spool"] {
            fs::create_dir(place.join(name)).unwrap();
        }
        fs::write(place.join("key"), [7; 128]).unwrap();
        let mut permissions = fs::metadata(place.join("key")).unwrap().permissions();
        std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o400);
        fs::set_permissions(place.join("key"), permissions).unwrap();
        let host = run(Command::new("hostname").arg("-s")).stdout.trim().to_owned();
        fs::write(place.join("slurm.conf"), configuration(place, &host)).unwrap();
        let mut slurm = RealSlurm { folder, daemons: Vec::new() };
        let option =
            |name: &str, file: &str| format!("--{name}={}", slurm.folder.path().join(file).display());
        let munge = [
            "--foreground".to_owned(),
            "--force".to_owned(),
            option("key-file", "key"),
            option("socket", "munge"),
            option("pid-file", "munge.pid"),
            option("log-file", "munge.log"),
            option("seed-file", "munge.seed"),
        ];
        slurm.daemon("munged", &munge)?;
        slurm.daemon("slurmctld", &["-D", "-c"])?;
        slurm.daemon("slurmd", &["-D", "-N", &host])?;
        let begun = Instant::now();
        while !slurm.call("sinfo", &["--noheader", "--format=%T"]).stdout.contains("idle") {
            if begun.elapsed() > READY {
                return Err("the daemons of Slurm do not become ready".to_owned());
            }
            sleep(Duration::from_millis(200));
        }
        Ok(slurm)
    }

    fn daemon(&mut self, name: &str, arguments: &[impl AsRef<OsStr>]) -> Result<(), String> {
        let mut command = Command::new(Path::new("/usr/sbin").join(name));
        command.args(arguments).env("SLURM_CONF", self.folder.path().join("slurm.conf"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().map_err(|error| format!("`{name}` can't be started: {error}"))?;
        self.daemons.push(child);
        // Each needs the one before.
        sleep(Duration::from_millis(500));
        Ok(())
    }

    /// A command of this cluster.
    fn of(&self, mut command: Command) -> Command {
        command.env("SLURM_CONF", self.folder.path().join("slurm.conf"));
        command
    }

    /// The same, for a user whose variables hide all jobs, and would let `sbatch` wait until its jobs end.
    fn of_user(&self, command: Command) -> Command {
        let mut command = self.of(command);
        command.env("SQUEUE_NAMES", "other").env("SCANCEL_STATE", "SUSPENDED").env("SBATCH_WAIT", "1");
        command
    }

    /// Calls a program of Slurm.
    fn call(&self, name: &str, arguments: &[&str]) -> Ran {
        let mut command = self.of(Command::new(name));
        run(command.args(arguments))
    }

    /// Runs a command of a campaign.
    fn campaign(&self, campaign: &Campaign, name: &str, words: &[&str]) -> Ran {
        run(&mut self.of_user(campaign.command(name, words)))
    }

    /// The number of tasks in a state.
    fn tasks(&self, campaign: &Campaign, state: &str) -> u64 {
        count(&mut self.of_user(campaign.command("status", &["--format", "json"])), state)
    }

    /// Waits until something holds.
    fn until(&self, campaign: &Campaign, what: &str, holds: &dyn Fn() -> bool) {
        let begun = Instant::now();
        while !holds() {
            assert!(begun.elapsed() < MOST, "{what}: {}", self.campaign(campaign, "status", &[]).stdout);
            sleep(Duration::from_millis(100));
        }
    }

    /// The elements that run.
    fn running(&self) -> Vec<String> {
        let listed = self.call("squeue", &["--array", "--noheader", "--states=running", "--format=%F_%K"]);
        listed.stdout.lines().map(str::to_owned).collect()
    }
}

impl Drop for RealSlurm {
    fn drop(&mut self) {
        self.call("scancel", &["--me"]);
        // The last one first: slurmd ends its jobs, which needs the others.
        for mut child in self.daemons.drain(..).rev() {
            assay_tests::processes::signal_if_alive("TERM", child.id());
            let begun = Instant::now();
            while child.try_wait().is_ok_and(|status| status.is_none()) && begun.elapsed() < READY {
                sleep(Duration::from_millis(50));
            }
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Whether this process is that of the administrator.
fn is_root() -> bool {
    run(Command::new("id").arg("-u")).stdout.trim() == "0"
}

/// The file `slurm.conf` of a cluster of this machine. A job that is requeued waits until its credential has
/// expired, two minutes by default.
fn configuration(place: &Path, host: &str) -> String {
    // Ports that were free a moment ago.
    let ports = [0, 1].map(|_| TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port());
    let place = place.display();
    format!(
        "ClusterName=test\nSlurmctldHost={host}(127.0.0.1)\nSlurmUser=root\nSlurmdUser=root\nAuthType=auth/munge\n\
         AuthInfo=socket={place}/munge,cred_expire=5\nSlurmctldPort={}\nSlurmdPort={}\nStateSaveLocation={place}/state\n\
         SlurmdSpoolDir={place}/spool\nSlurmctldPidFile={place}/slurmctld.pid\nSlurmdPidFile={place}/slurmd.pid\n\
         SlurmctldLogFile={place}/slurmctld.log\nSlurmdLogFile={place}/slurmd.log\n\
         ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nJobAcctGatherType=jobacct_gather/none\n\
         AccountingStorageType=accounting_storage/none\nSelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\n\
         MpiDefault=none\nSwitchType=switch/none\nMaxArraySize=3\nKillWait=5\nReturnToService=2\n\
         SchedulerParameters=sched_interval=1,batch_sched_delay=0\nNodeName={host} NodeAddr=127.0.0.1 State=UNKNOWN\n\
         PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP\n",
        ports[0], ports[1]
    )
}

/// What makes each task take some seconds.
const LONG: [(&str, &str); 2] = [("runs = 20", "runs = 10000"), ("bytes = 4096", "bytes = 65536")];

#[test]
fn a_campaign_through_slurm_survives_scancel_and_requeue() {
    let slurm = match RealSlurm::start() {
        Ok(slurm) => slurm,
        Err(reason) => return skip(&format!("no Slurm can be started here: {reason}")),
    };
    // Each task takes some seconds, so that it can't end before it is cancelled or requeued.
    let campaign = Campaign::planned_in("it's \"a\" $HOME %a", "0.01", &LONG);
    let call = |name: &str, words: &[&str]| slurm.campaign(&campaign, name, words);
    let tasks = |state: &str| slurm.tasks(&campaign, state);
    let until = |what: &str, holds: &dyn Fn() -> bool| slurm.until(&campaign, what, holds);
    let ran = call("submit", &["--on", "slurm", "--ignore-doctor", "--option=--comment=a b"]);
    assert!(ran.code == Some(0) && ran.stderr.contains("tasks in jobs "), "{}", ran.stderr);
    let all = campaign.plan(&[]).stdout.lines().count() as u64 - 1;

    let measures =
        |task: &str| campaign.attempts(task).pop().is_some_and(|attempt| attempt.join("run").exists());
    until("the first task begins", &|| measures("0001"));
    let first = slurm.running();
    slurm.call("scancel", &first.iter().map(String::as_str).collect::<Vec<_>>());
    until("the first task ends", &|| tasks("interrupted") == 1);
    assert_eq!(tasks("done"), 0, "it was cancelled before its end");
    until("the second task begins", &|| measures("0002"));
    for element in slurm.running() {
        slurm.call("scontrol", &["requeue", &element]);
    }
    // Slurm begins the same job again, and its second part goes on where the first was interrupted.
    let noted = |task: &str| -> Vec<String> {
        let attempts = campaign.attempts(task);
        attempts
            .iter()
            .map(|attempt| fs::read_to_string(attempt.join("attempt.toml")).unwrap_or_default())
            .collect()
    };
    until("the second task is begun again", &|| {
        let noted = noted("0002");
        noted.len() == 1 && noted[0].matches("[[part]]").count() == 2
    });
    let second = noted("0002").concat();
    let mut jobs: Vec<&str> = second.lines().filter(|line| line.starts_with("job = ")).collect();
    jobs.dedup();
    assert_eq!((jobs.len(), second.matches("outcome = \"interrupted\"").count()), (1, 1), "{second}");
    let cancelled = call("cancel", &[]);
    assert_eq!(cancelled.code, Some(0), "{}", cancelled.stderr);
    until("nothing waits or runs", &|| tasks("waiting") + tasks("running") == 0);
    assert!(tasks("done") < all);

    let resumed = call("resume", &[]);
    assert_eq!(resumed.code, Some(0), "{}", resumed.stderr);
    until("all tasks are done", &|| tasks("done") == all);
    for task in ["0001", "0002"] {
        let noted = noted(task);
        assert_eq!(noted.len(), 1, "it went on where it was: {}", noted.join("\n"));
    }
    assert!(call("resume", &[]).stderr.contains("nothing is left to submit"));
}

/// Ends the process of a task of a campaign at once, as the kernel does when memory is short. Returns whether
/// there was one.
fn kill_task(campaign: &Campaign) -> bool {
    let place = campaign.place();
    let of_task = |pid: u32| {
        let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let words: Vec<&[u8]> = words.split(|byte| *byte == 0).collect();
        words.contains(&b"task".as_slice()) && words.contains(&place.as_os_str().as_encoded_bytes())
    };
    let processes =
        fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let found: Vec<u32> = processes.filter(|pid| of_task(*pid)).collect();
    for pid in &found {
        assay_tests::processes::signal_if_alive("KILL", *pid);
    }
    !found.is_empty()
}

#[test]
fn what_slurm_has_measured_counts_what_is_counted_here_also_after_a_kill() {
    let slurm = match RealSlurm::start() {
        Ok(slurm) => slurm,
        Err(reason) => return skip(&format!("no Slurm can be started here: {reason}")),
    };
    let instrumented = [("runs = 20", "runs = 20000\nstats = \"algo\"")];
    let campaign = Campaign::planned("c", &instrumented);
    let call = |name: &str, words: &[&str]| slurm.campaign(&campaign, name, words);
    let tasks = |state: &str| slurm.tasks(&campaign, state);
    let until = |what: &str, holds: &dyn Fn() -> bool| slurm.until(&campaign, what, holds);
    let ran = call("submit", &["--on", "slurm", "--ignore-doctor"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let measures = || campaign.attempts("0001").pop().is_some_and(|attempt| attempt.join("run").exists());
    until("the first task begins", &measures);
    assert!(kill_task(&campaign), "the process of the task is there");
    until("nothing waits or runs", &|| tasks("waiting") + tasks("running") == 0);
    assert_eq!(tasks("done"), 3, "the task that was killed is left");
    let gathered = call("gather", &["--format", "json"]);
    assert!(gathered.code == Some(0) && !gathered.stdout.contains("\"missing\": []"), "{}", gathered.stdout);
    let resumed = call("resume", &[]);
    assert_eq!(resumed.code, Some(0), "{}", resumed.stderr);
    until("all tasks are done", &|| tasks("done") == 4);
    assert_eq!(call("gather", &[]).code, Some(0));

    let here = Campaign::planned("c", &instrumented);
    assert_eq!(here.run("submit", &["--on", "local", "--ignore-doctor"]).code, Some(0));
    assert_eq!(here.run("gather", &[]).code, Some(0));
    let [through_slurm, here] = [&campaign, &here].map(|campaign| {
        let of_run = |run: std::path::PathBuf| {
            columns(&fs::read_to_string(run.join("measurements.csv")).unwrap(), &COUNTS)
        };
        gathered_runs(campaign).into_iter().map(of_run).collect::<Vec<_>>()
    });
    assert_eq!(through_slurm.iter().map(Vec::len).collect::<Vec<_>>(), [80_000, 80_000]);
    assert!(through_slurm == here, "each row has the same counts");
}
