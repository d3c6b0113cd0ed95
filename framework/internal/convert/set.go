package convert

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// Set is the converters of a program. It implements [corpus.Documents].
type Set struct {
	// Convert runs a converter; nil where nothing is to be started, and only what is kept can be read.
	Convert func(ctx context.Context, converter string, doc sdk.Document) (*sdk.Converted, error)
	Logger  hclog.Logger

	converters []sdk.ConverterDescription
	cache      cache
}

// New returns the set of converters, which keeps texts in a folder. Of two that read files of the same name the
// first does.
func New(dir string, converters []sdk.ConverterDescription) *Set {
	return &Set{Logger: hclog.NewNullLogger(), converters: converters, cache: cache{dir: dir}}
}

// of returns the converter of a file and the media type of its name; nil for none.
func (s *Set) of(name string) (*sdk.ConverterDescription, string) {
	name = strings.ToLower(name)
	for i := range s.converters {
		for _, f := range s.converters[i].Formats {
			if slices.ContainsFunc(f.Extensions, func(ext string) bool { return strings.HasSuffix(name, ext) }) {
				return &s.converters[i], f.MediaType
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
	for _, c := range s.converters {
		fmt.Fprintf(&out, "%q %q %q\n", c.Name, c.Version, c.Formats)
	}
	return out.String()
}

// retryAfter is how long a failure that may be the machine's and not the document's is remembered.
const retryAfter = time.Hour

// Read implements [corpus.Documents].
func (s *Set) Read(ctx context.Context, f *rootfs.File) (corpus.File, error) {
	c, mediaType := s.of(f.Path)
	if size := f.Info.Size(); size > corpus.MaxDocument {
		return corpus.File{}, unreadable(f.Path, corpus.TooLarge(size, corpus.MaxDocument))
	}
	sum, err := hash(f)
	if err != nil {
		return corpus.File{}, err
	}
	k := keyOf(c, sum)
	text, ok := s.cache.get(k)
	if !ok {
		if text, err = s.convert(ctx, c, mediaType, f, sum); err != nil {
			return corpus.File{}, err
		}
		if err := s.cache.put(k, text); err != nil {
			s.Logger.Warn("the text of a document cannot be kept, and is converted anew when it is read again",
				"error", err)
		}
	}
	if text.Failed != "" {
		return corpus.File{SHA256: sum}, unreadable(f.Path, text.Failed)
	}
	return text.file(f.Path, sum), nil
}

// convert converts a document. The error is for what says nothing of the document.
func (s *Set) convert(
	ctx context.Context, c *sdk.ConverterDescription, mediaType string, f *rootfs.File, sum [32]byte,
) (*kept, error) {
	if s.Convert == nil {
		return nil, unreadable(f.Path, "it is not converted yet")
	}
	doc := sdk.Document{Name: f.Path, MediaType: mediaType, Content: f.File, Size: f.Info.Size()}
	out, err := s.Convert(ctx, c.Name, doc)
	if said, ok := errors.AsType[*wire.UnreadableError](err); ok {
		return &kept{Failed: fmt.Sprintf("%s cannot read it: %s", c.Name, said.Reason)}, nil
	}
	if err != nil {
		return s.failed(ctx, c, f, err)
	}
	if now, err := hash(f); err != nil || now != sum {
		return nil, unreadable(f.Path, "it was changed while it was converted")
	}
	text, places := corpus.Render(out)
	return &kept{text: text, Places: places, Problems: out.Problems}, nil
}

// Blamed is the error of a conversion that may be the document's fault.
type Blamed interface {
	error
	// Blames reports whether the document may be why.
	Blames() bool
	// Brief is the reason as the end of a sentence.
	Brief() string
}

// failed remembers for a while that a converter crashed, hung or gave what the border refuses.
func (s *Set) failed(ctx context.Context, c *sdk.ConverterDescription, f *rootfs.File, err error) (*kept, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	s.Logger.Warn("a document could not be converted", "path", f.Path, "converter", c.Name, "error", err)
	b, ok := errors.AsType[Blamed](err)
	if !ok {
		return nil, unreadable(f.Path, fmt.Sprintf("%s cannot convert it", c.Name))
	}
	reason := fmt.Sprintf("%s cannot convert it: %s", c.Name, b.Brief())
	if !b.Blames() {
		return nil, unreadable(f.Path, reason)
	}
	return &kept{Failed: reason, Until: time.Now().Add(retryAfter).Unix()}, nil
}

// Kept implements [corpus.Documents].
func (s *Set) Kept(name string, sum [32]byte) (corpus.File, string) {
	c, _ := s.of(name)
	if c == nil {
		return corpus.File{}, ""
	}
	k, _ := s.cache.head(keyOf(c, sum))
	if k == nil {
		k = &kept{}
	}
	return k.file(name, sum), k.Failed
}

func (k *kept) file(path string, sum [32]byte) corpus.File {
	return corpus.File{Path: path, Text: k.text, SHA256: sum, Problems: k.Problems,
		Origin: corpus.Origin{Document: path, Places: k.Places}}
}

// unreadable is the error of a document that is no text.
func unreadable(path, reason string) error {
	return toolset.Errorf(toolset.NotAvailable, "%s cannot be read: %s", path, reason).
		With("parameter", "path").With("got", path).With("reason", reason)
}

// hash returns the hash of a file that is open.
func hash(f *rootfs.File) (sum [32]byte, err error) {
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(f, 0, f.Info.Size())); err != nil {
		return sum, unreadable(f.Path, "it cannot be read from the disk")
	}
	return [32]byte(h.Sum(nil)), nil
}
