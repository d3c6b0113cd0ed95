package collection

import (
	"bytes"
	"context"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Sections gathers all sections that pass a filter, in the order of group, path and line, at most so many.
func (c *Collection) Sections(ctx context.Context, filter sdk.GatherFilter, most int) (
	all []sdk.GatheredSection, more bool, err error,
) {
	req := &sdk.GatherRequest{Kind: c.Kind, Filter: filter}
	for len(all) < most {
		req.Limit = min(sdk.MaxGathered, most-len(all))
		found, err := c.gather(ctx, req)
		if err != nil {
			return nil, false, c.explained(ctx, err)
		}
		all = append(all, found.Sections...)
		if found.Cursor == "" || len(found.Sections) == 0 {
			return all, false, nil
		}
		req.Cursor, req.Generation = found.Cursor, found.Generation
	}
	return all, true, nil
}

// mostSections is how many sections of a file are read.
const mostSections = 20 * sdk.MaxGathered

// File returns the text of a file by its lines, as far as sections hold it: headings without their markup, and
// blank lines for what no section holds, such as front matter. ok is false where the collection has no such file.
func (c *Collection) File(ctx context.Context, group, path string) (text []byte, ok bool, err error) {
	filter := sdk.GatherFilter{Groups: []string{group}, Path: path}
	sections, _, err := c.Sections(ctx, filter, mostSections)
	if err != nil || len(sections) == 0 {
		return nil, false, err
	}
	return fileOf(sections), true, nil
}

// fileOf writes sections of one file, which are in the order of their lines.
func fileOf(sections []sdk.GatheredSection) []byte {
	var out bytes.Buffer
	line := 1
	write := func(at int, text string) {
		for ; line < at; line++ {
			out.WriteByte('\n')
		}
		out.WriteString(text)
		line += corpus.NewLines([]byte(text)).Count() - 1
	}
	for i := range sections {
		s := &sections[i].Section
		if heading := corpus.HeadingLine(*s); heading != "" && s.Body > s.Start {
			write(s.Start, heading)
			if strings.TrimSpace(sections[i].Fields[snapshot.FieldBody]) != "" {
				write(s.Start+1, "")
			}
		}
		write(s.Body, sections[i].Fields[snapshot.FieldBody])
	}
	return out.Bytes()
}
