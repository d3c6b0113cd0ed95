package conformance

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sagasu-search/sagasu/sdk"
)

// plain is a converter that breaks one rule, or none if breaks is "".
type plain struct {
	breaks string
	calls  *atomic.Int64
}

func (p plain) DescribeConverter() sdk.ConverterDescription {
	d := sdk.ConverterDescription{Name: "plain", Version: "1",
		Formats: []sdk.Format{{MediaType: "text/plain", Extensions: []string{".plain"}}}}
	if p.breaks == "description" {
		d.Formats[0].Extensions[0] = ".md"
	}
	return d
}

func (p plain) Convert(ctx context.Context, doc sdk.Document) (*sdk.Converted, error) {
	src, err := io.ReadAll(io.NewSectionReader(doc.Content, 0, doc.Size))
	if err != nil {
		return nil, err
	}
	text := string(src)
	out := &sdk.Converted{Blocks: []sdk.Block{{Level: 1, Heading: "A heading", Text: strings.ReplaceAll(text, "\x00", "")}}}
	switch n := p.calls.Add(1); {
	case text == "sample" && p.breaks == "samples":
		return nil, errors.New("it is encrypted")
	case text == "" && p.breaks == "empty", strings.HasPrefix(text, "%PDF") && p.breaks == "hostile":
		panic("on purpose")
	case len(src) > 1<<20 && p.breaks == "large":
		out.Blocks[0].Place = sdk.Place{Page: 1, Anchor: "both"}
	case len(src) > 1<<20 && p.breaks == "cancel":
		end := 2 * time.Second
		if until, ok := ctx.Deadline(); ok && time.Until(until) < time.Minute/2 {
			end = time.Until(until) + 3*maxOverrun // past its deadline, however busy the machine is
		}
		time.Sleep(end)
	case p.breaks == "deterministic":
		out.Blocks = append(out.Blocks, sdk.Block{Text: strings.Repeat("x", int(n))})
	}
	return out, ctx.Err()
}

// mute is a converter that never describes itself.
type mute struct{ Converter }

func (mute) DescribeConverter(ctx context.Context) (d sdk.ConverterDescription, err error) {
	<-ctx.Done()
	return d, ctx.Err()
}

func (mute) Close() error { return nil }

func TestConverterThatNeverDescribesItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, err := NewConverterSuite(t.Context(), ConverterSubject{
			Start: func(context.Context) (Converter, error) { return mute{}, nil },
		})
		if !errors.Is(err, errHung) {
			t.Errorf("it gave %v", err)
		}
	})
}

func TestConverterRules(t *testing.T) {
	for _, breaks := range []string{"", "description", "samples", "extension", "empty", "hostile", "large", "deterministic", "cancel"} {
		t.Run("breaks "+breaks, func(t *testing.T) {
			t.Parallel()
			sample := "a.plain"
			if breaks == "extension" {
				sample = "a.other"
			}
			calls := new(atomic.Int64)
			suite, err := NewConverterSuite(t.Context(), ConverterSubject{
				Start:   LocalConverter(func() sdk.Converter { return plain{breaks, calls} }, ""),
				Samples: map[string][]byte{sample: []byte("sample")},
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, rule := range ConverterRules() {
				err := suite.Check(t.Context(), rule)
				broken := rule.ID == breaks || breaks == "deterministic" && rule.ID == "concurrent" ||
					rule.ID == "samples" && (breaks == "extension" || breaks == "description") // no format has it
				if (err != nil) != broken {
					t.Errorf("%s: %v", rule.ID, err)
				}
			}
			if err := suite.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
