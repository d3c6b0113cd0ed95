package search

import (
	"context"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/fusion"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// candidate is a ranked section as the trace keeps it.
type candidate struct {
	Section       snapshot.Section // not stored
	ManualID      string
	Path          string
	Line          int
	EndLine       int // of the own text
	Title         string
	Score         float64
	Signals       []string
	Terms         []string
	Matches       []match // their terms are among Terms
	Contributions []fusion.Contribution
}

// match is what one strategy found in a section.
type match struct {
	source string // the strategy
	terms  []string
}

// evidence is what the lists say of one section.
type evidence struct {
	coverage       float64
	signals, terms []string
	matches        []match
}

// match adds the terms that a strategy found.
func (e *evidence) match(source string, terms []string) {
	if len(terms) == 0 {
		return
	}
	e.terms = union(e.terms, terms)
	if i := slices.IndexFunc(e.matches, func(m match) bool { return m.source == source }); i >= 0 {
		e.matches[i].terms = union(e.matches[i].terms, terms)
	} else {
		e.matches = append(e.matches, match{source, slices.Clip(terms)})
	}
}

// rank fuses the lists, widens the search when the result is thin, lets the
// rerankers speak, and judges. The judgement costs more than the rest, so it comes
// once, on the final order; of what asks for an expansion only a conflict needs it,
// and then all is done again over the union. judging ends later than ctx.
func (s *search) rank(ctx, judging context.Context) {
	ranked, found := s.fuse()
	if reasons := s.thin(ranked, found); len(reasons) > 0 && s.expand(ctx, reasons, first(ranked)) {
		ranked, found = s.fuse()
	}
	s.settle(ctx, judging, ranked, found)
	if reasons := s.disputed(); len(reasons) > 0 && s.expand(ctx, reasons, first(ranked)) {
		ranked, found = s.fuse()
		s.settle(ctx, judging, ranked, found)
	}
}

// first are the ids of the sections that an expansion starts from.
func first(ranked []fusion.Ranked) []uint32 {
	var out []uint32
	for _, r := range ranked[:min(anchors, len(ranked))] {
		out = append(out, r.Section)
	}
	return out
}

// fuse merges the lists and the bonuses.
func (s *search) fuse() ([]fusion.Ranked, map[uint32]*evidence) {
	found := s.evidence()
	settings := s.settings
	bonuses := []fusion.Bonus{
		{Source: "coverage", Weight: settings.CoverageWeight, Value: func(id uint32) float64 { return found[id].coverage }},
		{Source: "heading", Weight: settings.HeadingWeight, Value: func(id uint32) float64 {
			if slices.Contains(found[id].signals, sdk.SignalHeading) {
				return 1
			}
			return 0
		}},
	}
	if musts := s.musts(); len(musts) > 0 {
		bonuses = append(bonuses, fusion.Bonus{Source: "title", Weight: settings.TitleWeight, Value: func(id uint32) float64 {
			if sec, ok := s.snap.Section(id); ok && entitled(text.Fold(sec.Title), musts) {
				return 1
			}
			return 0
		}})
	}
	return fusion.Merge(settings.Method, s.fusible(), bonuses, compareSections(s.snap), max(s.kept(), settings.RerankTop)), found
}

// musts are the terms that must be there.
func (s *search) musts() []string {
	var out []string
	for _, t := range s.query.Terms {
		if t.Kind == sdk.TermMust {
			out = append(out, t.Text)
		}
	}
	return out
}

// entitled reports whether a title begins with one of the terms: the section is what the
// query names, and others speak of it. 別表30 and 第3条の2 are not 別表3 and 第3条.
func entitled(title string, terms []string) bool {
	return slices.ContainsFunc(terms, func(t string) bool {
		rest, ok := strings.CutPrefix(title, t)
		if number := strings.TrimPrefix(rest, "の"); number != "" && isDigit(number[0]) {
			return false
		}
		return ok && (rest == "" || !isAlnum(rest[0]) || !isAlnum(t[len(t)-1]))
	})
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func isAlnum(b byte) bool { return isDigit(b) || b >= 'a' && b <= 'z' }

// settle reranks, cuts afterwards (the best MaxCandidates stay, whatever file they
// lie in) and judges what stayed.
func (s *search) settle(ctx, judging context.Context, ranked []fusion.Ranked, found map[uint32]*evidence) {
	read := s.readAhead(judging, ranked, found)
	defer read()
	s.rerank(ctx, ranked, found)
	ranked = ranked[:min(len(ranked), s.kept())]
	s.candidates = make([]candidate, 0, len(ranked))
	for _, r := range ranked {
		s.candidates = append(s.candidates, s.candidate(r, found[r.Section]))
	}
	s.focus()
	s.judge(judging, read())
}

// fusible are the lists reduced to admitted sections.
func (s *search) fusible() []fusion.List {
	var out []fusion.List
	for _, l := range s.lists {
		f := fusion.List{Source: l.description.Name, Weight: s.engine.weight(l.description) * l.confidence()}
		for _, c := range l.result.Candidates {
			if s.matched.Contains(c.Section) {
				f.Entries = append(f.Entries, fusion.Entry{Section: c.Section, Score: c.Score})
			}
		}
		out = append(out, f)
	}
	return out
}

// confidence is the part of its weight that a strategy claims for the query.
func (l list) confidence() float64 {
	if l.result.Confidence == 0 {
		return 1
	}
	return l.result.Confidence
}

// evidence unites coverage, signals and terms over the lists.
func (s *search) evidence() map[uint32]*evidence {
	n := 0
	for _, l := range s.lists {
		n += len(l.result.Candidates)
	}
	out, all := make(map[uint32]*evidence, n), make([]evidence, 0, n)
	for _, l := range s.lists {
		for _, c := range l.result.Candidates {
			e := out[c.Section]
			if e == nil {
				all = append(all, evidence{matches: make([]match, 0, len(s.lists))})
				e = &all[len(all)-1]
				out[c.Section] = e
			}
			e.coverage = max(e.coverage, c.Coverage)
			e.signals = union(e.signals, c.Signals)
			e.match(l.description.Name, c.Terms)
		}
	}
	for _, l := range s.lists {
		mark(out, l)
	}
	return out
}

// mark adds the signal of a strategy that does not admit to all that it says
// matched. One with several signals tells them apart in its candidates alone.
func mark(found map[uint32]*evidence, l list) {
	if l.description.Admits() || len(l.description.Signals) != 1 || l.result.Matched == nil {
		return
	}
	for id, e := range found {
		if l.result.Matched.Contains(id) {
			e.signals = union(e.signals, l.description.Signals)
		}
	}
}

// union appends to a what it does not hold yet; b stays as it is. Where a is empty the
// result is b, without room behind it.
func union(a, b []string) []string {
	if len(a) == 0 && distinct(b) {
		return slices.Clip(b)
	}
	for _, x := range b {
		if !slices.Contains(a, x) {
			a = append(a, x)
		}
	}
	return a
}

func distinct(texts []string) bool {
	for i, x := range texts {
		if slices.Contains(texts[:i], x) {
			return false
		}
	}
	return true
}

// candidate is a ranked section with what speaks for it.
func (s *search) candidate(r fusion.Ranked, e *evidence) candidate {
	c := s.located(r.Section, e.terms)
	c.Score, c.Signals, c.Matches, c.Contributions = r.Score, e.signals, e.matches, r.Contributions
	c.outlive(s.snap)
	return c
}

// outlive copies what of a candidate is a view of the snapshot.
func (c *candidate) outlive(snap *snapshot.Snapshot) {
	c.ManualID, c.Path, c.Title = snap.Outlive(c.ManualID), snap.Outlive(c.Path), snap.Outlive(c.Title)
	c.Section.Group, c.Section.Path, c.Section.Title = c.ManualID, c.Path, c.Title
	c.Signals, c.Terms = outliving(snap, c.Signals), outliving(snap, c.Terms)
	for i := range c.Matches {
		c.Matches[i].terms = outliving(snap, c.Matches[i].terms)
	}
}

// outliving are texts of which none is a view of the snapshot. Those given stay as they
// are: a strategy may keep them.
func outliving(snap *snapshot.Snapshot, texts []string) []string {
	if !slices.ContainsFunc(texts, snap.Views) {
		return texts
	}
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = snap.Outlive(text)
	}
	return out
}

// located is a section with the terms that found it; its texts are views of the snapshot.
func (s *search) located(id uint32, terms []string) candidate {
	sec, _ := s.snap.Section(id)
	c := candidate{
		Section: sec, ManualID: sec.Group, Path: sec.Path, Line: sec.Start, EndLine: sec.OwnEnd, Title: sec.Title, Terms: terms,
	}
	if sec.Node == snapshot.NodeJSON {
		c.Line = bestLine(s.snap.Source(sec.ID, snapshot.FieldBody), terms)
	}
	return c
}

// focus marks the best candidate of every heading group of two or more: the
// sections below one parent.
func (s *search) focus() {
	type group struct {
		first, size int
	}
	groups := make(map[uint32]*group)
	for i, c := range s.candidates {
		if c.Section.Parent == snapshot.None {
			continue
		}
		if g := groups[c.Section.Parent]; g != nil {
			g.size++
		} else {
			groups[c.Section.Parent] = &group{i, 1}
		}
	}
	for _, g := range groups {
		if g.size > 1 {
			c := &s.candidates[g.first]
			c.Signals = append(c.Signals, sdk.SignalHeadingFocus)
		}
	}
}
