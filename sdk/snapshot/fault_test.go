package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// wide returns a snapshot with two segments of many pages.
func wide(t *testing.T) *Snapshot {
	t.Helper()
	sound := publish(t, t.TempDir(), ManualSchema(KindManual), manual(2000), manual(2000))
	s, err := Open(sound.Dir(), sound.Name(), true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// cut truncates the file of the first segment, which stays mapped.
func (s *Snapshot) cut(t *testing.T) {
	t.Helper()
	if err := os.Truncate(filepath.Join(s.dir, s.segments[0].info.File), 1); err != nil {
		t.Skipf("a mapped file cannot be cut here: %v", err)
	}
}

// readers access the memory of the first segment in several ways.
var readers = map[string]func(s *Snapshot) error{
	"all": func(s *Snapshot) error { readAll(s.segments[0]); return nil },
	"texts": func(s *Snapshot) error {
		for id := range s.Bound() {
			if strings.Clone(s.Source(id, FieldBody)) == "" {
				return errors.New("no text")
			}
		}
		return nil
	},
	"copy": func(s *Snapshot) error { copy(make([]byte, 1<<20), s.maps[0]); return nil },
	"dictionary": func(s *Snapshot) error {
		for range s.Terms("") {
		}
		return nil
	},
	"lengths": func(s *Snapshot) error { return errors.New(fmt.Sprint(s.segments[0].Lengths(FieldBody))) },
	"merge": func(s *Snapshot) error {
		w := NewWriter(ManualSchema(KindManual))
		defer w.Discard()
		return w.Merge(context.Background(), s.segments...)
	},
}

func TestGuardOfAFileThatWasCut(t *testing.T) {
	for name, read := range readers {
		t.Run(name, func(t *testing.T) {
			s := wide(t)
			s.cut(t)
			err := s.Guard(func() error { return read(s) })
			bad, ok := errors.AsType[*CorruptError](err)
			if !ok || bad.File != s.segments[0].info.File {
				t.Fatalf("error %v", err)
			}
			if !errors.Is(s.Err(), err) || !errors.Is(s.Guard(func() error { return nil }), err) {
				t.Errorf("the damage was forgotten: %v", s.Err())
			}
		})
	}
}

func TestGuardOfAnIntactFile(t *testing.T) {
	s := wide(t)
	for name, read := range readers {
		if err := s.Guard(func() error { return read(s) }); (err == nil) != (name != "lengths") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := s.Guard(func() error { return fs.ErrClosed }); err != fs.ErrClosed {
		t.Errorf("an error became %v", err)
	}
	if s.Err() != nil {
		t.Error(s.Err())
	}
}

// TestGuardsNest checks that each guard notices only the faults of its own snapshot.
func TestGuardsNest(t *testing.T) {
	outer, inner := wide(t), wide(t)
	outer.cut(t)
	err := outer.Guard(func() error {
		return inner.Guard(func() error { readAll(outer.segments[0]); readers["copy"](outer); return nil })
	})
	if _, ok := errors.AsType[*CorruptError](err); !ok || inner.Err() != nil {
		t.Errorf("outer %v, inner %v", err, inner.Err())
	}
}

func TestGuardLetsOtherPanicsPass(t *testing.T) {
	s := wide(t)
	for name, harm := range map[string]func(){
		"value": func() { panic("on purpose") },
		"error": func() { panic(fs.ErrInvalid) },
		"index": func() { _ = s.maps[len(t.Name())] },
		"nil":   func() { *(*int)(nil)++ },
	} {
		t.Run(name, func(t *testing.T) {
			want := panicOf(harm)
			got := panicOf(func() { _ = s.Guard(func() error { harm(); return nil }) })
			if want == nil || want != got {
				t.Errorf("%v became %v", want, got)
			}
		})
	}
	if s.Err() != nil {
		t.Error(s.Err())
	}
}

func panicOf(f func()) (r any) {
	defer func() { r = recover() }()
	f()
	return nil
}

func TestCheck(t *testing.T) {
	for name, c := range map[string]struct {
		harm func(path string) error
		want func(err error) bool
	}{
		"nothing": {func(string) error { return nil }, func(err error) bool { return err == nil }},
		"removed": {os.Remove, func(err error) bool { return errors.Is(err, fs.ErrNotExist) }},
		"cut":     {func(path string) error { return os.Truncate(path, 1000) }, isCorrupt},
		"longer":  {func(path string) error { return os.Truncate(path, 1<<30) }, isCorrupt},
	} {
		t.Run(name, func(t *testing.T) {
			s := wide(t)
			if err := c.harm(filepath.Join(s.dir, s.segments[0].info.File)); err != nil {
				t.Skipf("a mapped file cannot be harmed here: %v", err)
			}
			if err := s.Check(); !c.want(err) {
				t.Errorf("Check = %v", err)
			}
			if s.Err() != nil {
				t.Errorf("Err = %v", s.Err())
			}
		})
	}
}

func isCorrupt(err error) bool {
	_, ok := errors.AsType[*CorruptError](err)
	return ok
}
