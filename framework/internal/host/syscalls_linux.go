package host

import (
	"slices"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// forbidden are the calls that no strategy needs and that would reach other processes, the kernel, or files in ways
// that Landlock does not restrict.
var forbidden = []uint32{
	// other processes
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE,
	unix.SYS_PROCESS_MRELEASE, unix.SYS_KCMP, unix.SYS_PIDFD_OPEN, unix.SYS_PIDFD_GETFD, unix.SYS_PIDFD_SEND_SIGNAL,
	unix.SYS_RT_SIGQUEUEINFO, unix.SYS_TKILL, unix.SYS_IOPRIO_SET, unix.SYS_MIGRATE_PAGES, unix.SYS_MOVE_PAGES,
	unix.SYS_SETPGID, unix.SYS_SETSID,
	// memory that belongs to no process, and so is not limited
	unix.SYS_SHMGET, unix.SYS_MSGGET, unix.SYS_SEMGET, unix.SYS_MQ_OPEN, unix.SYS_MEMFD_CREATE, unix.SYS_MEMFD_SECRET,
	// ways to make calls that this filter does not see
	unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	// modes, owners, times, attributes and locks of files; watching who uses them
	unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT,
	unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_SETXATTRAT,
	unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR, unix.SYS_REMOVEXATTRAT, unix.SYS_FILE_SETATTR,
	unix.SYS_UMASK, unix.SYS_FLOCK, unix.SYS_SYNC,
	unix.SYS_INOTIFY_INIT1, unix.SYS_FANOTIFY_INIT, unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_OPEN_BY_HANDLE_AT,
	// the kernel
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_KEYCTL, unix.SYS_ADD_KEY,
	unix.SYS_REQUEST_KEY,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD,
	unix.SYS_REBOOT, unix.SYS_SYSLOG, unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD, unix.SYS_SWAPON,
	unix.SYS_SWAPOFF,
	unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_CLOCK_ADJTIME, unix.SYS_ADJTIMEX,
	unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME, unix.SYS_VHANGUP,
	// namespaces and mounts
	unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_CHROOT, unix.SYS_PIVOT_ROOT, unix.SYS_MOUNT, unix.SYS_UMOUNT2,
	unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE, unix.SYS_OPEN_TREE_ATTR, unix.SYS_MOUNT_SETATTR,
	unix.SYS_LISTMOUNT, unix.SYS_STATMOUNT, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK,
}

// considered returns the calls whose arguments decide. self is this process.
func considered(p policy, self uint32) map[uint32][]bpf.Instruction {
	calls := map[uint32][]bpf.Instruction{
		// Threads, but no processes. The arguments of clone3 are in memory, where a filter cannot look; without clone3,
		// libraries use clone.
		unix.SYS_CLONE:  onlyIf(0, unix.CLONE_THREAD, unix.CLONE_THREAD),
		unix.SYS_CLONE3: {missing},
		// Its own signals, limits and priorities; 0 means itself.
		unix.SYS_KILL:               onlyIf(0, allArg, self),
		unix.SYS_TGKILL:             onlyIf(0, allArg, self),
		unix.SYS_RT_TGSIGQUEUEINFO:  onlyIf(0, allArg, self),
		unix.SYS_PRLIMIT64:          onlyIf(0, allArg, 0, self),
		unix.SYS_SCHED_SETAFFINITY:  onlyIf(0, allArg, 0, self),
		unix.SYS_SCHED_SETSCHEDULER: onlyIf(0, allArg, 0, self),
		unix.SYS_SCHED_SETPARAM:     onlyIf(0, allArg, 0, self),
		unix.SYS_SCHED_SETATTR:      onlyIf(0, allArg, 0, self),
		unix.SYS_SETPRIORITY:        onlyIf(1, allArg, 0),
		// It must die with its host.
		unix.SYS_PRCTL: notIf(0, allArg, unix.PR_SET_PDEATHSIG),
		// Shared memory is not limited.
		unix.SYS_MMAP: notIf(3, unix.MAP_ANONYMOUS|unix.MAP_SHARED, unix.MAP_ANONYMOUS|unix.MAP_SHARED),
		// It could lock what it may read, and so block those who write.
		unix.SYS_FCNTL: notIf(1, allArg,
			unix.F_SETLEASE, unix.F_NOTIFY, unix.F_SETOWN, unix.F_SETOWN_EX, unix.F_SETSIG),
		// Attributes can hold what others wrote.
		unix.SYS_GETXATTR:  {unsupported},
		unix.SYS_LGETXATTR: {unsupported},
		unix.SYS_LISTXATTR: {unsupported}, unix.SYS_LLISTXATTR: {unsupported},
		unix.SYS_GETXATTRAT: {unsupported}, unix.SYS_LISTXATTRAT: {unsupported},
		unix.SYS_SOCKET:     sockets(len(p.TCP) > 0),
		unix.SYS_SOCKETPAIR: sockets(false),
	}
	if len(p.TCP) == 0 && !p.Sockets {
		calls[unix.SYS_CONNECT] = []bpf.Instruction{denied}
	}
	return calls
}

// sockets allows the sockets that serve the host and, with network grants, those that connections and name resolution
// need: only plain TCP and UDP, since Landlock does not see MPTCP. A datagram to a unix socket would reach any path
// without a connection.
func sockets(network bool) []bpf.Instruction {
	const kind = 0xf // the rest of the argument is flags
	unixOnly := slices.Concat([]bpf.Instruction{
		loadArg(0), bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.AF_UNIX, SkipTrue: 1}, denied,
	}, onlyIf(1, kind, unix.SOCK_STREAM))
	if !network {
		return unixOnly
	}
	plain := onlyIf(2, allArg, 0, unix.IPPROTO_TCP, unix.IPPROTO_UDP)
	code := []bpf.Instruction{loadArg(0)}
	for left, family := range []uint32{unix.AF_NETLINK, unix.AF_INET6, unix.AF_INET} {
		code = append(code, bpf.JumpIf{Cond: bpf.JumpEqual, Val: family, SkipTrue: uint8(3 - left)})
	}
	code = append(code, bpf.Jump{Skip: uint32(len(plain))})
	return slices.Concat(code, plain, unixOnly)
}
