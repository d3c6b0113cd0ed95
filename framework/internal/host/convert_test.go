package host

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/border"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// translator is a converter whose documents say what it does.
type translator struct{}

var translated = sdk.ConverterDescription{
	Name: "translator", Version: "1", Formats: []sdk.Format{{MediaType: "text/x-told", Extensions: []string{".told"}}},
}

func (translator) DescribeConverter() sdk.ConverterDescription { return translated }

func (translator) Convert(ctx context.Context, doc sdk.Document) (*sdk.Converted, error) {
	src, err := io.ReadAll(io.NewSectionReader(doc.Content, 0, doc.Size))
	if err != nil {
		return nil, err
	}
	order, rest, _ := strings.Cut(string(src), " ")
	switch order {
	case "refuse":
		return nil, errors.New("it is encrypted")
	case "crash":
		os.Exit(7)
	case "panic":
		panic("told so")
	case "eat":
		var eaten [][]byte
		for len(eaten) < 1<<10 {
			eaten = append(eaten, bytes.Repeat([]byte("x"), 16<<20))
		}
	case "hang":
		time.Sleep(time.Hour)
	case "wait":
		<-ctx.Done()
		return nil, ctx.Err()
	case "breach":
		return &sdk.Converted{Blocks: []sdk.Block{{Place: sdk.Place{Page: 1, Sheet: "both"}}}}, nil
	case "flood":
		return &sdk.Converted{Blocks: []sdk.Block{{Text: strings.Repeat("x", border.MaxText+1)}}}, nil
	case "look":
		_, err := os.ReadDir(rest)
		return &sdk.Converted{Title: outcome(err)}, nil
	}
	return &sdk.Converted{Title: doc.Name, Encoding: "euc-jp", Blocks: []sdk.Block{{Text: string(src)}}}, nil
}

// converting returns a host with the translator alone.
func converting(t *testing.T, change func(*Options)) *Host {
	t.Helper()
	o := options(t)
	o.Entries = []Entry{{Name: "translator", Converter: &translated}}
	o.ConvertTimeout = time.Minute
	if change != nil {
		change(&o)
	}
	h, _ := start(t, o)
	return h
}

func convert(t *testing.T, h *Host, text string) (*sdk.Converted, error) {
	t.Helper()
	doc := sdk.Document{Name: "a.told", MediaType: "text/x-told", Content: strings.NewReader(text), Size: int64(len(text))}
	return h.Convert(t.Context(), "translator", doc)
}

func TestConvert(t *testing.T) {
	h := converting(t, nil)
	if s := h.Status(); len(s) != 1 || s[0].State != StateStopped || s[0].Stage != StageConvert {
		t.Errorf("before the first document: %+v", s)
	}
	for _, text := range []string{"", "a short one", strings.Repeat("日本語\n", 1<<20)} {
		got, err := convert(t, h, text)
		must(t, err)
		if diff := cmp.Diff(&sdk.Converted{Title: "a.told", Encoding: "euc-jp", Blocks: []sdk.Block{{Text: text}}}, got); diff != "" {
			t.Errorf("%.20s: %.500s", text, diff)
		}
	}
	var refused *wire.UnreadableError
	if _, err := convert(t, h, "refuse"); !errors.As(err, &refused) || refused.Reason != "it is encrypted" {
		t.Errorf("refused: %v", err)
	}
	if s := h.Status()[0]; s.Restarts != 0 || s.State != StateRunning || s.Calls != 4 {
		t.Errorf("one process did it all: %+v", s)
	}
}

func TestAConverterThatFailsCostsItsDocument(t *testing.T) {
	h := converting(t, nil)
	for _, tc := range []struct {
		text string
		is   func(error) bool
	}{
		{"crash", func(err error) bool { return errors.Is(err, wire.ErrGone) }},
		{"panic", func(err error) bool { _, ok := errors.AsType[*guard.PanicError](err); return ok }},
		{"hang", func(err error) bool { return errors.Is(err, context.DeadlineExceeded) }},
		{"breach", func(err error) bool { _, ok := errors.AsType[*border.BreachError](err); return ok }},
		{"flood", func(err error) bool { return errors.Is(err, wire.ErrTooLarge) }},
	} {
		if tc.text == "hang" {
			h.options.ConvertTimeout = 5 * time.Second
		}
		_, err := convert(t, h, tc.text)
		h.options.ConvertTimeout = time.Minute // machines that test are busy
		f, ok := errors.AsType[Failure](err)
		if !tc.is(err) || !ok || !f.Blames() || f.Brief() == "" {
			t.Errorf("%s: %v", tc.text, err)
		}
		if _, err := convert(t, h, "next"); err != nil {
			t.Errorf("after %s: %v", tc.text, err)
		}
	}
	if s := h.Status()[0]; s.Failures != 5 || s.Restarts != 5 {
		t.Errorf("the status is %+v", s)
	}
}

func TestConvertEndsWithItsCallerAndTheHost(t *testing.T) {
	h := converting(t, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	doc := sdk.Document{Name: "a.told", Content: strings.NewReader("hang"), Size: 4}
	if _, err := h.Convert(ctx, "translator", doc); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the caller's time was up: %v", err)
	}
	done := make(chan error)
	go func() {
		_, err := h.Convert(t.Context(), "translator", doc)
		done <- err
	}()
	for deadline := time.Now().Add(time.Minute); h.Status()[0].Restarts < 1 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	must(t, h.Close())
	if err := <-done; !errors.Is(err, ErrClosed) {
		t.Errorf("the host was closed: %v", err)
	}
	if _, err := convert(t, h, "late"); !errors.Is(err, ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
}

func TestAConverterIsIdle(t *testing.T) {
	h := converting(t, func(o *Options) { o.IdleAfter = 100 * time.Millisecond })
	_, err := convert(t, h, "one")
	must(t, err)
	for deadline := time.Now().Add(time.Minute); h.Status()[0].State != StateStopped; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it still runs")
		}
	}
	_, err = convert(t, h, "two")
	must(t, err)
}

func TestAConverterSeesNoIndex(t *testing.T) {
	if Confinement().String() == (Sandbox{}).String() {
		t.Skip("nothing confines here")
	}
	index := t.TempDir()
	must(t, os.WriteFile(filepath.Join(index, "file"), nil, 0o600))
	h := converting(t, func(o *Options) { o.IndexDir = index })
	got, err := convert(t, h, "look "+index)
	must(t, err)
	if got.Title == outcome(nil) {
		t.Error("it can read the index")
	}
}

func TestVerifyConverters(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "translator")
	must(t, os.WriteFile(path, []byte("text"), 0o700))
	for name, tc := range map[string]struct {
		entry Entry
		is    error
	}{
		"bundled":       {Entry{}, nil},
		"as installed":  {Entry{Path: path, SHA256: fmt.Sprintf("%x", sha256.Sum256([]byte("text")))}, nil},
		"changed":       {Entry{Path: path, SHA256: fmt.Sprintf("%x", sha256.Sum256([]byte("test")))}, ErrUnpinned},
		"missing":       {Entry{Path: path + ".gone", SHA256: fmt.Sprintf("%064x", 0)}, os.ErrNotExist},
		"not installed": {Entry{Refused: ErrNotInstalled}, ErrNotInstalled},
	} {
		tc.entry.Name, tc.entry.Converter = "translator", &translated
		h := converting(t, func(o *Options) { o.Entries = []Entry{tc.entry} })
		got := h.VerifyConverters()
		if (tc.is == nil) != (len(got) == 0) || tc.is != nil && !errors.Is(got[0], tc.is) {
			t.Errorf("%s: %v", name, got)
		}
	}
}
