package search

import (
	"encoding/json"
	"hash/maphash"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/search/adapt"
	"github.com/sagasu-search/sagasu/framework/internal/search/semcache"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// tuned returns the settings with the thresholds learned from use.
func (e *Engine) tuned() Settings {
	s := e.Settings
	if e.Recorder != nil {
		t := e.Recorder.Thresholds()
		s.CandidateLow, s.FileBias = t.CandidateLow, t.FileBias
	}
	return s
}

// Used records that the section starting at a line was read or, with line 0, a whole file.
func (e *Engine) Used(manual, path string, line int) {
	e.Recorder.Use(toolset.Ref{ManualID: manual, Path: path, StartLine: line})
}

// record hands the statistics of an answered search to the recorder.
func (e *Engine) record(l lookup, t *Trace, a *Answer, took time.Duration) error {
	if e.Recorder == nil {
		return nil
	}
	out, err := json.Marshal(a)
	if err != nil {
		return err
	}
	refs := make([]toolset.Ref, len(t.Candidates))
	for i, c := range t.Candidates {
		refs[i] = toolset.Ref{ManualID: c.ManualID, Path: c.Path}
		if c.Section.Node != snapshot.NodeJSON {
			refs[i].StartLine = c.Section.Start
		}
	}
	in, sent := utf8.RuneCountInString(t.Request.Query), utf8.RuneCount(out)
	row := adapt.Row{
		QueryHash: adapt.QueryHash(t.Request.Query), ElapsedMS: took.Milliseconds(),
		Candidates: a.Summary.Candidates, Matched: a.Summary.Matched, FileBias: a.Summary.FileBiasRatio,
		Gaps: a.Summary.GapCount, Conflicts: a.Summary.ConflictCount, Unscanned: t.countUnscanned(),
		Expanded: len(t.Escalation) > 0, Escalation: t.Escalation, CutoffReason: a.Summary.CutoffReason,
		EstTokens:   adapt.EstTokens(in, sent),
		EstTokensIn: adapt.EstTokens(in, 0), EstTokensOut: adapt.EstTokens(0, sent),
		AddedEvidence: e.returned.add(refs[:min(judge.MostEvidences, len(refs))]),
		CacheHit:      l.hit(), CacheMode: string(l.found.Mode),
	}
	row.AddedTokens = row.EstTokens
	row.MarginalGain = adapt.Gain(row.AddedEvidence, row.AddedTokens)
	if row.CacheHit {
		row.LatencySavedMS = max(0, l.found.Entry.Latency-took).Milliseconds()
	}
	if l.found.Mode == semcache.Semantic {
		row.CacheScore = new(1.0) // without embeddings, queries either ask the same or not
	}
	e.Recorder.Found(row, refs)
	return nil
}

// maxReturned is the maximum number of evidences of a session that are remembered.
const maxReturned = 20_000

// returnedRefs holds the hashes of the evidences that the session's searches returned.
type returnedRefs struct {
	mu     sync.Mutex
	seed   maphash.Seed
	hashes map[uint64]struct{}
}

// add adds refs and returns the number of those that no earlier search returned.
func (s *returnedRefs) add(refs []toolset.Ref) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hashes == nil || len(s.hashes) > maxReturned {
		s.seed, s.hashes = maphash.MakeSeed(), make(map[uint64]struct{})
	}
	before := len(s.hashes)
	for _, r := range refs {
		s.hashes[maphash.Comparable(s.seed, r)] = struct{}{}
	}
	return len(s.hashes) - before
}
