package corpus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// PublicationSection is a publication as a section of a snapshot with
// [snapshot.PublicationSchema]: what Writer.Add takes. The section is titled by its pub_id,
// so that results are named without reading their records; line is where its record stands.
func PublicationSection(p *publication.Publication, line int) (sec snapshot.Section, fields, keywords []string, err error) {
	rest, err := p.EncodeRest()
	if err != nil {
		return sec, nil, nil, fmt.Errorf("encode %s: %w", p.PubID, err)
	}
	sec = snapshot.Section{
		Title: p.PubID, Node: snapshot.NodeJSON, Start: line, End: line, OwnEnd: line, Body: line, Parent: snapshot.None,
	}
	return sec, []string{p.Title, p.Abst, p.Claim, p.Desc, string(rest)}, p.Keywords(), nil
}

// AddPublications adds a JSON Lines file of publications to a Writer, whose AddFile was
// called for it, one record at a time. A record that cannot be read, or whose number the
// collection has already, goes to refuse; claim takes a number as [NumberOf] gives it and
// tells whether it is new, over all files of a collection.
func AddPublications(ctx context.Context, w *snapshot.Writer, r io.Reader, claim func(number string) bool, refuse func(publication.Refused)) error {
	in := publication.NewReader(r)
	in.Refuse = refuse
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		p, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("read publications: %w", err)
		}
		sec, fields, keywords, err := PublicationSection(p, in.Line())
		if err != nil {
			return err
		}
		if !claim(NumberOf(p.PubID)) {
			refuse(publication.Refused{Line: in.Line(), ID: p.PubID, Reason: "the collection has this pub_id already"})
			continue
		}
		w.Add(sec, fields, keywords...)
	}
}

// NumberOf is the same for all writings of a pub_id.
func NumberOf(pubID string) string {
	n := publication.ParseNumber(pubID)
	return n.Key() + n.Kind
}

// NumberKeyword finds the publications of a number.
func NumberKeyword(number string) string { return "pub_id:" + number }

// IsJSONLines reports whether a file of a collection is read.
func IsJSONLines(name string) bool { return strings.EqualFold(path.Ext(name), ".jsonl") }

// Publication is the publication of a section as it was indexed, with those of its texts
// that are named. It outlives the snapshot.
func Publication(s *snapshot.Snapshot, id uint32, texts ...string) (*publication.Publication, error) {
	p, err := publication.DecodeRest([]byte(s.Source(id, snapshot.FieldRecord)))
	if err != nil {
		return nil, err
	}
	for _, name := range texts {
		field := slices.Index(s.Fields(), name)
		if text := p.Text(name); text != nil && field >= 0 {
			*text = strings.Clone(s.Source(id, field))
		}
	}
	return p, nil
}

// FindPublication is the section of the publication with a number; ok is false when there
// is none. See [publication.LookupKeys].
func FindPublication(s *snapshot.Snapshot, keys []string) (id uint32, ok bool) {
	for _, key := range keys {
		if found := s.Keyword(key); !found.IsEmpty() {
			return found.Minimum(), true
		}
	}
	return 0, false
}
