package vault_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
	"github.com/sagasu-search/sagasu/framework/internal/vault/bridge"
)

// TestClockJumps writes after the clock has gone back by a year: what was replaced later stands
// first in the log, and no version is lost.
func TestClockJumps(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "notes/a.md", "one\n")
	write := func(text string) {
		t.Helper()
		_, err := v.Write(t.Context(), vault.WriteArgs{Path: "notes/a.md", Content: text, Mode: "overwrite"})
		must(t, err)
	}
	write("two\n")
	kept, err := filepath.Glob(filepath.Join(dir, ".system", "history", "notes", "a.md", "*.zst"))
	if must(t, err); len(kept) != 1 {
		t.Fatalf("versions %q", kept)
	}
	ahead := time.Now().UTC().AddDate(1, 0, 0).Format("20060102T150405.000000000Z")
	folder, name := filepath.Split(kept[0])
	must(t, os.Rename(kept[0], filepath.Join(folder, ahead+name[len(ahead):])))
	write("three\n")
	write("four\n")
	versions, err := v.Log("notes/a.md")
	must(t, err)
	var texts []string
	for _, version := range versions {
		text, _, err := v.Show("notes/a.md", version.ID)
		must(t, err)
		texts = append(texts, string(text))
	}
	if len(texts) != 3 || texts[0] != "three\n" || texts[1] != "two\n" || texts[2] != "one\n" {
		t.Errorf("the versions, newest first, are %q", texts)
	}
}

// inOtherTimes calls a function with the clock years back, in the year 2000, then with the clock years ahead. libfaketime
// cannot do that: Go asks the kernel for the time without the C library.
func inOtherTimes(t *testing.T, do func(t *testing.T, year int)) {
	synctest.Test(t, func(t *testing.T) {
		do(t, time.Now().Year())
		time.Sleep(60 * 365 * 24 * time.Hour)
		do(t, time.Now().Year())
	})
}

// TestHistoryKeepsItsOrder overwrites one file while the clock jumps by decades between the writes.
func TestHistoryKeepsItsOrder(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "notes/a.md", "first\n")
	want := []string{"first\n"}
	write := func(t *testing.T, year int) {
		for i := range 3 {
			text := fmt.Sprintf("%d, %d of %d\n", len(want), i, year)
			_, err := v.Write(t.Context(), vault.WriteArgs{Path: "notes/a.md", Content: text, Mode: "overwrite"})
			must(t, err)
			want = append(want, text)
		}
		_, err := v.Create(t.Context(), vault.CreateArgs{Path: rootfs.Path(fmt.Sprintf("artifacts/daily/%04d-01-31.md", year)), Content: "- one\n"})
		must(t, err)
	}
	write(t, 1)
	inOtherTimes(t, write)
	write(t, 3)
	versions, err := v.Log("notes/a.md")
	must(t, err)
	if len(versions) != len(want)-1 {
		t.Errorf("%d versions of %d writes", len(versions), len(want)-1)
	}
	for i, version := range versions {
		text, _, err := v.Show("notes/a.md", version.ID)
		must(t, err)
		if string(text) != want[len(versions)-1-i] {
			t.Errorf("version %d holds %q", i, text)
		}
	}
	for _, year := range []string{"0001", "2000", "2059", "0003"} {
		if _, err := os.Stat(filepath.Join(dir, "artifacts", "daily", year+"-01-31.md")); err != nil {
			t.Error(err)
		}
	}
}

// TestClockJumpsAmidWrites writes while others, whose clock is decades off, take what is being written for a leftover.
func TestClockJumpsAmidWrites(t *testing.T) {
	_, dir := newVault(t)
	warm := vault.New(options(dir))
	put(t, dir, "notes/a.md", "first\n")
	_, err := warm.Write(t.Context(), vault.WriteArgs{Path: "notes/a.md", Content: "second\n", Mode: "overwrite"})
	must(t, err) // makes what all vaults share
	_, err = warm.Create(t.Context(), vault.CreateArgs{Path: rootfs.Path(day), Content: ""})
	must(t, err)
	var writers sync.WaitGroup
	over := make(chan struct{})
	acked := make([]int, 3)
	for i := range acked {
		v := vault.New(options(dir))
		writers.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
				}
				line := fmt.Sprintf("- %d %d\n", i, acked[i])
				_, err := v.Write(t.Context(), vault.WriteArgs{Path: rootfs.Path(day), Content: line, Mode: "append"})
				if err == nil {
					_, err = v.Import(t.Context(), bridge.Import{Param: "to_path", Path: fmt.Sprintf("notes/%d.json", i), Mode: "append", Build: func(old []byte) (bridge.Content, error) {
						return bridge.Content{Text: append(old, line...), Note: func(json.RawMessage) (any, error) { return line, nil }}, nil
					}})
				}
				if err != nil {
					t.Errorf("writer %d after %d writes: %v", i, acked[i], err)
					return
				}
				acked[i]++
			}
		})
	}
	inOtherTimes(t, func(t *testing.T, year int) {
		for n := range 25 {
			v := vault.New(options(dir)) // looks for leftovers anew
			for _, path := range []string{fmt.Sprintf("artifacts/daily/%d-01-01.md", year+n), fmt.Sprintf("notes/%d-%d.md", year, n)} {
				// It may wait in vain for a lock: no real time passes while it waits.
				_, _ = v.Create(t.Context(), vault.CreateArgs{Path: rootfs.Path(path), Content: "x"})
			}
			_, _ = v.Import(t.Context(), bridge.Import{Param: "to_path", Path: fmt.Sprintf("notes/%d-%d.json", year, n), Mode: "append", Build: func([]byte) (bridge.Content, error) {
				return bridge.Content{Text: []byte("x"), Note: func(json.RawMessage) (any, error) { return n, nil }}, nil
			}})
		}
	})
	close(over)
	writers.Wait()
	total := 0
	for i, n := range acked {
		total += n
		for path, got := range map[string]string{"day": get(t, dir, day), "copy": get(t, dir, fmt.Sprintf("notes/%d.json", i))} {
			if there := strings.Count(got, fmt.Sprintf("- %d ", i)); there != n {
				t.Errorf("%s of writer %d: %d lines are there, %d were acknowledged", path, i, there, n)
			}
		}
	}
	if t.Logf("acknowledged writes: %d", acked); total == 0 {
		t.Error("nobody wrote")
	}
}
