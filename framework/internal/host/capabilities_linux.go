package host

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
	"kernel.org/pub/linux/libs/security/libcap/psx"
)

// keptCapabilities let a strategy of a host that runs as root read the folders of another
// user that it is granted; Landlock bounds them.
const keptCapabilities = 1<<unix.CAP_DAC_OVERRIDE | 1<<unix.CAP_DAC_READ_SEARCH

// dropCapabilities takes from all threads what root may do and a strategy must not.
// After no_new_privs no executable brings it back.
func dropCapabilities() error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var have [2]unix.CapUserData // low and high half
	if err := unix.Capget(&header, &have[0]); err != nil {
		return fmt.Errorf("ask for the capabilities: %w", err)
	}
	if have == [2]unix.CapUserData{} {
		return nil
	}
	kept := have[0].Permitted & keptCapabilities
	left := [2]unix.CapUserData{{Effective: kept, Permitted: kept}}
	_, _, errno := psx.Syscall3(unix.SYS_CAPSET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&left[0])), 0)
	if errno != 0 {
		return fmt.Errorf("drop the capabilities: %w", errno)
	}
	return nil
}
