package conformance

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/border"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// Converter is a running converter, in this process or another one. [wire.Client] implements all of it except Close.
type Converter interface {
	DescribeConverter(ctx context.Context) (sdk.ConverterDescription, error)
	Convert(ctx context.Context, doc sdk.Document) (*sdk.Converted, error)
	// Close ends the converter and returns when all its calls have ended.
	Close() error
}

// ConverterSubject is the converter to examine.
type ConverterSubject struct {
	// Start starts a new instance of the converter.
	Start func(ctx context.Context) (Converter, error)
	// Samples are documents that it must be able to read, by file name.
	Samples map[string][]byte
	// Timeout is how long a call may take before it counts as hung; 0 means one minute.
	Timeout time.Duration
}

// ConverterRule is a rule that every converter must follow.
type ConverterRule struct {
	Rule
	check func(*ConverterSuite, context.Context) error
}

// ConverterRules returns all rules of converters, in the best order to check them.
func ConverterRules() []ConverterRule {
	return []ConverterRule{
		{Rule{ID: "description", Text: "DescribeConverter gives a name, a version and formats that are valid, and " +
			"the same every time.",
			Why: "The host chooses converters by their formats and converts again when a version " +
				"changes."}, (*ConverterSuite).description},
		{Rule{ID: "samples", Text: "Each sample gives text, in blocks within the bounds of the border.",
			Why: "The host refuses what the border does not take, and the file is left out."},
			(*ConverterSuite).samples},
		{Rule{ID: "empty", Text: "An empty file is a text without blocks, or is refused.",
			Why: "Folders hold them; a converter that dies of one is started anew each time."},
			(*ConverterSuite).empty},
		{Rule{ID: "hostile", Text: "Any file is converted or refused in good order: noise, halves of files, deep " +
			"nesting, other formats than the name says.",
			Why: "What people keep is damaged, and some of it was made to do harm."}, (*ConverterSuite).hostile},
		{Rule{ID: "large", Text: "A file of 16 MB is converted or refused in its time.",
			Why: "A converter that takes no end costs its file and keeps the others waiting."},
			(*ConverterSuite).large},
		{Rule{ID: "deterministic", Text: "The same content gives the same result, also from a new process.",
			Why: "Lines are cited; a text that changes by itself moves them."}, (*ConverterSuite).deterministic},
		{Rule{ID: "concurrent", Text: "Documents side by side give the texts that they give one by one.",
			Why: "The interface promises it; a program that embeds the converter relies on it."},
			(*ConverterSuite).concurrent},
		{Rule{ID: "cancel", Text: "A conversion that is cancelled ends within 100 ms.",
			Why: "What nobody waits for takes the processor from what somebody waits for."},
			(*ConverterSuite).cancel},
	}
}

// ConverterSuite examines one converter. It is not safe for concurrent use.
type ConverterSuite struct {
	subject   ConverterSubject
	described sdk.ConverterDescription
	running   Converter // nil if the next check starts it
}

