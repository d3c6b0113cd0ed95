package weaviate

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// shipment is the desired content of a class. Objects have numbers; those in live exist.
type shipment struct {
	name, class string
	live        *roaring.Bitmap
	keys        []uuid
	object      func(id uint32) object
	complete    func(p *properties, c *cutter, id uint32) // adds what the hash does not cover; may be nil
}

// source is a snapshot to upload.
type source struct {
	corpus *snapshot.Snapshot
	stored []sdk.StoredField
	class  string
	keys   []uuid // by section
	// The keywords of section i, in addition to those of its file and group, have the numbers
	// held[starts[i]:starts[i+1]].
	keywords []string
	starts   []uint32
	held     []uint32
}

func shipmentOfSections(corpus *snapshot.Snapshot, class string, stored []sdk.StoredField) *shipment {
	s := &source{corpus: corpus, class: class, stored: stored, keys: make([]uuid, corpus.Bound())}
	var file [2]string
	var nth map[[2]string]int
	for it := corpus.Live().Iterator(); it.HasNext(); {
		id := it.Next()
		sec, _ := corpus.Section(id)
		if now := [2]string{sec.Group, sec.Path}; nth == nil || now != file {
			file, nth = now, map[[2]string]int{}
		}
		heading := [2]string{sec.Title, corpus.Source(id, 0)}
		s.keys[id] = key(&sec, heading[1], nth[heading])
		nth[heading]++
	}
	s.addKeywords()
	return &shipment{"sections", class, corpus.Live(), s.keys, s.object, s.complete}
}

// addKeywords turns the sections by keyword into the keywords by section.
func (s *source) addKeywords() {
	s.starts = make([]uint32, len(s.keys)+1)
	var sections []*roaring.Bitmap
	for word := range s.corpus.Keywords("") {
		if strings.HasPrefix(word, "group:") || strings.HasPrefix(word, "file:") {
			continue
		}
		s.keywords, sections = append(s.keywords, word), append(sections, s.corpus.Keyword(word))
		for it := sections[len(sections)-1].Iterator(); it.HasNext(); {
			s.starts[it.Next()+1]++
		}
	}
	for i := range s.keys {
		s.starts[i+1] += s.starts[i]
	}
	s.held = make([]uint32, s.starts[len(s.keys)])
	next := slices.Clone(s.starts)
	for word, among := range sections {
		for it := among.Iterator(); it.HasNext(); {
			id := it.Next()
			s.held[next[id]] = uint32(word)
			next[id]++
		}
	}
}

// object returns a section without what complete adds.
func (s *source) object(id uint32) object {
	sec, _ := s.corpus.Section(id)
	sec.ID, sec.Parent = 0, 0
	row := sdk.GatheredSection{Section: sec}
	for f := range s.corpus.Fields() {
		row.Fields = append(row.Fields, s.corpus.Source(id, f))
	}
	for _, word := range s.held[s.starts[id]:s.starts[id+1]] {
		row.Keywords = append(row.Keywords, s.keywords[word])
	}
	section, _ := json.Marshal(row)
	out := object{Class: s.class, ID: s.keys[id].String()}
	out.Properties = properties{
		Keywords: append(places(sec.Group, sec.Path), row.Keywords...), Order: order(&sec, out.ID),
		Section: string(section), Hash: hash(section),
	}
	return out
}

const hashBytes = 12

// hash returns a hash of a content.
func hash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:hashBytes])
}

// complete adds the tokens and the stored fields of a section.
func (s *source) complete(p *properties, c *cutter, id uint32) {
	p.Tokens = s.tokens(c, id)
	for _, field := range s.stored {
		p.Stored = append(p.Stored, field.Text(id))
	}
}

// tokens returns the terms of the fields that are searched.
func (s *source) tokens(c *cutter, id uint32) string {
	var out strings.Builder
	for f, field := range s.corpus.Fields() {
		if !strings.HasPrefix(field, snapshot.StoredField) {
			t := c.terms(s.corpus.Source(id, f))
			out.WriteString(t)
			if f == 0 {
				out.WriteString(t) // twice, since a name says what the section is about
			}
		}
	}
	return strings.TrimSpace(out.String())
}

// termsPerBucket is the approximate number of terms in an object: few enough to read an object for one term, many
// enough to send all objects quickly.
const termsPerBucket = 64

// bucket returns the number of the object with the document frequency of a term; of is the number of objects.
func bucket(term string, of int) int {
	h := fnv.New32a()
	h.Write([]byte(term))
	return int(h.Sum32() % uint32(of))
}

func bucketKey(number int) uuid { return uuidOf(fmt.Appendf(nil, "bucket %d", number)) }

// shipmentOfTerms returns the document frequencies of a snapshot. For its own count of a term, the engine would read
// every section that contains it.
func shipmentOfTerms(corpus *snapshot.Snapshot, class string) *shipment {
	terms := 0
	for range corpus.Terms("") {
		terms++
	}
	count := 1
	for count*termsPerBucket < terms {
		count *= 2 // so that a few more terms do not move the others
	}
	s := &shipment{name: "statistics", class: class, live: roaring.New(), keys: make([]uuid, count)}
	held := make([]map[string]int, count)
	for i := range held {
		s.keys[i], held[i] = bucketKey(i), map[string]int{}
	}
	s.live.AddRange(0, uint64(count))
	for term, n := range corpus.Terms("") {
		if n > 0 {
			held[bucket(term, count)][strings.Clone(term)] = n
		}
	}
	s.object = func(id uint32) object {
		counts, _ := json.Marshal(held[id])
		return object{class, s.keys[id].String(), properties{Counts: string(counts), Hash: hash(counts)}}
	}
	return s
}
