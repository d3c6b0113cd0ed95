package page

import (
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// reading is text of a file as it is read.
type reading struct {
	toolset.Ref
	Lines []line
	Next  int // character at which the next page begins, 0 for none
}

type line struct {
	Number int
	Text   string
}

// read shows a section with its subsections, or a JSON file.
func (q *request) read() error {
	args := toolset.Defaults[manuals.ReadArgs]()
	args.Ref = &manuals.Ref{ManualID: corpus.ManualID(q.value("manual")), Path: rootfs.Path(q.r.FormValue("path"))}
	at, err := q.number("line", 0, 1, 1<<30)
	if err != nil {
		return err
	}
	if at > 0 {
		args.Ref.StartLine = &at
	}
	from, err := q.number("from", 0, 1, 1<<40)
	if err != nil {
		return err
	}
	if from > 0 {
		args.Cursor = &manuals.ReadCursor{CharOffset: &from}
	}
	if args, err = toolset.Check(args); err != nil {
		return err
	}
	text, err := q.Manuals.Read(q.r.Context(), args)
	if err != nil {
		return err
	}
	out := &reading{Ref: toolset.Ref{
		ManualID: string(args.Ref.ManualID), Path: text.Path, StartLine: at, Source: text.Source,
	}}
	if text.NextCursor != nil && text.NextCursor.CharOffset != nil {
		out.Next = *text.NextCursor.CharOffset
	}
	n := max(1, text.AppliedRange.StartLine)
	for l := range strings.Lines(text.Text) {
		out.Lines = append(out.Lines, line{n, harmless(strings.TrimRight(l, "\r\n"))})
		n++
	}
	return q.show("read", where(toolset.Ref{ManualID: out.ManualID, Path: out.Path}), out)
}

// document returns the address of the document that contains a place, at its page or part, or "" if it cannot be
// opened.
func document(r toolset.Ref) string {
	u := &url.URL{Path: "file/" + r.ManualID + "/" + r.Path}
	if at, err := url.Parse(r.Source.Path); err == nil && (at.Scheme == "https" || at.Scheme == "http") {
		u = at // it was imported from this server
	} else if r.Source.Path != r.Path && corpus.InArchive(r.Source.Path) {
		return ""
	}
	u.Fragment = r.Source.Anchor
	if r.Source.Page > 0 {
		u.Fragment = fmt.Sprintf("page=%d", r.Source.Page)
	}
	return u.String()
}

// file sends a document of a manual. A browser must save it, since it could run or follow the content; only PDF is
// shown.
func (q *request) file() error {
	id, name := corpus.ManualID(q.r.PathValue("manual")), rootfs.Path(q.r.PathValue("path"))
	f, err := q.Manuals.Document(q.r.Context(), id, name)
	if err != nil {
		return err
	}
	defer f.Close()
	h := q.w.Header()
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Content-Type", "application/octet-stream")
	disposition := "attachment"
	if strings.EqualFold(path.Ext(f.Path), ".pdf") { // no browser shows PDF in a sandbox
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
		h.Set("Content-Type", "application/pdf")
		disposition = "inline"
	}
	h.Set("Content-Disposition", mime.FormatMediaType(disposition, map[string]string{"filename": path.Base(f.Path)}))
	http.ServeContent(q.w, q.r, "", f.Info.ModTime(), f)
	return nil
}
