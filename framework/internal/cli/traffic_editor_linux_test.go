package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// editedFiles is how many files of a folder are edited.
const editedFiles = 12

// editor changes files below folders while calls run.
type editor struct {
	writer
	folders      []string
	publications string // the folder of the collections
	edits        map[string]int
}

// edit does one thing to one file. Failures are those of files in another state than expected.
func (e *editor) edit() {
	ext, text := e.document()
	folder := pick(e.Rand, e.folders)
	name := func() string {
		return filepath.Join(folder, pick(e.Rand, []string{"", "", "deep"}), fmt.Sprintf("edited-%02d%s", e.IntN(editedFiles), ext))
	}
	at := name()
	what := pick(e.Rand, []string{"write", "write", "write", "replace", "append", "truncate", "grow", "rename", "delete", "folder", "link", "dangling", "pipe", "mode"})
	e.edits[what]++
	if info, err := os.Lstat(at); err == nil && !info.Mode().IsRegular() {
		os.RemoveAll(at)
	}
	os.MkdirAll(filepath.Dir(at), 0o755)
	switch what {
	case "write":
		os.WriteFile(at, text, 0o644)
	case "replace":
		if os.WriteFile(at+"~", text, 0o644) == nil {
			os.Rename(at+"~", at)
		}
	case "append", "grow":
		if what == "grow" {
			text = []byte(strings.Repeat(string(text), 1+20_000/(len(text)+1)))
		}
		if info, err := os.Stat(at); err == nil && info.Size() > 1<<16 {
			os.Truncate(at, 1000)
		}
		if f, err := os.OpenFile(at, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644); err == nil {
			f.Write(text)
			f.Close()
		}
	case "truncate":
		os.Truncate(at, int64(e.IntN(100)))
	case "rename":
		os.Rename(at, name())
	case "delete":
		os.Remove(at)
	case "folder":
		os.Remove(at)
		os.Mkdir(at, 0o755)
	case "link", "dangling":
		os.Remove(at)
		os.Symlink(map[string]string{"link": "/etc/passwd", "dangling": "nowhere"}[what], at)
	case "pipe":
		os.Remove(at)
		syscall.Mkfifo(at, 0o644)
	case "mode":
		os.Chmod(at, pick(e.Rand, []fs.FileMode{0, 0o644}))
	}
}

// editPause is how long files are left alone.
const editPause = 100 * time.Millisecond

func every(stop <-chan struct{}, pause time.Duration, do func()) {
	for {
		select {
		case <-stop:
			return
		case <-time.After(pause):
			do()
		}
	}
}
