package publication

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// row returns the publication as a row with the fields of [snapshot.PublicationSchema]. It is
// titled by its pub_id, so that results are named without reading their records; line is where
// its record stands.
func (p *Publication) row(line int) (corpus.Row, error) {
	rest, err := p.EncodeRest()
	if err != nil {
		return corpus.Row{}, fmt.Errorf("encode %s: %w", p.PubID, err)
	}
	return corpus.Row{
		Section: snapshot.Section{
			Title: p.PubID, Node: snapshot.NodeJSON, Start: line, End: line, OwnEnd: line, Body: line,
			Parent: snapshot.None,
		},
		Fields:   []string{p.Title, p.Abst, p.Claim, p.Desc, string(rest)},
		Keywords: p.Keywords(),
	}, nil
}

// NumberOf returns the same for all ways to write a pub_id.
func NumberOf(pubID string) string {
	n := ParseNumber(pubID)
	return n.Key() + n.Kind
}

// Stored returns the publication of a section as it was indexed, with those of its texts
// that are named. It outlives the snapshot.
func Stored(s *snapshot.Snapshot, id uint32, texts ...string) (*Publication, error) {
	p, err := DecodeRest([]byte(s.Source(id, snapshot.FieldRecord)))
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

// Find returns the section of the publication that has the first of some keywords that is
// known; ok is false when no keyword is known. See [LookupKeys].
func Find(s *snapshot.Snapshot, keys []string) (id uint32, ok bool) {
	var full []string
	for _, key := range keys {
		if found := s.Keyword(key); !found.IsEmpty() {
			return found.Minimum(), true
		}
		full = append(full, fullKinds(key)...)
	}
	if len(full) == 0 {
		return 0, false
	}
	return Find(s, full)
}
