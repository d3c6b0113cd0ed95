// Command paged is a converter of somebody else's, as tests install it. Its documents are pages with a form feed
// between them; a page that begins with "!" says what goes wrong.
package main

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/serve"
)

func main() { serve.Converter(paged{}) }

type paged struct{}

func (paged) DescribeConverter() sdk.ConverterDescription {
	return sdk.ConverterDescription{
		Name: "paged", Version: "1", Summary: "reads pages", License: "Apache-2.0",
		Formats: []sdk.Format{{MediaType: "application/x-paged", Extensions: []string{".paged"}}},
	}
}

func (paged) Convert(ctx context.Context, doc sdk.Document) (*sdk.Converted, error) {
	src, err := io.ReadAll(io.NewSectionReader(doc.Content, 0, doc.Size))
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(src) || strings.ContainsRune(string(src), 0) {
		return nil, errors.New("it is no text")
	}
	out := &sdk.Converted{}
	for i, page := range strings.Split(string(src), "\f") {
		place := sdk.Place{Page: i + 1}
		switch page = strings.TrimSpace(page); {
		case page == "!encrypted":
			return nil, errors.New("it is encrypted")
		case page == "!crash":
			os.Exit(3)
		case page == "!panic":
			panic("on purpose")
		case page == "!eat":
			var eaten [][]byte
			for len(eaten) < 1<<10 {
				eaten = append(eaten, []byte(strings.Repeat("x", 16<<20)))
			}
		case page == "!hang":
			time.Sleep(time.Hour)
		case page == "!slow": // longer than a server waits
			time.Sleep(6 * time.Second)
		case page == "!secret":
			_, err := os.ReadDir(os.Getenv("PWD"))
			return nil, errors.Join(errors.New("it looked around"), err)
		case page == "":
			out.Problems = append(out.Problems, sdk.Problem{Place: place, Reason: "no text"})
		case strings.HasPrefix(page, "# "):
			heading, text, _ := strings.Cut(page[2:], "\n")
			out.Blocks = append(out.Blocks, sdk.Block{Level: 1, Heading: heading, Text: text, Place: place})
		default:
			out.Blocks = append(out.Blocks, sdk.Block{Text: page, Place: place})
		}
	}
	return out, ctx.Err()
}