// NewConverterSuite starts the converter for the first time. It fails if nothing can be examined at all. Close the
// suite after use.
func NewConverterSuite(ctx context.Context, subject ConverterSubject) (*ConverterSuite, error) {
	subject.Timeout = cmp.Or(subject.Timeout, time.Minute)
	s := &ConverterSuite{subject: subject}
	var err error
	if s.described, err = s.describe(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Described returns the converter's description.
func (s *ConverterSuite) Described() sdk.ConverterDescription { return s.described }

// Check returns how a rule is broken, or nil.
func (s *ConverterSuite) Check(ctx context.Context, r ConverterRule) error { return r.check(s, ctx) }

// Close ends the converter.
func (s *ConverterSuite) Close() error {
	c := s.running
	if s.running = nil; c == nil {
		return nil
	}
	return c.Close()
}

// converter returns the running converter and starts it if necessary.
func (s *ConverterSuite) converter(ctx context.Context) (Converter, error) {
	if s.running == nil {
		c, err := s.subject.Start(ctx)
		if err != nil {
			return nil, fmt.Errorf("it does not start: %w", err)
		}
		s.running = c
	}
	return s.running, nil
}

// describe returns what the converter says of itself.
func (s *ConverterSuite) describe(ctx context.Context) (d sdk.ConverterDescription, err error) {
	c, err := s.converter(ctx)
	if err != nil {
		return d, err
	}
	limited, cancel := context.WithTimeout(ctx, s.subject.Timeout)
	defer cancel()
	if d, err = c.DescribeConverter(limited); err != nil {
		if late(limited, err) && ctx.Err() == nil {
			err = fmt.Errorf("%w within %v", errHung, s.subject.Timeout)
		}
		err = fmt.Errorf("it does not describe itself: %w", err)
	}
	return d, err
}

func (s *ConverterSuite) description(ctx context.Context) error {
	if err := border.CheckConverter(s.described); err != nil {
		return err
	}
	again, err := s.describe(ctx)
	if err == nil && !reflect.DeepEqual(s.described, again) {
		err = fmt.Errorf("at first it said %+v, then %+v", s.described, again)
	}
	return err
}

// document is a document of a trial.
type document struct {
	what string
	sdk.Document
}

// named returns a document with a given content for each format of the converter.
func (s *ConverterSuite) named(what string, content []byte) (out []document) {
	for _, f := range s.described.Formats {
		for _, ext := range f.Extensions {
			out = append(out, document{what + " as " + ext, sdk.Document{
				Name: "folder/a name " + ext, MediaType: f.MediaType,
				Content: bytes.NewReader(content), Size: int64(len(content)),
			}})
		}
	}
	return out
}

// given returns the samples.
func (s *ConverterSuite) given() (out []document) {
	for _, name := range slices.Sorted(maps.Keys(s.subject.Samples)) {
		content := s.subject.Samples[name]
		d := document{name, sdk.Document{Name: name, Content: bytes.NewReader(content), Size: int64(len(content))}}
		for _, f := range s.described.Formats {
			for _, ext := range f.Extensions {
				if strings.HasSuffix(strings.ToLower(name), ext) {
					d.MediaType = f.MediaType
				}
			}
		}
		out = append(out, d)
	}
	return out
}

// convert converts a document. It returns a refusal as refused, and all other errors as err.
func (s *ConverterSuite) convert(ctx context.Context, d document) (out *sdk.Converted, refused, err error) {
	c, err := s.converter(ctx)
	if err != nil {
		return nil, nil, err
	}
	limited, cancel := context.WithTimeout(ctx, s.subject.Timeout)
	defer cancel()
	out, err = c.Convert(limited, d.Document)
	if err == nil {
		err = border.CheckConverted(out)
	}
	said, unreadable := errors.AsType[*wire.UnreadableError](err)
	panicked, _ := errors.AsType[*guard.PanicError](err)
	switch {
	case err == nil:
		return out, nil, nil
	case unreadable:
		return nil, said, nil
	case panicked != nil:
		err = fmt.Errorf("it panics: %s%s", panicked.Value, place(panicked.Stack))
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case limited.Err() != nil:
		err = fmt.Errorf("%w within %v", errHung, s.subject.Timeout)
	}
	_ = s.Close() // the next document gets a new instance
	return nil, nil, fmt.Errorf("%s: %w", d.what, err)
}

func (s *ConverterSuite) samples(ctx context.Context) error {
	for _, d := range s.given() {
		if d.MediaType == "" {
			return fmt.Errorf("%s has an extension that no format lists: the host would never give it", d.what)
		}
		out, refused, err := s.convert(ctx, d)
		if err == nil && refused != nil {
			err = fmt.Errorf("%s is refused: %w", d.what, refused)
		}
		if err == nil && len(out.Blocks) == 0 {
			err = fmt.Errorf("%s gives no text", d.what)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// each converts documents and returns the first failure that is not a refusal.
func (s *ConverterSuite) each(ctx context.Context, documents []document) error {
	for _, d := range documents {
		if _, _, err := s.convert(ctx, d); err != nil {
			return err
		}
	}
	return nil
}

func (s *ConverterSuite) empty(ctx context.Context) error {
	return s.each(ctx, s.named("an empty file", nil))
}

// noise returns n pseudo-random bytes, the same in every run.
func noise(n int) []byte {
	out, random := make([]byte, n), rand.NewChaCha8([32]byte{1})
	_, _ = random.Read(out) // it never fails
	return out
}

// hostileContents returns contents that no converter expects, by description.
func (s *ConverterSuite) hostileContents() map[string][]byte {
	const depth = 100_000
	out := map[string][]byte{
		"noise":             noise(64 << 10),
		"NUL bytes":         make([]byte, 4096),
		"one byte":          []byte("<"),
		"invalid UTF-8":     []byte("text \xff\xfe\x80 text"),
		"deep nesting":      []byte(strings.Repeat("<div>", depth)),
		"open brackets":     []byte(strings.Repeat("[(<", depth)),
		"one long line":     []byte(strings.Repeat("word ", depth)),
		"many entities":     []byte(`<!DOCTYPE a [<!ENTITY b "bbbb">]><a>` + strings.Repeat("&b;", depth) + "</a>"),
		"a head of a PDF":   []byte("%PDF-1.7\n1 0 obj <</Pages 1 0 R>>\ntrailer <</Root 1 0 R>>\nstartxref -5\n%%EOF"),
		"a head of a zip":   append([]byte("PK\x03\x04\x14\x00\x08\x00"), noise(512)...),
		"an archive's end":  append([]byte("PK\x05\x06"), bytes.Repeat([]byte{0xff}, 18)...),
		"control character": []byte("\x01\x02\x1b[31m\x7f"),
	}
	for _, name := range slices.Sorted(maps.Keys(s.subject.Samples)) {
		content := s.subject.Samples[name]
		damaged := bytes.Clone(content)
		for i := len(damaged) / 3; i < len(damaged); i += 97 {
			damaged[i] ^= 0x55
		}
		out["half of "+name], out["a damaged "+name] = content[:len(content)/2], damaged
	}
	return out
}

func (s *ConverterSuite) hostile(ctx context.Context) error {
	for what, content := range s.hostileContents() {
		if err := s.each(ctx, s.named(what, content)); err != nil {
			return err
		}
	}
	return nil
}

const largeBytes = 16 << 20 / slowdown

func (s *ConverterSuite) large(ctx context.Context) error {
	text := []byte(strings.Repeat("A line of text that goes on.\n", largeBytes/29))
	return s.each(ctx, append(s.named("a large text", text), s.named("much noise", noise(largeBytes))...))
}

// trials returns the documents for repeated conversions.
func (s *ConverterSuite) trials() []document {
	text := []byte("# A title\n\nSome text, 日本語も。\n\n<p>A paragraph</p>\n")
	out := append(s.given(), s.named("a text", text)...)
	return append(out, s.named("noise", noise(4096))...)
}

// texts returns the results of the trials.
func (s *ConverterSuite) texts(ctx context.Context) (out []string, err error) {
	for _, d := range s.trials() {
		text, refused, err := s.convert(ctx, d)
		if err != nil {
			return nil, err
		}
		out = append(out, fmt.Sprintf("%+v %v", text, refused))
	}
	return out, nil
}

func (s *ConverterSuite) deterministic(ctx context.Context) error {
	first, err := s.texts(ctx)
	if err != nil {
		return err
	}
	for _, when := range []string{"asked again", "a new process"} {
		again, err := s.texts(ctx)
		if err != nil {
			return err
		}
		for i := range first {
			if first[i] != again[i] {
				return fmt.Errorf("%s: %s gives another text", when, s.trials()[i].what)
			}
		}
		if err := s.Close(); err != nil {
			return err
		}
	}
	return nil
}

func (s *ConverterSuite) concurrent(ctx context.Context) error {
	want, err := s.texts(ctx)
	if err != nil {
		return err
	}
	c, err := s.converter(ctx)
	if err != nil {
		return err
	}
	return errors.Join(guard.Each(callers, func(i int) error {
		trials := s.trials()
		for n := range trials {
			at := (n + i) % len(trials)
			out, err := c.Convert(ctx, trials[at].Document)
			said, unreadable := errors.AsType[*wire.UnreadableError](err)
			if err != nil && !unreadable {
				return fmt.Errorf("%s: %w", trials[at].what, err)
			}
			var refused error
			if unreadable {
				refused = said
			}
			if got := fmt.Sprintf("%+v %v", out, refused); got != want[at] {
				return fmt.Errorf("%s gives another text beside others", trials[at].what)
			}
		}
		return nil
	})...)
}

// cancel measures, like the check for searches, how much longer a converter takes to close if a conversion was
// cancelled in the middle.
func (s *ConverterSuite) cancel(ctx context.Context) error {
	text := []byte(strings.Repeat("A line of text that goes on.\n", largeBytes/29))
	for _, d := range s.named("a large text", text) {
		began := time.Now()
		_, _, _ = s.convert(ctx, d) // the rule for large files reports any error
		after := time.Since(began) / 2
		over, err := overrun(s.subject.Timeout, func() (time.Duration, error) { return s.closeTime(ctx, &d, after) },
			func() (time.Duration, error) { return s.closeTime(ctx, nil, 0) })
		if err == nil && over > maxOverrun {
			err = fmt.Errorf("%s: cancelled after %v it went on for %v", d.what, after.Round(time.Millisecond),
				over.Round(time.Millisecond))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// closeTime starts the converter, cancels a conversion of d (nil for none), and measures until it has closed.
func (s *ConverterSuite) closeTime(ctx context.Context, d *document, after time.Duration) (time.Duration, error) {
	c, err := s.subject.Start(ctx)
	if err != nil {
		return 0, err
	}
	if d != nil {
		limited, cancel := context.WithTimeout(ctx, after)
		_, _ = c.Convert(limited, d.Document) // the result does not matter
		cancel()
	}
	began := time.Now()
	if err := c.Close(); err != nil {
		return 0, fmt.Errorf("afterwards it did not close: %w", err)
	}
	return time.Since(began), nil
}
