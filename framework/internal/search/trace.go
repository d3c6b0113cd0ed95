package search

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/framework/internal/collection"
	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Reasons why a section is unscanned (docs/glossary.md).
const (
	reasonTime = "time_budget" // no strategy had examined it when time ran out
	// ReasonCap means that the section matched, but was cut.
	ReasonCap   = "candidate_cap"
	reasonStage = "stage_cap"  // its manual was not searched
	reasonHard  = "hard_limit" // it matched, but no more candidates can be kept
)

// traceVersion is the version of the format of stored traces.
const traceVersion = 8

// Trace is the stored record of a search. It holds refs, not ids, since ids are not valid in the
// next snapshot.
type Trace struct {
	Version    int            `json:"version"` // traceVersion when it was stored
	ID         string         `json:"id"`
	Created    time.Time      `json:"created"`
	Request    Request        `json:"request"`
	Manual     string         `json:"manual"` // the one that was searched, "" for all
	Size       Size           `json:"size"`
	Scanned    Size           `json:"-"`     // how much of it was examined; zero in a stored trace
	Words      []string       `json:"words"` // content words of the query, normalised
	Matched    int            `json:"matched"`
	Candidates []Candidate    `json:"-"`
	Graph      *judge.Graph   `json:"graph"`      // of the first candidates
	Escalation []string       `json:"escalation"` // why the search expanded
	Left       map[string]int `json:"left"`       // unscanned sections by reason
	LikelyCut  int            `json:"likely_cut"` // unscanned sections that matched and are likely
	Unscanned  packedFiles    `json:"-"`          // read it through unscannedFiles
	Order      []uint32       `json:"order"`      // numbers of the cut sections, from 0, best first, as far as known
	Fusion     []byte         `json:"-"`          // packed, for [Engine.Refit]
	// Packed holds the sizes in bytes of Candidates, Unscanned and Fusion after the JSON line of a stored trace.
	Packed [3]int `json:"packed"`
	// Gaps are lines of found files that no candidate contains, as passed to [Engine.Keep].
	Gaps []toolset.Ref `json:"gaps,omitempty"`
	// Manuals lists the manuals that were not searched at all. Their sections are unscanned too.
	Manuals []unscannedManual `json:"manuals"`
	Skipped []toolset.Skip    `json:"skipped"` // files of the scope that could not be searched
	// Part is the searched part of a collection, nil for an index.
	Part     *collection.Part `json:"part,omitempty"`
	Warnings []string         `json:"warnings"`
	// Lacks are the status reasons that arose in the course of the search.
	Lacks []string `json:"lacks,omitempty"`

	sources []source // sources of the passages in the answer
	lacking int      // number of files of the scope that were not indexed yet
	ordered bool     // Order is complete
	// same is the id of a trace of the same search that was stored, "" for none.
	same string
	// filled is closed once Unscanned is set: thousands of ids are converted to refs after the
	// answer is sent. nil for a stored trace.
	filled chan struct{}
}

type unscannedManual struct {
	ManualID string `json:"manual_id"`
	Sections int    `json:"sections"`
}

// leftOut is a finished search with the sections and files that it had no room or no time for, in its snapshot.
type leftOut struct {
	run        *run
	judged     judged
	cut        *roaring.Bitmap // sections that matched and were not kept
	reason     string          // why they were cut
	fused      []uint32        // sections that were fused and not kept, the likely first, each group best first
	unexamined *roaring.Bitmap
}

// rank records the order of the fused sections, the likely first, and the likelihood of each
// candidate. It returns the number of likely sections that are not candidates.
func (l *leftOut) rank() (likely int) {
	j := l.judged
	chances := likelihoods(j.ranked, int(j.matched.GetCardinality()))
	var others []uint32
	for i, s := range j.ranked {
		if i < len(j.candidates) {
			j.candidates[i].Likelihood = chances[i]
		} else if chances[i] >= likelyFrom {
			likely++
			l.fused = append(l.fused, s.Section)
		} else {
			others = append(others, s.Section)
		}
	}
	l.fused = append(l.fused, others...)
	return likely
}

