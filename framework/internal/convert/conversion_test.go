package convert

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
)

// late is the failure of a conversion that did not end.
type late struct{ error }

func (late) Blames() bool    { return true }
func (late) Brief() string   { return "it did not answer in time" }
func (l late) Unwrap() error { return l.error }

// rig reads documents whose text is the duration of their conversion. For "hang" it never ends; the converter gets a
// minute.
type rig struct {
	*Set
	t     *testing.T
	m     corpus.Manual
	calls atomic.Int64
}

func newRig(t *testing.T, dir string, change func(*Converter)) *rig {
	c := told("told", "1")
	if change != nil {
		change(&c)
	}
	r := &rig{Set: New(dir, 2, []Converter{c}), t: t}
	r.m = corpus.Manual{ID: "m", Dir: t.TempDir(), Documents: r.Set}
	r.Convert = func(ctx context.Context, _ string, doc sdk.Document) (*sdk.Converted, error) {
		r.calls.Add(1)
		src, err := io.ReadAll(io.NewSectionReader(doc.Content, 0, doc.Size))
		if err != nil {
			return nil, err
		}
		word, _, _ := strings.Cut(string(src), " ")
		takes, err := time.ParseDuration(word)
		if err != nil {
			takes = time.Hour
		}
		ctx, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		select {
		case <-time.After(takes):
			return &sdk.Converted{Blocks: []sdk.Block{{Text: string(src)}}}, nil
		case <-ctx.Done():
			return nil, late{ctx.Err()}
		}
	}
	return r
}

// read returns why a document is not read, or that it is, after the seconds that it took. It first writes the document
// unless content is "".
func (r *rig) read(name, content string) string {
	r.t.Helper()
	if content != "" {
		must(r.t, os.WriteFile(filepath.Join(r.m.Dir, name), []byte(content), 0o600))
		must(r.t, os.Chtimes(filepath.Join(r.m.Dir, name), time.Time{}, time.Now().Add(-time.Hour)))
	}
	began := time.Now()
	_, err := corpus.Open(r.t.Context(), r.m, name)
	reason := "read"
	if bad, ok := errors.AsType[*toolset.Error](err); ok {
		reason = bad.Details["reason"].(string)
	} else if err != nil {
		r.t.Fatal(err)
	}
	return fmt.Sprintf("%.0f s: %s", time.Since(began).Seconds(), reason)
}

func (r *rig) want(got, want string) {
	r.t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		r.t.Error(diff)
	}
}

func TestAHangIsRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		command := newRig(t, dir, nil)
		command.Limit = 10 * time.Second
		const short = "its conversion did not end within 10 s; sagasu index gives it more time"
		command.want(command.read("a.told", "hang"), "10 s: "+short)
		command.want(command.read("a.told", "hang"), "0 s: "+short)
		command.want(command.read("b.told", "20s"), "10 s: "+short)
		command.Close()

		// A caller with more time tries again, and the final result is the same for all.
		index := newRig(t, dir, nil)
		const long = "its conversion did not end within 60 s"
		index.want(index.read("b.told", "20s"), "20 s: read")
		index.want(index.read("a.told", "hang"), "60 s: "+long)
		index.want(index.read("a.told", "hang"), "0 s: "+long)
		index.want(index.read("edited.told", "hang on"), "10 s: "+short)
		index.Close()
		command = newRig(t, dir, nil)
		command.Limit = 10 * time.Second
		command.want(command.read("a.told", "hang"), "0 s: "+long)
		command.want(command.read("b.told", "20s"), "0 s: read")

		// Modifying the document, or another build of the converter, leads to another try.
		touched := time.Now().Add(time.Second)
		must(t, os.Chtimes(filepath.Join(command.m.Dir, "a.told"), touched, touched))
		command.want(command.read("a.told", ""), "10 s: "+short)
		command.want(command.read("a.told", ""), "0 s: "+short)
		command.Close()
		other := newRig(t, dir, func(c *Converter) { c.Build = "another" })
		other.want(other.read("a.told", "hang"), "60 s: "+long)
		other.Close()
	})
}

func TestAServerDoesNotWaitForAHang(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, t.TempDir(), nil)
		converted := make(chan string, 9)
		r.Patience = 5 * time.Second
		r.Converted = func(path string) { converted <- filepath.Base(path) }
		r.want(r.read("a.told", "hang"), "5 s: it is being converted")
		r.want(r.read("a.told", ""), "0 s: it is being converted")
		r.want(r.read("quick.told", "1s"), "1 s: read")
		r.want(r.read("slow.told", "8s"), "5 s: it is being converted")
		r.want(r.read("third.told", "2s"), "0 s: it is being converted") // no conversion has begun for long
		if _, why := r.m.Kept("third.told", sumOfFile(t, filepath.Join(r.m.Dir, "third.told"))); why != corpus.BeingConverted {
			t.Errorf("why it is not read: %q", why)
		}
		time.Sleep(10 * time.Second)
		r.want(r.read("slow.told", ""), "0 s: read")
		r.want(r.read("third.told", ""), "0 s: read")
		time.Sleep(time.Minute)
		r.want(r.read("a.told", ""), "0 s: its conversion did not end within 60 s")
		for _, name := range []string{"slow.told", "third.told", "a.told", "a.told"} {
			r.want(<-converted, name)
		}
		if n := r.calls.Load(); n != 4 {
			t.Errorf("%d conversions of 4 documents", n)
		}
		r.read("end.told", "hang, but")
		r.Close()
		r.want(r.read("end.told", ""), "0 s: sagasu ended before it was converted")
	})
}

func TestAConverterThatHangsAgainAndAgainIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, t.TempDir(), nil)
		defer r.Close()
		const short, given = "its conversion did not end within 10 s; sagasu index gives it more time",
			"told is given up for now, since 4 conversions did not end"
		for i, want := range []string{"60 s: its conversion did not end within 60 s",
			"10 s: " + short, "10 s: " + short} {
			r.want(r.read(fmt.Sprintf("%d.told", i), fmt.Sprint("hang ", i)), want)
		}
		r.want(r.read("good.told", "1s"), "1 s: read") // which resets the count
		for i := range 4 {
			r.want(r.read(fmt.Sprintf("more%d.told", i), fmt.Sprint("hang more ", i)), "10 s: "+short)
		}
		r.want(r.read("next.told", "2s"), "0 s: "+given)
		if _, why := r.m.Kept("next.told", [32]byte{}); why != given {
			t.Errorf("why it is not read: %q", why)
		}
		time.Sleep(pause)
		r.want(r.read("next.told", ""), "2 s: read")
		time.Sleep(hangMemory + time.Second)
		r.want(r.read("last.told", "hang last"), "60 s: its conversion did not end within 60 s")
	})
}

func TestDocumentsOfOneContentAreConvertedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, t.TempDir(), nil)
		defer r.Close()
		done := make(chan string)
		for _, name := range []string{"a.told", "b.told", "c.told"} {
			go func() { done <- r.read(name, "3s") }()
		}
		for range 3 {
			r.want(<-done, "3 s: read")
		}
		if n := r.calls.Load(); n != 1 {
			t.Errorf("%d conversions", n)
		}
	})
}

func sumOfFile(t *testing.T, name string) [32]byte {
	t.Helper()
	f, err := corpus.Stored{Manual: corpus.Manual{Dir: filepath.Dir(name)}, Path: filepath.Base(name)}.Open()
	must(t, err)
	defer f.Close()
	sum, err := hash(f)
	must(t, err)
	return sum
}
