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
	// Build distinguishes builds of one version; "" for compiled-in converters.
	Build string
}

// Set holds the converters of a program. It implements [corpus.Documents].
type Set struct {
	// Convert runs a converter. If it is nil, nothing is started, and only stored texts can be read.
	Convert func(ctx context.Context, converter string, doc sdk.Document) (*sdk.Converted, error)
	Logger  hclog.Logger
	// Limit is the time limit of a conversion; 0 leaves it to Convert. A caller with more time tries again what did not
	// end in time.
	Limit time.Duration
	// Patience is how long a reader waits for a conversion, which then continues; 0 means as long as it takes.
	Patience time.Duration
	// Converted, if not nil, is called with the path of a document whose conversion ended after a reader had stopped
	// waiting.
	Converted func(path string)

	cache      cache
	converters []*converter

	ctx  context.Context // of the conversions
	stop context.CancelFunc
	work guard.Group

	mu    sync.Mutex // guards the following fields, and what is known about the converters
	under map[key]*conversion
}

// New returns the set of converters. It stores texts in dir, and lets each converter convert atOnce documents at the
// same time. If two read files with the same name, the first one does. Close ends it.
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
	s.stop() // no further one begins
	s.mu.Unlock()
	_ = s.work.Wait() // conversions report their own errors
}

// of returns the converter of a file and the media type for its name, or nil.
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

// stands reports whether a stored result is still valid. A failure of the converter is valid until the document, last
// modified at modified, or the converter changes, or there is more time.
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

// unreadable returns the error for a document that cannot be read as text.
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
