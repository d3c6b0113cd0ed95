package docimport

import (
	"fmt"
	"hash/fnv"
	"mime"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
)

// formats are the media types that are imported, with the extensions of their files, the usual one first.
var formats = []struct {
	kind string
	ends []string
}{
	{"text/html", []string{".html", ".htm", ".xhtml", ".xht"}},
	{"application/xhtml+xml", []string{".xhtml", ".html", ".htm", ".xht"}},
	{"application/pdf", []string{".pdf"}},
	{"application/epub+zip", []string{".epub"}},
	{officeKind + "wordprocessingml.document", []string{".docx"}},
	{officeKind + "presentationml.presentation", []string{".pptx"}},
	{officeKind + "spreadsheetml.sheet", []string{".xlsx"}},
	{"text/markdown", []string{".md", ".markdown"}},
	{"text/x-markdown", []string{".md", ".markdown"}},
	{"text/csv", []string{".csv"}},
	{"application/json", []string{".json"}},
	{"text/x-rst", []string{".rst"}},
	{"text/asciidoc", []string{".adoc", ".asciidoc"}},
}

const officeKind = "application/vnd.openxmlformats-officedocument."

// vague are media types that say little, so that the name of a page decides.
var vague = []string{"", "text/plain", "application/octet-stream", "binary/octet-stream"}

// nameOf returns the path of the text of a page below the folder of its host, or "" if nothing reads its type, and its
// media type.
func (w *writer) nameOf(u *url.URL, contentType string) (name, kind string) {
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		kind = ""
	}
	ext := strings.ToLower(path.Ext(u.Path))
	m := corpus.Manual{Documents: w.Documents}
	var fits []string
	for _, f := range formats {
		if f.kind == kind {
			fits = f.ends
		}
	}
	if slices.Contains(vague, kind) {
		switch {
		case ext != "" && m.IsFile("x"+ext) && !(kind == "text/plain" && m.Reads("x"+ext)):
			fits = []string{ext}
		case kind == "text/plain":
			fits = []string{".txt"}
		}
	}
	if len(fits) == 0 || !m.IsFile("x"+fits[0]) {
		if kind == "" {
			kind = "a page without a type"
		}
		return "", kind
	}
	parts := []string{segment(strings.ReplaceAll(u.Host, ":", "_"))}
	for part := range strings.SplitSeq(strings.TrimPrefix(u.EscapedPath(), "/"), "/") {
		if plain, err := url.PathUnescape(part); err == nil && !strings.Contains(plain, "/") {
			part = plain
		}
		parts = append(parts, part)
	}
	last := &parts[len(parts)-1]
	if *last == "" {
		*last = "index"
	}
	stem, end := *last, fits[0]
	if slices.Contains(fits, ext) {
		stem, end = strings.TrimSuffix(stem, path.Ext(stem)), ext
	}
	if u.RawQuery != "" { // it decides the content, and may be any text
		stem = fmt.Sprintf("%s-%08x", stem, digest(u.RawQuery))
	}
	*last = stem
	for i := range parts {
		parts[i] = segment(parts[i])
	}
	return strings.Join(parts, "/") + end, kind
}

// mostSegment is the maximum length in bytes of the name of a file or folder.
const mostSegment = 150

// segment returns the name of a file or folder for a part of a path.
func segment(part string) string {
	if rootfs.Unaskable(part) != "" || strings.ContainsAny(part, `:*?"<>|`) {
		part = url.PathEscape(part)
		part = strings.NewReplacer(":", "%3A", "*", "%2A", " ", "%20").Replace(part)
	}
	if part == "" || part == "." || part == ".." || corpus.LeftOut(part) {
		part = "_" + part
	}
	if len(part) > mostSegment {
		part = strings.ToValidUTF8(part[:mostSegment], "") + fmt.Sprintf("-%08x", digest(part))
	}
	return part
}

func digest(s string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(s))
	return h.Sum32()
}
