package host

import "golang.org/x/sys/unix"

// auditArch is the kernel's name for this architecture.
const auditArch uint32 = unix.AUDIT_ARCH_AARCH64

// forbiddenHere are calls that only this architecture has: none.
var forbiddenHere []uint32
