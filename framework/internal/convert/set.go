package convert

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// Converter is a converter of a [Set].
type Converter struct {
	sdk.ConverterDescription
	// Build distinguishes builds of one version; "" for what is compiled in.
	Build string
}

// Set is the converters of a program. It implements [corpus.Documents].
type Set struct {
	// Convert runs a converter; nil where nothing is to be started, and only what is kept can be read.
	Convert func(ctx context.Context, converter string, doc sdk.Document) (*sdk.Converted, error)
	Logger  hclog.Logger
	// Limit bounds a conversion; 0 leaves that to Convert. What does not end in time is tried again by who has more.
	Limit time.Duration
	// Patience is how long a reader waits for a conversion, which then goes on; 0 for as long as it takes.
	Patience time.Duration
	// Converted is called with the path of a document whose conversion ended after a reader had left.
	Converted func(path string)

	cache      cache
	converters []*converter

	ctx  context.Context // of the conversions
	stop context.CancelFunc
	work guard.Group

	mu    sync.Mutex // guards what follows, and what is known of the converters
	under map[key]*conversion
}

// New returns the set of converters, which keeps texts in a folder and has each convert so many documents at once. Of
// two that read files of the same name the first does. Close ends it.
func New(dir string, atOnce int, converters []Converter) *Set {
	s := &Set{Logger: hclog.NewNullLogger(), cache: cache{dir: dir}, under: map[key]*conversion{}}
	s.ctx, s.stop = context.WithCancel(context.Background())
	for _, c := range converters {
		s.converters = append(s.converters, &converter{Converter: c, slots: make(chan struct{}, atOnce)})
	}
	return s
}

// Close ends the conversions under way.
func (s *Set) Close() {
	s.mu.Lock()
	s.stop() // none begins any more
	s.mu.Unlock()
	_ = s.work.Wait() // a conversion gives its own errors
}

// of returns the converter of a file and the media type of its name; nil for none.
func (s *Set) of(name string) (*converter, string) {
	name = strings.ToLower(name)
	for _, c := range s.converters {
		for _, f := range c.Formats {
			if slices.ContainsFunc(f.Extensions, func(ext string) bool { return strings.HasSuffix(name, ext) }) {
				return c, f.MediaType
			}
		}
	}
	return nil, ""
}

// Reads implements [corpus.Documents].
func (s *Set) Reads(name string) bool {
	c, _ := s.of(name)
	return c != nil
}

// Version implements [corpus.Documents].
func (s *Set) Version() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%d\n", rendering)
	for _, c := range s.converters {
		fmt.Fprintf(&out, "%q %q %q\n", c.Name, c.Version, c.Formats)
	}
	return out.String()
}

// Read implements [corpus.Documents].
func (s *Set) Read(ctx context.Context, d corpus.Stored) (corpus.File, error) {
	f, err := d.Open()
	if err != nil {
		return corpus.File{}, err
	}
	defer f.Close()
	c, _ := s.of(f.Path)
	if size := f.Info.Size(); size > corpus.MaxDocument {
		return corpus.File{}, unreadable(f.Path, corpus.TooLarge(size, corpus.MaxDocument))
	}
	sum, err := hash(f)
	if err != nil {
		return corpus.File{}, err
	}
	k := keyOf(&c.ConverterDescription, sum)
	text, ok := s.cache.get(k)
	if !ok || !s.stands(c, text, f.Info.ModTime().UnixNano()) {
		if s.Convert == nil {
			return corpus.File{}, unreadable(f.Path, corpus.NotConverted)
		}
		if text, err = s.await(ctx, s.start(c, k, d, sum), d); err != nil {
			return corpus.File{}, err
		}
	}
	if text.Failed == "" {
		return text.file(f.Path, sum), nil
	}
	out := corpus.File{}
	if _, known := s.Kept(f.Path, sum); known != "" {
		out.SHA256 = sum
	}
	return out, unreadable(f.Path, text.Failed)
}

// Kept implements [corpus.Documents].
func (s *Set) Kept(name string, sum [32]byte) (corpus.File, string) {
	c, _ := s.of(name)
	if c == nil {
		return corpus.File{}, ""
	}
	id := keyOf(&c.ConverterDescription, sum)
	k, ok := s.cache.head(id)
	if ok && s.stands(c, k, 0) {
		return k.file(name, sum), k.Failed
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.under[id] != nil {
		return corpus.File{}, corpus.BeingConverted
	}
	return corpus.File{}, c.givenUp(time.Now())
}

// stands reports whether what is kept of a document is what becomes of it: a failure of the converter counts until the
// document, which was modified at a time, or the converter is another, or there is more time.
func (s *Set) stands(c *converter, k *kept, modified int64) bool {
	if k.Failed == "" || k.After == 0 {
		return true
	}
	s.mu.Lock()
	limit := s.limit(c)
	s.mu.Unlock()
	enough := k.Tried == 0 || limit > 0 && limit <= time.Duration(k.Tried)*time.Second
	return enough && k.Build == c.Build && modified <= k.After
}

func (k *kept) file(path string, sum [32]byte) corpus.File {
	return corpus.File{Path: path, Text: k.text, SHA256: sum, Problems: k.Problems, Encoding: k.Encoding,
		Origin: corpus.Origin{Document: path, Places: k.Places}}
}

// unreadable returns the error of a document that is no text.
func unreadable(path, reason string) error {
	return toolset.Errorf(toolset.NotAvailable, "%s cannot be read: %s", path, reason).
		With("parameter", "path").With("got", path).With("reason", reason)
}

func hash(f *rootfs.File) (sum [32]byte, err error) {
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(f, 0, f.Info.Size())); err != nil {
		return sum, unreadable(f.Path, "it cannot be read from the disk")
	}
	return [32]byte(h.Sum(nil)), nil
}
