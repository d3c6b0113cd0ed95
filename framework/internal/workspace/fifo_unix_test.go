//go:build unix

package workspace_test

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

func TestAFIFOIsNotRead(t *testing.T) {
	b := newBench(t)
	if err := unix.Mkfifo(filepath.Join(b.root, workspace.FileName), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := b.load(); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a FIFO as configuration: %v", err)
	}
}
