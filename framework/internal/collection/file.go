package collection

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// File is a file as reconstructed from its sections.
type File struct {
	Path string
	// Text has every line of the file at its original position: headings without markup, and empty lines where no
	// section has the text, such as front matter.
	Text []byte
}

// Files returns a file of a group or, if path ends in '/', the files of a folder, in order; "" means all. It fails if
// they have more than most sections.
func (c *Collection) Files(ctx context.Context, group, path string, most int) (files []File, err error) {
	req := &sdk.GatherRequest{
		Kind: c.Kind, Filter: sdk.GatherFilter{Groups: []string{group}, Path: path}, Limit: min(sdk.MaxGathered, most),
	}
	var text *writer
	for n, gaps := 0, 0; ; {
		found, err := c.gather(ctx, req)
		if err != nil {
			return nil, c.callerError(ctx, err)
		}
		for i := range found.Sections {
			s := &found.Sections[i]
			if len(files) == 0 || files[len(files)-1].Path != s.Section.Path {
				files, text = append(files, File{Path: s.Section.Path}), &writer{line: 1}
			}
			if gaps += max(0, s.Section.Body-text.line); gaps > corpus.MaxSize { // they become empty lines
				return nil, c.callerError(ctx, fmt.Errorf("the sections up to line %d of %.100q lie too far apart",
					s.Section.Body, s.Section.Path))
			}
			files[len(files)-1].Text = text.add(s)
		}
		if n += len(found.Sections); found.Cursor == "" || len(found.Sections) == 0 {
			return files, nil
		}
		if n >= most {
			return nil, toolset.Errorf(toolset.NeedsNarrowScope,
				"that is more than %d sections of the collection: name a folder or a file", most)
		}
		req.Cursor, req.Generation = found.Cursor, found.Generation
	}
}

// writer writes the sections of a file, which arrive in line order, at their positions.
type writer struct {
	out  bytes.Buffer
	line int // of what is written next
}

// add writes a section and returns the text so far.
func (w *writer) add(s *sdk.GatheredSection) []byte {
	if s.Section.Body > s.Section.Start {
		w.at(s.Section.Start, corpus.HeadingLine(s.Section))
	}
	w.at(s.Section.Body, s.Fields[snapshot.FieldBody])
	return w.out.Bytes()
}

// at writes a text at a line, or directly after the previous text if that extends beyond the line.
func (w *writer) at(line int, text string) {
	for ; w.line < line; w.line++ {
		w.out.WriteByte('\n')
	}
	w.out.WriteString(text)
	if text == "" {
		return
	}
	w.line += corpus.NewLines([]byte(text)).Count()
	if !strings.HasSuffix(text, "\n") && !strings.HasSuffix(text, "\r") {
		w.line--
	}
}
