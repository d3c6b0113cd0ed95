package sample

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Section is one section of a corpus.
type Section struct {
	Manual  string // default "m"
	Path    string // default a separate file; a name that ends in .json makes a JSON node
	Line    int    // default 1
	Heading string
	Body    string
	Names   string // names of the file and its folders, for the field path
}

// Publication is one publication of a corpus.
type Publication struct{ Title, Abst, Claim, Desc string }

// Sections publishes sections as the snapshot called name in dir, of a kind with the schema of manuals. Ids are the
// indices of the sections, which must be in order of manual, path and line. The caller closes the snapshot.
func Sections(dir, name string, kind snapshot.Kind, sections ...Section) (*snapshot.Snapshot, error) {
	w := snapshot.NewWriter(snapshot.ManualSchema(kind))
	addSections(w, sections)
	return publish(dir, name, w)
}

func addSections(w *snapshot.Writer, sections []Section) {
	file := ""
	for i, s := range sections {
		manual, line := cmp.Or(s.Manual, "m"), cmp.Or(s.Line, 1)
		path := cmp.Or(s.Path, fmt.Sprintf("%06d.md", i))
		if f := manual + "/" + path; f != file {
			file = f
			w.AddFile(snapshot.File{Group: manual, Path: path, SHA256: hashOf(s.Path, sections[i:])})
		}
		node, body := snapshot.NodeHeading, line+1
		switch {
		case strings.HasSuffix(path, ".json"):
			node, body = snapshot.NodeJSON, line
		case s.Heading == "":
			node, body = snapshot.NodePreamble, line
		}
		w.Add(snapshot.Section{
			Title: s.Heading, Node: node, Level: 1, Parent: snapshot.None,
			Start: line, Body: body, OwnEnd: line + 1, End: line + 1,
		}, []string{s.Heading, s.Body, s.Names})
	}
}

// hashOf returns a hash of the first sections that belong to one file.
func hashOf(path string, sections []Section) [32]byte {
	h := sha256.New()
	for i, s := range sections {
		if i > 0 && (path == "" || s.Path != path) {
			break
		}
		fmt.Fprintf(h, "%d %q %q\n", s.Line, s.Heading, s.Body)
	}
	return [32]byte(h.Sum(nil))
}

// Publications is like [Sections], but for publications, each in a separate file. Ids are their indices.
func Publications(dir, name string, pubs ...Publication) (*snapshot.Snapshot, error) {
	w := snapshot.NewWriter(snapshot.PublicationSchema())
	for i, p := range pubs {
		w.AddFile(snapshot.File{Path: fmt.Sprintf("%06d.jsonl", i)})
		w.Add(snapshot.Section{
			Title: p.Title, Node: snapshot.NodeJSON, Parent: snapshot.None, Start: 1, Body: 1, OwnEnd: 1, End: 1,
		}, []string{p.Title, p.Abst, p.Claim, p.Desc, "{}"})
	}
	return publish(dir, name, w)
}

// Without publishes a snapshot under another name without the files that doomed selects. Ids do not change.
func Without(from *snapshot.Snapshot, name string, doomed func(group, path string) bool) (*snapshot.Snapshot, error) {
	m := from.Manifest()
	m.Name, m.Segments = name, nil
	for _, segment := range from.Segments() {
		info, _, err := segment.Delete(doomed)
		if err != nil {
			return nil, err
		}
		m.Segments = append(m.Segments, info)
	}
	return open(from.Dir(), m)
}

// publish writes a segment and opens a snapshot of it.
func publish(dir, name string, w *snapshot.Writer) (*snapshot.Snapshot, error) {
	info, err := w.WriteFile(context.Background(), dir, snapshot.SegmentFile(name))
	if err != nil {
		return nil, err
	}
	return open(dir, w.Manifest(name, info))
}

func open(dir string, m snapshot.Manifest) (*snapshot.Snapshot, error) {
	if err := snapshot.Publish(dir, m); err != nil {
		return nil, err
	}
	return snapshot.Open(dir, m.Name, true)
}