// newTrace returns the trace of a search. [leftOut.fill] must add what the search left out.
func (e *Engine) newTrace(id string, r *run, j judged) (*Trace, leftOut) {
	left := leftOut{run: r, judged: j, cut: j.matched.Clone(), reason: ReasonCap}
	likely := left.rank()
	if r.limit() < r.request.MaxCandidates {
		left.reason = reasonHard
	}
	for _, c := range j.candidates {
		left.cut.Remove(c.Section.ID)
	}
	left.unexamined = roaring.AndNot(j.unexamined, j.matched) // tables of contents match unread sections
	unexamined := int(left.unexamined.GetCardinality())
	t := &Trace{
		LikelyCut: likely,
		Version:   traceVersion, ID: id, Created: time.Now(), Request: r.request, Manual: j.scope.Manual,
		Words: r.words(), Matched: int(j.matched.GetCardinality()), Candidates: j.candidates,
		Graph: j.graph, Escalation: j.escalation,
		Left: map[string]int{
			left.reason: int(left.cut.GetCardinality()), reasonTime: unexamined + len(j.scope.Lacking),
		},
		Part: r.part, Skipped: j.scope.Skipped, Warnings: detach(r.snap, j.allWarnings()), Lacks: j.lacks,
		lacking: len(j.scope.Lacking), filled: make(chan struct{}),
	}
	if r.part != nil {
		t.Left[reasonHard] += r.part.Beyond
	}
	if why := r.emptyWarning(); why != "" && t.Matched == 0 {
		t.Warnings = append(t.Warnings, why)
	}
	if j.scope.Sections != nil && j.scope.Manual == "" {
		t.Size = extent(r.snap, j.scope.Sections)
	} else {
		t.Size = e.sizes.of(r.snap, j.scope.Manual)
	}
	t.Scanned = Size{t.Size.Files, t.Size.Sections - unexamined}
	if unexamined > 0 {
		all := cmp.Or(j.scope.Sections, r.snap.Live())
		t.Scanned.Files = extent(r.snap, roaring.AndNot(all, left.unexamined)).Files
	}
	if j.scope.Manual != "" && !r.request.ExpandScope {
		for _, id := range groups(r.snap) {
			if id != j.scope.Manual {
				t.Manuals = append(t.Manuals, unscannedManual{id, e.sizes.of(r.snap, id).Sections})
			}
		}
	}
	return t, left
}

// fill adds to a trace the left-out sections, as refs, and the inputs of its order.
func (l leftOut) fill(t *Trace) {
	defer close(t.filled)
	t.Unscanned, t.Order = l.pack(), l.numbers()
	record := newFusionRecord(l.run, l.judged)
	t.Fusion = record.pack()
}

// buffers holds buffers for encoding traces, which take hundreds of kilobytes.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// stored calls store with the encoded trace: a line of JSON, followed by the packed data. store must not keep the
// bytes.
func (t *Trace) stored(store func([]byte) error) error {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	code := func(p *packing) { p.candidates(&t.Candidates) }
	return encoded(code, func(candidates []byte) error {
		packed := [...][]byte{candidates, t.Unscanned, t.Fusion}
		out := *t
		for i, part := range packed {
			out.Packed[i] = len(part)
		}
		if err := json.NewEncoder(b).Encode(&out); err != nil {
			return err
		}
		for _, part := range packed {
			b.Write(part)
		}
		return store(b.Bytes())
	})
}

func parseTrace(data []byte) (t *Trace, err error) {
	t = &Trace{Graph: new(judge.Graph)}
	line, data, _ := bytes.Cut(data, []byte("\n"))
	if err := json.Unmarshal(line, t); err != nil {
		return nil, err
	}
	if t.Version != traceVersion {
		return nil, fmt.Errorf("version %d instead of %d", t.Version, traceVersion)
	}
	var parts [len(t.Packed)][]byte
	for i, n := range t.Packed {
		if n < 0 || n > len(data) {
			return nil, fmt.Errorf("%d bytes where %d should be", len(data), n)
		}
		parts[i], data = data[:n:n], data[n:]
	}
	if len(data) > 0 {
		return nil, fmt.Errorf("%d bytes too many", len(data))
	}
	p := packing{reading: true, in: parts[0]}
	t.Candidates = []Candidate{}
	if p.candidates(&t.Candidates); p.err() != nil {
		return nil, p.err()
	}
	t.Unscanned, t.Fusion, t.Packed = parts[1], parts[2], [len(t.Packed)]int{}
	left, err := t.Unscanned.files()
	if err != nil {
		return nil, err
	}
	cut := 0
	for _, f := range left {
		if f.matched() {
			cut += len(f.Lines)
		}
	}
	if slices.ContainsFunc(t.Order, func(n uint32) bool { return int(n) >= cut }) {
		return nil, fmt.Errorf("an order of other sections than the %d that were cut", cut)
	}
	return t, nil
}

