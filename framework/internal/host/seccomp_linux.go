package host

import (
	"fmt"
	"os"
	"slices"
	"unsafe"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// Offsets of the data that a filter decides by, see the kernel's struct seccomp_data.
const (
	offsetNumber = 0
	offsetArch   = 4
	offsetArgs   = 16
	sizeArg      = 8
)

// newest is the last system call that existed when this list was written. Later calls are answered as by a kernel that
// does not have them, and so are calls of other calling conventions, whose numbers are larger.
const newest = unix.SYS_RSEQ_SLICE_YIELD

var (
	allow   = bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW}
	denied  = refuse(unix.EPERM)
	missing = refuse(unix.ENOSYS)

	unsupported = refuse(unix.ENOTSUP) // as by a file system without it
)

func refuse(errno unix.Errno) bpf.Instruction {
	return bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(errno)}
}

// filterCalls keeps the threads of this process, and the program that replaces it, from system calls that no strategy
// needs. Landlock restricts files and connections; this filter restricts what Landlock leaves open. On an architecture
// without a list it does nothing.
func filterCalls(p policy) error {
	if auditArch == 0 {
		return nil
	}
	code, err := bpf.Assemble(filter(p, uint32(os.Getpid())))
	if err != nil {
		return fmt.Errorf("assemble the filter of system calls: %w", err)
	}
	program := make([]unix.SockFilter, len(code))
	for i, c := range code {
		program[i] = unix.SockFilter{Code: c.Op, Jt: c.Jt, Jf: c.Jf, K: c.K}
	}
	handed := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	stray, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER,
		unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&handed)))
	switch {
	case errno == unix.ENOSYS || errno == unix.EINVAL: // the kernel was built without it
		return nil
	case errno != 0:
		return fmt.Errorf("filter system calls: %w", errno)
	case stray != 0:
		return fmt.Errorf("filter system calls: thread %d goes its own way", stray)
	}
	return nil
}

// filter decides on each call by its number. It allows calls that are not listed.
func filter(p policy, self uint32) []bpf.Instruction {
	code := []bpf.Instruction{
		bpf.LoadAbsolute{Off: offsetArch, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: auditArch, SkipTrue: 1}, missing,
		bpf.LoadAbsolute{Off: offsetNumber, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpLessOrEqual, Val: newest, SkipTrue: 1}, missing,
	}
	for _, number := range slices.Concat(forbidden, forbiddenHere) {
		code = append(code, on(number, denied)...)
	}
	for number, decide := range considered(p, self) {
		code = append(code, on(number, decide...)...)
	}
	return append(code, allow)
}

// on decides on one call. decide must end with a verdict on every path.
func on(number uint32, decide ...bpf.Instruction) []bpf.Instruction {
	return append([]bpf.Instruction{bpf.JumpIf{Cond: bpf.JumpEqual, Val: number, SkipFalse: uint8(len(decide))}},
		decide...)
}

// loadArg loads an argument. All arguments that are checked have 32 bits.
func loadArg(n uint32) bpf.Instruction {
	return bpf.LoadAbsolute{Off: offsetArgs + sizeArg*n, Size: 4}
}

// allArg is the mask of a whole argument.
const allArg = ^uint32(0)

// onlyIf allows a call whose argument, under a mask, is one of the values.
func onlyIf(arg, mask uint32, values ...uint32) []bpf.Instruction {
	return choose(arg, mask, allow, denied, values)
}

// notIf refuses a call whose argument, under a mask, is one of the values.
func notIf(arg, mask uint32, values ...uint32) []bpf.Instruction {
	return choose(arg, mask, denied, allow, values)
}

// choose decides by whether an argument, under a mask, is one of the values.
func choose(arg, mask uint32, match, otherwise bpf.Instruction, values []uint32) []bpf.Instruction {
	code := []bpf.Instruction{loadArg(arg), bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: mask}}
	for _, v := range values {
		code = append(code, bpf.JumpIf{Cond: bpf.JumpEqual, Val: v, SkipFalse: 1}, match)
	}
	return append(code, otherwise)
}
