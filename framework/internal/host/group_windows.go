package host

import (
	"io/fs"
	"math"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// maxSocketPath does not limit anything here: strategies listen on TCP.
const maxSocketPath = math.MaxInt

// ownGroup keeps a console's Ctrl-C from a strategy.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}

// killTree ends a process; its job ends what it started.
func killTree(cmd *exec.Cmd) {
	_ = cmd.Process.Kill() // an error means that it is gone
}

// adopt puts a process into a job that dies with its last handle, which the
// system closes when the host ends. Where that fails, closing its standard input still ends it.
func adopt(cmd *exec.Cmd) (release func()) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return func() {}
	}
	release = func() { _ = windows.CloseHandle(job) }
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err != nil {
		return release
	}
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false,
		uint32(cmd.Process.Pid))
	if err != nil {
		return release
	}
	defer func() { _ = windows.CloseHandle(process) }()
	_ = windows.AssignProcessToJobObject(job, process)
	return release
}

// ownedByUser is always true: the temporary directory is the user's own here.
func ownedByUser(fs.FileInfo) bool { return true }
