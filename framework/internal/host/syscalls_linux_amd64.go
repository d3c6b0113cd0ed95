package host

import "golang.org/x/sys/unix"

// auditArch is the kernel's name for this architecture.
const auditArch uint32 = unix.AUDIT_ARCH_X86_64

// forbiddenHere are calls that only this architecture has: older forms, and its own devices.
var forbiddenHere = []uint32{
	unix.SYS_FORK, unix.SYS_VFORK, unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME, unix.SYS_UTIMES,
	unix.SYS_FUTIMESAT, unix.SYS_INOTIFY_INIT, unix.SYS_IOPL, unix.SYS_IOPERM, unix.SYS_MODIFY_LDT, unix.SYS_USELIB,
}
