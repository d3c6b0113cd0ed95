package embed

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/sdk"
)

func newCache(t *testing.T, dir string, p Provider) *Cache {
	t.Helper()
	c, err := NewCache(dir, p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func embedAll(t *testing.T, p Provider, texts ...string) [][]float32 {
	t.Helper()
	out, err := p.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestCacheAsksOnce(t *testing.T) {
	s, dir := newService(t), t.TempDir()
	client := s.client(t, nil)
	one, other := newCache(t, dir, client), newCache(t, dir, client)
	want := [][]float32{{1, 1}, {2, 1}, {3, 1}}
	for _, c := range []*Cache{one, one, other, newCache(t, dir, client)} {
		if diff := cmp.Diff(want, embedAll(t, c, "a", "bb", "ccc")); diff != "" {
			t.Error(diff)
		}
	}
	embedAll(t, other, "a", "dddd")
	embedAll(t, one, "dddd", "bb") // written by the other cache
	if diff := cmp.Diff([]string{"a", "bb", "ccc", "dddd"}, s.sent()); diff != "" {
		t.Errorf("asked for (-want +got):\n%s", diff)
	}
	another := s.client(t, func(o *Options) { o.Model = "other" })
	embedAll(t, newCache(t, dir, another), "a")
	if len(s.sent()) != 5 {
		t.Error("another model's vectors were taken")
	}
}

// If a service changes its model under the same name, the new model's vectors are not mixed with the stored ones: all
// are requested again.
func TestCacheOfAnotherDimension(t *testing.T) {
	dir := t.TempDir()
	s := newService(t)
	embedAll(t, newCache(t, dir, s.client(t, nil)), "a", "bb")
	s.misbehave = func(_ int, w http.ResponseWriter, _ *http.Request, n int) bool {
		rows := strings.Repeat(`{"embedding":[1,2,3]},`, n)
		_, _ = w.Write([]byte(`{"data":[` + strings.TrimSuffix(rows, ",") + `]}`))
		return true
	}
	c := newCache(t, dir, s.client(t, nil))
	if v, err := c.Embed(t.Context(), []string{"a", "ccc"}); !errors.Is(err, ErrAnswer) {
		t.Errorf("%v, %v", v, err)
	}
	want := [][]float32{{1, 2, 3}, {1, 2, 3}}
	if diff := cmp.Diff(want, embedAll(t, c, "a", "ccc")); diff != "" {
		t.Error(diff)
	}
}

func cacheFile(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "embeddings-*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f, ".lock") {
			return f
		}
	}
	t.Fatal("there is no cache file")
	return ""
}

func TestDamagedCacheAsksAgain(t *testing.T) {
	s, dir := newService(t), t.TempDir()
	client := s.client(t, nil)
	texts := []string{"a", "bb", "ccc"}
	want := embedAll(t, newCache(t, dir, client), texts...)
	whole, err := os.ReadFile(cacheFile(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(whole), "ccc") {
		t.Error("the cache holds a text")
	}
	for at := range len(whole) {
		flipped := []byte(string(whole))
		flipped[at] ^= 1 << (at % 8)
		for _, bad := range [][]byte{flipped, whole[:at]} {
			if err := os.WriteFile(cacheFile(t, dir), bad, 0o600); err != nil {
				t.Fatal(err)
			}
			for range 2 { // the second time from the repaired file
				if diff := cmp.Diff(want, embedAll(t, newCache(t, dir, client), texts...)); diff != "" {
					t.Fatalf("harm at %d:\n%s", at, diff)
				}
			}
		}
	}
	before := s.asked()
	if embedAll(t, newCache(t, dir, client), texts...); s.asked() != before {
		t.Error("the cache was not mended")
	}
}

func TestCacheWithoutService(t *testing.T) {
	s, dir := newService(t), t.TempDir()
	c := newCache(t, dir, s.client(t, nil))
	embedAll(t, c, "a")
	s.misbehave = say(401, "")
	embedAll(t, c, "a")
	if _, err := c.Embed(t.Context(), []string{"a", "b"}); err == nil {
		t.Error("a failure was kept quiet")
	}
}

// patient waits before it answers the text "slow".
type patient struct {
	constant
	asked, answer chan struct{}
}

func (p patient) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if texts[0] == "slow" {
		close(p.asked)
		select {
		case <-p.answer:
		case <-time.After(10 * time.Second):
			return nil, errors.New("nobody else is answered meanwhile")
		}
	}
	return p.constant.Embed(ctx, texts)
}

func TestCacheAnswersWhileTheProviderIsAsked(t *testing.T) {
	p := patient{asked: make(chan struct{}), answer: make(chan struct{})}
	c := newCache(t, t.TempDir(), p)
	embedAll(t, c, "a")
	slow := make(chan error)
	go func() {
		_, err := c.Embed(t.Context(), []string{"slow"})
		slow <- err
	}()
	<-p.asked
	embedAll(t, c, "a", "b")
	close(p.answer)
	if err := <-slow; err != nil {
		t.Error(err)
	}
}

// Vectors that were paid for are returned even if they cannot be stored, and the log says so.
func TestCacheThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	c := newCache(t, dir, constant{})
	if err := os.Mkdir(filepath.Join(dir, c.name), 0o700); err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	ctx := sdk.WithSurroundings(t.Context(), hclog.New(&hclog.LoggerOptions{Output: &log}), "")
	got, err := c.Embed(ctx, []string{"hush"})
	if diff := cmp.Diff([][]float32{{1, 2}}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if !strings.Contains(log.String(), "keep embeddings") || strings.Contains(log.String(), "hush") {
		t.Errorf("logged %q", &log)
	}
}

func FuzzCacheFile(f *testing.F) {
	f.Add([]byte(cacheMagic + "\x02\x00\x00\x00 a record is longer than this"))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		c := newCache(t, dir, constant{})
		if err := os.WriteFile(filepath.Join(dir, c.name), data, 0o600); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if diff := cmp.Diff([][]float32{{1, 2}}, embedAll(t, c, "a")); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}

// constant is a provider that always returns the same vector.
type constant struct{}

func (constant) ID() string { return "constant" }

func (constant) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i := range out {
		out[i] = []float32{1, 2}
	}
	return out, nil
}
