//! The system calls that the filter knows, by name.

/// A system call: its name with the prefix of the constant, and its number.
pub(super) type SystemCall = (&'static str, libc::c_long);

macro_rules! calls {
    ($($call:ident)*) => { &[$((stringify!($call), libc::$call)),*] };
}

/// Calls that code needs that only computes, and that our own code needs in a child: on open descriptors, on
/// the process's own memory, threads, signals and timers, and questions. Which files can be opened is decided
/// by Landlock.
pub(super) const ALLOWED: &[SystemCall] = calls![
    SYS_read SYS_write SYS_readv SYS_writev SYS_pread64 SYS_pwrite64 SYS_preadv SYS_pwritev SYS_preadv2
    SYS_pwritev2 SYS_close SYS_close_range SYS_dup SYS_dup3 SYS_fcntl SYS_ioctl SYS_lseek SYS_fstat
    SYS_newfstatat SYS_statx SYS_faccessat SYS_faccessat2 SYS_readlinkat SYS_openat SYS_getdents64 SYS_getcwd
    SYS_chdir SYS_fchdir SYS_fsync SYS_fdatasync SYS_ftruncate SYS_fallocate SYS_fadvise64 SYS_readahead
    SYS_flock SYS_umask SYS_statfs SYS_fstatfs SYS_pipe2 SYS_ppoll SYS_pselect6 SYS_epoll_create1
    SYS_epoll_ctl SYS_epoll_pwait SYS_eventfd2 SYS_timerfd_create SYS_timerfd_settime SYS_timerfd_gettime
    SYS_sendto SYS_recvfrom SYS_sendmsg SYS_recvmsg SYS_shutdown SYS_getsockopt SYS_setsockopt
    SYS_getsockname SYS_getpeername
    SYS_mmap SYS_munmap SYS_mremap SYS_mprotect SYS_pkey_mprotect SYS_pkey_alloc SYS_pkey_free SYS_madvise
    SYS_mlock SYS_mlock2 SYS_munlock SYS_msync SYS_mincore SYS_brk SYS_membarrier
    SYS_clone SYS_futex SYS_set_robust_list SYS_get_robust_list SYS_rseq SYS_set_tid_address SYS_exit
    SYS_exit_group SYS_wait4 SYS_waitid
    SYS_rt_sigaction SYS_rt_sigprocmask SYS_rt_sigreturn SYS_rt_sigpending SYS_rt_sigtimedwait
    SYS_rt_sigsuspend SYS_sigaltstack SYS_restart_syscall SYS_kill SYS_tkill SYS_tgkill SYS_rt_sigqueueinfo
    SYS_rt_tgsigqueueinfo SYS_setitimer SYS_getitimer SYS_timer_create SYS_timer_settime SYS_timer_gettime
    SYS_timer_getoverrun SYS_timer_delete SYS_nanosleep SYS_clock_nanosleep
    SYS_clock_gettime SYS_clock_getres SYS_gettimeofday SYS_times SYS_getrusage SYS_getcpu
    SYS_getpid SYS_getppid SYS_gettid SYS_getuid SYS_geteuid SYS_getgid SYS_getegid SYS_getresuid
    SYS_getresgid SYS_getgroups SYS_getpgid SYS_getsid SYS_getpriority SYS_sched_getaffinity
    SYS_sched_getparam SYS_sched_getscheduler SYS_sched_getattr SYS_sched_get_priority_max
    SYS_sched_get_priority_min SYS_sched_rr_get_interval SYS_sched_yield SYS_prlimit64 SYS_uname SYS_sysinfo
    SYS_getrandom SYS_prctl SYS_capget
];

/// Older forms of allowed calls, which only this architecture has.
#[cfg(target_arch = "x86_64")]
pub(super) const ALLOWED_HERE: &[SystemCall] = calls![
    SYS_open SYS_stat SYS_lstat SYS_access SYS_readlink SYS_getdents SYS_dup2 SYS_pipe SYS_poll SYS_select
    SYS_epoll_create SYS_epoll_wait SYS_eventfd SYS_getrlimit SYS_getpgrp SYS_pause SYS_alarm SYS_time
    SYS_arch_prctl
];
#[cfg(not(target_arch = "x86_64"))]
pub(super) const ALLOWED_HERE: &[SystemCall] = &[];

/// The network.
pub(super) const NETWORK: &[SystemCall] =
    calls![SYS_socket SYS_socketpair SYS_connect SYS_bind SYS_listen SYS_accept SYS_accept4];

/// Other programs.
pub(super) const PROGRAMS: &[SystemCall] = calls![SYS_execve SYS_execveat];
/// Copies of the process. What remains of them is `clone` without the flag of a thread.
#[cfg(target_arch = "x86_64")]
pub(super) const COPIES: &[SystemCall] = calls![SYS_fork SYS_vfork];
#[cfg(not(target_arch = "x86_64"))]
pub(super) const COPIES: &[SystemCall] = &[];

/// Events of the kernel.
pub(super) const PERF_EVENTS: &[SystemCall] = calls![SYS_perf_event_open];

/// Changes of files by their paths, or of their rights, owners and times. Landlock refuses most of these, but
/// not rights, owners and times, and it tells nobody.
pub(super) const FILES: &[SystemCall] = calls![
    SYS_unlinkat SYS_renameat2 SYS_mkdirat SYS_linkat SYS_symlinkat SYS_mknodat SYS_truncate SYS_fchmod
    SYS_fchmodat SYS_fchown SYS_fchownat SYS_utimensat SYS_setxattr SYS_lsetxattr SYS_fsetxattr
    SYS_removexattr SYS_lremovexattr SYS_fremovexattr
];
/// Older forms of [`FILES`].
#[cfg(target_arch = "x86_64")]
pub(super) const FILES_HERE: &[SystemCall] = calls![
    SYS_unlink SYS_rename SYS_renameat SYS_mkdir SYS_rmdir SYS_link SYS_symlink SYS_mknod SYS_creat SYS_chmod
    SYS_chown SYS_lchown SYS_utime SYS_utimes SYS_futimesat
];
#[cfg(not(target_arch = "x86_64"))]
pub(super) const FILES_HERE: &[SystemCall] = &[];

/// Limits of the process.
pub(super) const LIMITS: &[SystemCall] = calls![SYS_setrlimit];

/// Priorities and placement: what makes one algorithm faster than another without being so.
pub(super) const SCHEDULING: &[SystemCall] = calls![
    SYS_sched_setscheduler SYS_sched_setparam SYS_sched_setattr SYS_setpriority SYS_ioprio_set
];

/// Setting of a thread's CPUs.
pub(super) const AFFINITY: &[SystemCall] = calls![SYS_sched_setaffinity];

/// Other processes, the machine, and parts of the kernel with a history of holes.
pub(super) const MACHINE: &[SystemCall] = calls![
    SYS_ptrace SYS_process_vm_readv SYS_process_vm_writev SYS_process_madvise SYS_pidfd_open SYS_pidfd_getfd
    SYS_pidfd_send_signal SYS_kcmp
    SYS_io_uring_setup SYS_io_uring_enter SYS_io_uring_register SYS_bpf SYS_userfaultfd SYS_add_key
    SYS_request_key SYS_keyctl
    SYS_mount SYS_umount2 SYS_pivot_root SYS_chroot SYS_open_tree SYS_move_mount SYS_fsopen SYS_fsconfig
    SYS_fsmount SYS_fspick SYS_mount_setattr SYS_unshare SYS_setns SYS_swapon SYS_swapoff SYS_reboot
    SYS_init_module SYS_finit_module SYS_delete_module SYS_kexec_load SYS_kexec_file_load SYS_acct
    SYS_quotactl SYS_syslog SYS_sethostname SYS_setdomainname SYS_vhangup
    SYS_clock_settime SYS_settimeofday SYS_adjtimex SYS_clock_adjtime
    SYS_shmget SYS_semget SYS_msgget SYS_mq_open
    SYS_setuid SYS_setgid SYS_setreuid SYS_setregid SYS_setresuid SYS_setresgid SYS_setgroups SYS_setfsuid
    SYS_setfsgid SYS_capset
];

/// Calls that are forbidden with some arguments only.
pub(super) const BY_ARGUMENTS: &[SystemCall] = calls![
    SYS_clone SYS_kill SYS_tkill SYS_tgkill SYS_rt_sigqueueinfo SYS_rt_tgsigqueueinfo SYS_rt_sigaction
    SYS_prlimit64 SYS_fcntl SYS_ioctl
];

/// The name of a forbidden call.
pub(in crate::process) fn name_of(number: u32) -> Option<&'static str> {
    let lists = [
        NETWORK,
        PROGRAMS,
        COPIES,
        PERF_EVENTS,
        FILES,
        FILES_HERE,
        SCHEDULING,
        AFFINITY,
        LIMITS,
        MACHINE,
        BY_ARGUMENTS,
    ];
    let number = libc::c_long::from(number);
    let (name, _) = lists.into_iter().flatten().find(|(_, known)| *known == number)?;
    name.strip_prefix("SYS_")
}
