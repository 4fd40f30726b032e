//! What a command costs the host itself: its time and its memory.

use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// What a command cost. Its children don't count.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Time of the CPU in seconds, of user and system together.
    pub cpu_s: f64,
    /// Time until its end, in seconds.
    pub wall_s: f64,
    /// Its memory at the most, in bytes.
    pub peak: f64,
}

/// Starts a command and looks at it until it ends well.
///
/// # Panics
/// If the command fails.
pub fn cost(command: &mut Command) -> Cost {
    let began = Instant::now();
    let mut child =
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program was built");
    let (mut ticks, mut peak_kb) = (0, 0);
    while child.try_wait().expect("it is a child of this process").is_none() {
        let read =
            |name: &str| fs::read_to_string(format!("/proc/{}/{name}", child.id())).unwrap_or_default();
        // After the name, in parentheses: user and system time are the 12th and 13th word.
        let stat = read("stat");
        let words = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        let time: u64 = words.skip(11).take(2).filter_map(|word| word.parse::<u64>().ok()).sum();
        ticks = ticks.max(time);
        let status = read("status");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak: Option<u64> = peak.and_then(|peak| peak.split_whitespace().next()?.parse().ok());
        peak_kb = peak.unwrap_or(0).max(peak_kb);
        sleep(Duration::from_millis(5));
    }
    let wall_s = began.elapsed().as_secs_f64();
    assert!(child.wait().expect("it has ended").success(), "{command:?} failed");
    // A tick is 10 ms on every Linux that there is.
    Cost { cpu_s: ticks as f64 / 100.0, wall_s, peak: peak_kb as f64 * 1024.0 }
}