// wait waits until the trace has the left-out sections.
func (t *Trace) wait() {
	if t.filled != nil {
		<-t.filled
	}
}

// unscannedFiles returns the unscanned sections by file.
func (t *Trace) unscannedFiles() []unscannedFile {
	t.wait()
	files, _ := t.Unscanned.files() // checked when they are read from a file
	return files
}

// unscannedIn returns the trace's unscanned sections as ids of a snapshot, without those that no longer exist. It
// returns nil (all sections) if the view shows a part of a collection beyond the searched one.
func (t *Trace) unscannedIn(view collection.View) *roaring.Bitmap {
	snap, out := view.Snapshot, roaring.New()
	if view.Part != nil && t.Part != nil && view.Part.Ask.Cursor != t.Part.Ask.Cursor {
		return nil
	}
	for _, m := range t.Manuals {
		out.Or(snap.Keyword(groupKey + m.ManualID))
	}
	for _, f := range t.unscannedFiles() {
		sections := SectionsOf(snap, f.ManualID, f.Path)
		if f.whole() {
			out.Or(sections)
		}
		for id := range startingAt(snap, sections, f.Lines) {
			out.Add(id)
		}
	}
	return out
}

// leavesOut returns a function that reports whether the trace left out a whole file or its
// whole manual.
func (t *Trace) leavesOut() func(manual, path string) bool {
	left := map[toolset.Ref]bool{}
	for _, m := range t.Manuals {
		left[toolset.Ref{ManualID: m.ManualID}] = true
	}
	for _, f := range t.unscannedFiles() {
		if f.whole() {
			left[toolset.Ref{ManualID: f.ManualID, Path: f.Path}] = true
		}
	}
	return func(manual, path string) bool {
		return left[toolset.Ref{ManualID: manual}] || left[toolset.Ref{ManualID: manual, Path: path}]
	}
}

// Locate finds the section of a file that starts at a line, or the JSON node of a file.
func Locate(snap *snapshot.Snapshot, manual, path string, line int) (uint32, bool) {
	for id := range startingAt(snap, SectionsOf(snap, manual, path), []uint32{uint32(line)}) {
		return id, true
	}
	return 0, false
}

// Meant returns the section that a line and a title pointed to when they were recorded. Its file may have changed
// since, see [corpus.Meant]. If no section has the title, it returns the section that begins at the line.
func Meant(snap *snapshot.Snapshot, manual, path string, line int, title string) (sec snapshot.Section, ok bool) {
	if title != "" {
		at, err := corpus.Meant(func(yield func(corpus.Section) bool) {
			for it := SectionsOf(snap, manual, path).Iterator(); it.HasNext(); {
				if sec, ok := snap.Section(it.Next()); ok && !yield(corpus.Section{Section: sec}) {
					return
				}
			}
		}, line, title)
		if err == nil {
			return at.Section, true
		}
	}
	id, ok := Locate(snap, manual, path, line)
	if !ok {
		return sec, false
	}
	return snap.Section(id)
}

// startingAt yields the sections of one file that start at one of lines, each with the index of its line. The node of
// a JSON file that is a single node counts as starting on every line. It visits each section once.
func startingAt(snap *snapshot.Snapshot, sections *roaring.Bitmap, lines []uint32) iter.Seq2[uint32, int] {
	return func(yield func(uint32, int) bool) {
		asked := make(map[int]int, len(lines))
		for i, line := range lines {
			asked[int(line)] = i
		}
		for it := sections.Iterator(); it.HasNext(); {
			id := it.Next()
			sec, ok := snap.Section(id)
			i, starts := asked[sec.Start]
			whole := sec.Node == snapshot.NodeJSON && sections.GetCardinality() == 1 && len(lines) > 0
			if ok && (starts || whole) && !yield(id, i) {
				return
			}
		}
	}
}

// countUnscanned counts the sections that another search could scan.
func (t *Trace) countUnscanned() int {
	n := t.Left[ReasonCap] + t.Left[reasonHard] + t.Left[reasonTime]
	for _, m := range t.Manuals {
		n += m.Sections
	}
	return n
}

// Cutoff returns the most important reason why sections were left out, or "".
func (t *Trace) Cutoff() string {
	for _, reason := range []string{reasonTime, reasonHard, ReasonCap} {
		if t.Left[reason] > 0 {
			return reason
		}
	}
	if len(t.Manuals) > 0 {
		return reasonStage
	}
	return ""
}
