package host

import "golang.org/x/sys/unix"

// auditArch is what the kernel calls this architecture.
const auditArch uint32 = unix.AUDIT_ARCH_AARCH64

// forbiddenHere are the calls of this architecture only: it has none.
var forbiddenHere []uint32
