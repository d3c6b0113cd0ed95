package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

func open(t *testing.T, keep int, ttl time.Duration) *Dir {
	t.Helper()
	return Open(filepath.Join(t.TempDir(), "traces"), keep, ttl)
}

func TestOldestGoFirst(t *testing.T) {
	d := open(t, 2, time.Hour)
	for i := range 3 {
		key := fmt.Sprintf("k%d", i)
		if err := d.Put(t.Context(), "s", key, []byte(key)); err != nil {
			t.Fatal(err)
		}
		when := time.Now().Add(time.Duration(i-10) * time.Minute)
		if err := os.Chtimes(filepath.Join(d.path, "s", key), when, when); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Put(t.Context(), "s", "k3", nil); err != nil {
		t.Fatal(err)
	}
	for key, kept := range map[string]bool{"k0": false, "k1": false, "k2": true, "k3": true} {
		if _, err := d.Get(t.Context(), "s", key); (err == nil) != kept {
			t.Errorf("%s kept = %v, want %v", key, err == nil, kept)
		}
	}
}

func TestHalfAsManyMoreAreKeptForAWhile(t *testing.T) {
	d := open(t, 20, time.Hour)
	most := 0
	for i := range 60 {
		if err := d.Put(t.Context(), "s", fmt.Sprintf("k%d", i), nil); err != nil {
			t.Fatal(err)
		}
		files, err := os.ReadDir(filepath.Join(d.path, "s"))
		if err != nil || len(files) > 30 || i >= 20 && len(files) < 20 {
			t.Fatalf("%d entries after %d, %v", len(files), i+1, err)
		}
		most = max(most, len(files))
	}
	if most != 30 {
		t.Errorf("never more than %d entries", most)
	}
	d.now = func() time.Time { return time.Now().Add(2 * time.Hour) }
	if err := d.Put(t.Context(), "s", "late", nil); err != nil {
		t.Fatal(err)
	}
	if files, _ := os.ReadDir(filepath.Join(d.path, "s")); len(files) > 1 {
		t.Errorf("%d entries are left, most of them expired", len(files))
	}
}

func TestExpiry(t *testing.T) {
	d := open(t, 10, time.Minute)
	if err := d.Put(t.Context(), "s", "k", []byte("x")); err != nil {
		t.Fatal(err)
	}
	d.now = func() time.Time { return time.Now().Add(2 * time.Minute) }
	if _, err := d.Get(t.Context(), "s", "k"); !errors.Is(err, ErrNotFound) {
		t.Errorf("expired entry: %v", err)
	}
	if err := d.removeIdleSessions(); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(d.path); len(left) != 0 {
		t.Errorf("%d expired sessions left", len(left))
	}
}

func TestConcurrentSessionsShareADirectory(t *testing.T) {
	d := open(t, 5, time.Hour)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 40 {
				if err := d.Put(t.Context(), "s", fmt.Sprintf("k-%d-%d", i, j), []byte("x")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	left, err := os.ReadDir(filepath.Join(d.path, "s"))
	if err != nil || len(left) > 5+5/2 { // when the last trim was depends on who came first
		t.Errorf("%d entries left, %v", len(left), err)
	}
}

func TestLink(t *testing.T) {
	d := open(t, 10, time.Hour)
	if err := d.Put(t.Context(), "s", "old", []byte("value")); err != nil {
		t.Fatal(err)
	}
	long := time.Now().Add(-59 * time.Minute)
	if err := os.Chtimes(filepath.Join(d.path, "s", "old"), long, long); err != nil {
		t.Fatal(err)
	}
	if err := d.Link(t.Context(), "s", "new", "s", "old"); err != nil {
		t.Fatal(err)
	}
	d.now = func() time.Time { return time.Now().Add(30 * time.Minute) }
	for _, key := range []string{"old", "new"} {
		if got, err := d.Get(t.Context(), "s", key); err != nil || string(got) != "value" {
			t.Errorf("%s = %q, %v", key, got, err)
		}
	}
	for _, key := range [][2]string{{"k", "never"}, {"../k", "old"}, {"k", "../s/old"}} {
		if err := d.Link(t.Context(), "s", key[0], "s", key[1]); !errors.Is(err, ErrNotFound) {
			t.Errorf("Link(%q, %q): %v", key[0], key[1], err)
		}
	}
	if err := d.Link(t.Context(), "s", "new", "s", "old"); err == nil || errors.Is(err, ErrNotFound) {
		t.Errorf("a key that is there: %v", err)
	}
}

func TestLinksAreTrimmed(t *testing.T) {
	d := open(t, 3, time.Hour)
	if err := d.Put(t.Context(), "s", "k", nil); err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		if err := d.Link(t.Context(), "s", fmt.Sprintf("l%02d", i), "s", "k"); err != nil && !errors.Is(err, ErrNotFound) {
			t.Fatal(err)
		}
	}
	if files, err := os.ReadDir(filepath.Join(d.path, "s")); err != nil || len(files) > 3 {
		t.Errorf("%d entries, %v", len(files), err)
	}
}

// What another process removes while this one looks at it is gone, which is all that
// either wanted.
func TestSessionRemovedMeanwhile(t *testing.T) {
	for name, do := range map[string]func(d *Dir) error{
		"a start": (*Dir).removeIdleSessions,
		"a put":   func(d *Dir) error { return d.Put(t.Context(), "s", "other", nil) },
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t, 10, time.Hour)
			if err := d.Put(t.Context(), "s", "k", nil); err != nil {
				t.Fatal(err)
			}
			d.seen = map[string]look{}
			d.now = func() time.Time { // it is asked before a session is listed
				if err := os.RemoveAll(filepath.Join(d.path, "s")); err != nil {
					t.Error(err)
				}
				return time.Now().Add(2 * time.Hour)
			}
			if err := do(d); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestProbe(t *testing.T) {
	d := open(t, 3, time.Hour)
	if err := d.Probe(t.Context(), 100<<10); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(d.path); err != nil || len(left) > 0 {
		t.Errorf("the probe left %v, %v", left, err)
	}
	file := filepath.Join(d.path, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Open(filepath.Join(file, "traces"), 3, time.Hour).Probe(t.Context(), 1); err == nil {
		t.Error("a folder in a file can be written")
	}
}

// BenchmarkProbe is what each search does beside its strategies.
func BenchmarkProbe(b *testing.B) {
	d := Open(b.TempDir(), 3, time.Hour)
	for b.Loop() {
		if err := d.Probe(b.Context(), 64<<10); err != nil {
			b.Fatal(err)
		}
	}
}
