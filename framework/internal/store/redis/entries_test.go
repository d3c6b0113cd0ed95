package redis

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"

	"github.com/sagasu-search/sagasu/framework/internal/store"
)

// open returns a Redis of the test, and what sagasu has of it.
func open(t *testing.T, url string) *Server {
	t.Helper()
	var a Address
	if err := a.ParseSetting(url); err != nil {
		t.Fatal(err)
	}
	s, err := Open(a, "docs")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// What callers build on holds in files as in Redis.
func TestStoresAreAlike(t *testing.T) {
	for name, opener := range map[string]func(t *testing.T) store.Opener{
		"files": func(t *testing.T) store.Opener { return store.In(t.TempDir()) },
		"redis": func(t *testing.T) store.Opener { return open(t, "redis://"+miniredis.RunT(t).Addr()).Store },
	} {
		t.Run(name, func(t *testing.T) {
			ctx, s := t.Context(), opener(t)("traces", 3, time.Hour)
			must := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			holds := func(session, key, want string) {
				t.Helper()
				if got, err := s.Get(ctx, session, key); err != nil || string(got) != want {
					t.Errorf("%s of %s: %.20q, %v", key, session, got, err)
				}
			}
			newest := func(session string, n int, want ...string) {
				t.Helper()
				var got []string
				entries, err := s.Newest(ctx, session, n)
				for _, e := range entries {
					got = append(got, e.Key+"="+string(e.Value))
				}
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("newest of %s: %.20q, %v, want %.20q", session, got, err, want)
				}
			}
			large := string(bytes.Repeat([]byte("日本語 and English. "), 10_000))
			must(s.Probe(ctx, 1000))
			must(s.Put(ctx, "s", "a", []byte(large)))
			must(s.Put(ctx, "s", "b", nil))
			holds("s", "a", large)
			holds("s", "b", "")
			must(s.Put(ctx, "s", "c", []byte("three")))
			newest("s", 2, "c=three", "b=")
			must(s.Renew(ctx, "s", "a"))
			newest("s", 1, "a="+large)
			must(s.Put(ctx, "s", "d", []byte("four")))
			must(s.Put(ctx, "s", "e", []byte("five")))
			if _, err := s.Get(ctx, "s", "b"); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("the oldest of five is still there: %v", err)
			}
			must(s.Link(ctx, "other", "f", "s", "a"))
			holds("other", "f", large)
			must(s.Link(ctx, "s", "g", "s", "a"))
			must(s.Put(ctx, "s", "h", []byte("eight")))
			for _, key := range []string{"a", "g"} { // linked later than d and e were put
				holds("s", key, large)
			}
			newest("never", 9)
			newest("..", 9)
			for _, bad := range [][2]string{{"s", "never"}, {"never", "a"}, {"..", "a"}, {"s", "../s/a"}, {"s", ""}} {
				_, got := s.Get(ctx, bad[0], bad[1])
				for what, err := range map[string]error{
					"Get": got, "Renew": s.Renew(ctx, bad[0], bad[1]), "Link": s.Link(ctx, "s", "k", bad[0], bad[1]),
				} {
					if !errors.Is(err, store.ErrNotFound) {
						t.Errorf("%s(%q): %v", what, bad, err)
					}
				}
			}
			if err := s.Put(ctx, "s", "../escape", nil); err == nil {
				t.Error("a key with a separator was stored")
			}
			if s.Keep() != 3 || s.TTL() != time.Hour {
				t.Errorf("keeps %d for %v", s.Keep(), s.TTL())
			}
		})
	}
}

func TestEntriesExpire(t *testing.T) {
	server := miniredis.RunT(t)
	r := open(t, "redis://"+server.Addr())
	s, notes := r.Store("traces", 9, time.Minute), r.Store("rrf/representatives", 9, store.Forever)
	for i := range 3 {
		if err := errors.Join(s.Put(t.Context(), "s", fmt.Sprint("k", i), nil), notes.Put(t.Context(), "s", "k", []byte("{}"))); err != nil {
			t.Fatal(err)
		}
		server.FastForward(25 * time.Second)
	}
	for key, there := range map[string]bool{"k0": false, "k1": true, "k2": true} {
		if _, err := s.Get(t.Context(), "s", key); (err == nil) != there {
			t.Errorf("%s: %v", key, err)
		}
	}
	server.FastForward(time.Hour)
	if kept := server.Keys(); !slices.Equal(kept, []string{"sagasu:docs:rrf/representatives:s", "sagasu:docs:rrf/representatives:s:k"}) {
		t.Errorf("after an hour there are %q", kept)
	}
}

// Two servers append; each reads what the other did, in one order.
func TestLinesOfTwoServers(t *testing.T) {
	url := "redis://" + miniredis.RunT(t).Addr()
	a, b := open(t, url).Lines("statistics"), open(t, url).Lines("statistics")
	step := func(l *Lines, line string, want ...string) {
		t.Helper()
		got, err := l.Append(t.Context(), []byte(line))
		if err != nil || !slices.EqualFunc(got, want, func(g []byte, w string) bool { return string(g) == w }) {
			t.Errorf("after %s: %q, %v", line, got, err)
		}
	}
	step(a, "1", "1")
	step(a, "2", "2")
	step(b, "3", "1", "2", "3")
	step(b, "4", "4")
	step(a, "5", "3", "4", "5")
	c := open(t, url).Lines("statistics")
	if got, err := c.Newest(t.Context(), 2); err != nil || len(got) != 2 || string(got[0]) != "4" || string(got[1]) != "5" {
		t.Errorf("the newest: %q, %v", got, err)
	}
	step(c, "6", "6")
}
