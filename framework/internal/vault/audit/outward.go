package audit

import (
	"fmt"
	"net/url"
	pathpkg "path"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
)

// outward reads a link to another file, whose path counts from the artifact's folder.
// What leads out of the root, or has a scheme, is none.
func (m *markdown) outward(destination string, line int) (Outward, bool) {
	u, err := url.Parse(destination)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" || strings.HasPrefix(u.Path, "/") {
		return Outward{}, false
	}
	to := pathpkg.Join(pathpkg.Dir(m.to.Path), u.Path)
	if to == ".." || strings.HasPrefix(to, "../") {
		return Outward{}, false
	}
	return Outward{Path: to, Anchor: u.Fragment, Line: line}, true
}

// outwardFindings are the links to files that are not there, and to anchors that
// such a file lacks.
func (a Artifact) outwardFindings(o Options) []Finding {
	found := []Finding{}
	if o.Lookup == nil {
		return found
	}
	for _, out := range a.Outward {
		text, ok := o.Lookup(out.Path)
		switch {
		case !ok:
			found = append(found, Finding{OneWayRef, fmt.Sprintf("a link refers to the file %q, which is not there", short(out.Path)), nil, out.Line})
		case out.Anchor != "" && corpus.IsMarkdown(out.Path) && isText(out.Path, text) == nil && !hasAnchor(text, out.Anchor):
			found = append(found, Finding{OneWayRef, fmt.Sprintf("a link refers to %q in %s, which is not there", short(out.Anchor), short(out.Path)), nil, out.Line})
		}
	}
	return found
}

// hasAnchor tells whether a link to an anchor of a Markdown text leads somewhere.
func hasAnchor(text []byte, anchor string) bool {
	other := Artifact{Path: "other.md"}
	m := readMarkdown(&other, plainText(text))
	_, ok := m.anchors.line(anchor)
	return ok || strings.EqualFold(anchor, "top")
}
