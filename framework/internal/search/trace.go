package search

import (
	"bytes"
	"slices"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Reasons why a section is unscanned (contract, Budget).
const (
	reasonTime  = "time_budget"   // no strategy had looked at it when time ran out
	reasonCap   = "candidate_cap" // it matched and was cut
	reasonStage = "stage_cap"     // its manual was not searched
	reasonHard  = "hard_limit"    // it matched and no more candidates can be kept
)

// trace is a search as it is stored, see [trace.append]: refs, not ids, since ids mean
// nothing in the next snapshot.
type trace struct {
	ID         string         `json:"id"`
	Created    time.Time      `json:"created"`
	Request    Request        `json:"request"`
	Manual     string         `json:"manual"` // the one that was searched, "" for all
	Size       size           `json:"size"`
	Words      []string       `json:"words"` // content words of the query, normalised
	Matched    int            `json:"matched"`
	Candidates []candidate    `json:"-"`
	Graph      *judge.Graph   `json:"graph"`      // of the first candidates, in their order
	Escalation []string       `json:"escalation"` // why the search expanded
	Left       map[string]int `json:"left"`       // unscanned sections by reason
	Unscanned  packedFiles    `json:"-"`          // the same as refs; read it through refs
	// GapRanges are, in a vault, the lines of found files that no candidate holds.
	GapRanges []gapRange `json:"gap_ranges,omitempty"`
	// Manuals were not searched at all; their sections are unscanned too.
	Manuals  []unscannedManual `json:"manuals"`
	Warnings []string          `json:"warnings"`

	// same is the id of a trace of the same search that was stored, "" for none.
	same string
	// filled is closed when Unscanned is there: turning thousands of ids into
	// refs is done behind the answer. nil for a stored trace.
	filled chan struct{}
}

type unscannedManual struct {
	ManualID string `json:"manual_id"`
	Sections int    `json:"sections"`
}

// trace sums the search up.
func (s *search) trace(id string) *trace {
	t := &trace{
		ID: id, Created: time.Now(), Request: s.req, Manual: s.manual, Words: s.words(), Matched: int(s.matched.GetCardinality()),
		Candidates: s.candidates, Graph: s.graph, Escalation: s.escalation, Warnings: outliving(s.snap, s.warnings), filled: make(chan struct{}),
	}
	if s.req.OnlyUnscanned != "" {
		t.Size = extent(s.snap, s.scope)
	} else {
		t.Size = s.engine.sizes.of(s.snap, s.manual)
	}
	s.unexamined.AndNot(s.matched) // a table of contents may know what was not read
	s.cut = s.matched.Clone()
	for _, c := range s.candidates {
		s.cut.Remove(c.Section.ID)
	}
	t.Left = map[string]int{s.cutReason(): int(s.cut.GetCardinality()), reasonTime: int(s.unexamined.GetCardinality()) + len(s.lacking)}
	if s.manual != "" && !s.req.ExpandScope {
		t.Manuals = s.otherManuals()
	}
	return t
}

// fill turns the unscanned ids into refs.
func (t *trace) fill(s *search) error {
	defer close(t.filled)
	buffer := s.engine.archive.buffers.Get().(*[]byte)
	defer s.engine.archive.buffers.Put(buffer)
	p := packer{packed: (*buffer)[:0]}
	p.sections(s.snap, s.cut, s.cutReason())
	p.sections(s.snap, s.unexamined, reasonTime)
	for _, f := range s.lacking {
		p.add(f.Group, f.Path, slices.Index(reasons, reasonTime), nil)
	}
	t.Unscanned, *buffer = bytes.Clone(p.packed), p.packed
	return nil
}

// cutReason says why a section that matched was not kept.
func (s *search) cutReason() string {
	if s.kept() < s.req.MaxCandidates {
		return reasonHard
	}
	return reasonCap
}

// refs are the unscanned sections.
func (t *trace) refs() []unscannedFile {
	if t.filled != nil {
		<-t.filled
	}
	files, _ := t.Unscanned.files() // checked where they come from a file
	return files
}

// words are the terms that speak for a section.
func (s *search) words() []string {
	var out []string
	for _, t := range s.query.Terms {
		if t.Kind != sdk.TermNegative {
			out = append(out, t.Text)
		}
	}
	return out
}

func (s *search) otherManuals() []unscannedManual {
	var out []unscannedManual
	for _, id := range groups(s.snap) {
		if id != s.manual {
			out = append(out, unscannedManual{id, s.engine.sizes.of(s.snap, id).Sections})
		}
	}
	return out
}

// unscannedIn gives the trace's unscanned sections as ids of snap; those that
// are gone are left out.
func (t *trace) unscannedIn(snap *snapshot.Snapshot) *roaring.Bitmap {
	out := roaring.New()
	for _, m := range t.Manuals {
		out.Or(snap.Keyword(groupKey + m.ManualID))
	}
	for _, f := range t.refs() {
		if f.whole() {
			out.Or(snap.Keyword(fileKey + f.ManualID + "/" + f.Path))
		}
		for _, line := range f.Lines {
			if id, ok := locate(snap, f.ManualID, f.Path, int(line)); ok {
				out.Add(id)
			}
		}
	}
	return out
}

// leftOut tells that the trace left a whole file out.
func (t *trace) leftOut(f snapshot.File) bool {
	return slices.ContainsFunc(t.refs(), func(u unscannedFile) bool {
		return u.whole() && u.ManualID == f.Group && u.Path == f.Path
	})
}

// locate finds the section of a file that starts at a line, or a file's JSON node.
func locate(snap *snapshot.Snapshot, manual, path string, line int) (uint32, bool) {
	for it := snap.Keyword(fileKey + manual + "/" + path).Iterator(); it.HasNext(); {
		id := it.Next()
		if sec, ok := snap.Section(id); ok && (sec.Start == line || sec.Node == snapshot.NodeJSON) {
			return id, true
		}
	}
	return 0, false
}

// unscanned counts the sections that a repeat would look at.
func (t *trace) unscanned() int {
	n := t.Left[reasonCap] + t.Left[reasonHard] + t.Left[reasonTime]
	for _, m := range t.Manuals {
		n += m.Sections
	}
	return n
}

// cutoff names the weightiest reason why something was left out, "" for none.
func (t *trace) cutoff() string {
	switch {
	case t.Left[reasonTime] > 0:
		return reasonTime
	case t.Left[reasonHard] > 0:
		return reasonHard
	case t.Left[reasonCap] > 0:
		return reasonCap
	case len(t.Manuals) > 0:
		return reasonStage
	}
	return ""
}
