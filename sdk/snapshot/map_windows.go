package snapshot

import (
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

func mapWhole(f *os.File, size int) (mapping, error) {
	h, err := windows.CreateFileMapping(windows.Handle(f.Fd()), nil, windows.PAGE_READONLY, 0, 0, nil)
	if err != nil {
		return nil, os.NewSyscallError("CreateFileMapping", err)
	}
	defer windows.CloseHandle(h) // the view keeps the mapping alive
	addr, err := windows.MapViewOfFile(h, windows.FILE_MAP_READ, 0, 0, 0)
	if err != nil {
		return nil, os.NewSyscallError("MapViewOfFile", err)
	}
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&addr)), size), nil
}

func (m mapping) unmap() error {
	return windows.UnmapViewOfFile(uintptr(unsafe.Pointer(unsafe.SliceData(m))))
}

// syncDir does nothing: on this system renames are durable once they return, and a directory cannot be synced.
func syncDir(*os.Root) error { return nil }
