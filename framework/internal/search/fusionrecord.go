// The inputs of fusion and reranking, stored with the trace, so that other weights can be tried without a search.

package search

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/fusion"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// fusionRecord holds the inputs in columns. Sections are numbered in the order that breaks ties.
type fusionRecord struct {
	Settings recordSettings
	Files    []recordFile
	File     []int // of each section, an index of Files
	Line     []int // where each section starts
	Titled   []int // sections whose title begins with a must term
	Lists    []recordedList
	Moves    []recordedList // results of rerankers and feedback, in the order in which they were applied
}

// recordSettings are the [Settings] that affect the order.
type recordSettings struct {
	Method    fusion.Method
	Bonuses   bonusWeights
	Limit     int // number of candidates to keep
	RerankTop int
}

type recordFile struct{ ManualID, Path string }

// recordedList is the result of one strategy.
type recordedList struct {
	Source     string
	Stage      sdk.Stage
	Weight     float64   // without the confidence
	Confidence float64   // 0 means all of it
	Sections   []int     // best first
	Scores     []float64 // of each of Sections
	Coverage   []float64 // of each of Sections
	Named      []int     // those whose title or file name matched
	Admitted   []int     // sections that it made candidates, in its list or not
}

// newFusionRecord records the inputs that ordered a search.
func newFusionRecord(r *run, done judged) fusionRecord {
	b := fusionRecord{Settings: recordSettings{
		Method: r.settings.Method, Bonuses: r.settings.bonusWeights(), Limit: r.limit(),
		RerankTop: r.settings.RerankTop,
	}}
	ids := make([]uint32, len(done.before))
	for i, s := range done.before {
		ids[i] = s.Section
	}
	slices.Sort(ids) // nearly the order of their places, which then takes one pass
	sections := make([]snapshot.Section, len(ids))
	for i, id := range ids {
		sections[i], _ = r.snap.Section(id)
	}
	slices.SortFunc(sections, comparePlaces)
	number, musts := make(map[uint32]int, len(sections)), r.terms(sdk.TermMust)
	b.File, b.Line = make([]int, 0, len(sections)), make([]int, 0, len(sections))
	for i, sec := range sections {
		number[sec.ID] = i
		if n := len(b.Files); n == 0 || b.Files[n-1] != (recordFile{sec.Group, sec.Path}) {
			b.Files = append(b.Files, recordFile{strings.Clone(sec.Group), strings.Clone(sec.Path)})
		}
		if len(musts) > 0 && r.titledBy(sec.ID, musts) {
			b.Titled = append(b.Titled, i)
		}
		b.File, b.Line = append(b.File, len(b.Files)-1), append(b.Line, sec.Start)
	}
	for _, res := range done.results {
		b.Lists = append(b.Lists, newRecordedList(r, res, number, sections))
	}
	for _, res := range done.moves {
		b.Moves = append(b.Moves, newRecordedList(r, res, number, nil))
	}
	return b
}

// newRecordedList records the part of a result that concerns numbered sections. If all is not nil, it holds these
// sections in order, and the record includes coverages and admitted sections.
func newRecordedList(r *run, res result, number map[uint32]int, all []snapshot.Section) recordedList {
	v := recordedList{
		Source: strings.Clone(res.description.Name), Stage: res.description.Stage,
		Weight: r.settings.fullWeight(res.description), Confidence: res.Confidence,
	}
	n := len(res.Candidates)
	v.Sections, v.Scores = make([]int, 0, n), make([]float64, 0, n)
	if all != nil {
		v.Coverage = make([]float64, 0, n)
	}
	for _, c := range res.Candidates {
		i, ok := number[c.Section]
		if !ok {
			continue
		}
		if v.Sections, v.Scores = append(v.Sections, i), append(v.Scores, c.Score); all == nil {
			continue
		}
		if v.Coverage = append(v.Coverage, c.Coverage); slices.ContainsFunc(c.Signals, isName) {
			v.Named = append(v.Named, i)
		}
	}
	admitted := res.matched()
	for i := range all {
		if admitted.Contains(all[i].ID) {
			v.Admitted = append(v.Admitted, i)
		}
	}
	return v
}

// code encodes or decodes a record.
func (b *fusionRecord) code(p *packing) {
	p.text((*string)(&b.Settings.Method))
	for i := range b.Settings.Bonuses {
		p.score(&b.Settings.Bonuses[i])
	}
	p.int(&b.Settings.Limit)
	p.int(&b.Settings.RerankTop)
	packList(p, &b.Files, func(f *recordFile) {
		p.text(&f.ManualID)
		p.text(&f.Path)
	})
	packList(p, &b.File, p.int)
	packList(p, &b.Line, p.int)
	packList(p, &b.Titled, p.int)
	for _, lists := range [...]*[]recordedList{&b.Lists, &b.Moves} {
		packList(p, lists, func(v *recordedList) {
			p.text(&v.Source)
			p.text((*string)(&v.Stage))
			p.score(&v.Weight)
			p.score(&v.Confidence)
			packList(p, &v.Sections, p.int)
			packList(p, &v.Scores, p.score)
			packList(p, &v.Coverage, p.score)
			packList(p, &v.Named, p.int)
			packList(p, &v.Admitted, p.int)
		})
	}
}

func (b *fusionRecord) pack() []byte { return encoded(b.code, bytes.Clone) }

func unpackFusionRecord(packed []byte) (b fusionRecord, err error) {
	p := packing{reading: true, in: packed}
	b.code(&p)
	if err := p.err(); err != nil {
		return b, err
	}
	return b, b.check()
}

// check fails if a number is out of range.
func (b *fusionRecord) check() error {
	n := len(b.File)
	outside := func(i int) bool { return i < 0 || i >= n }
	bad := b.Settings.RerankTop < 0 || b.Settings.Limit < 1 || len(b.Line) != n ||
		slices.ContainsFunc(b.Titled, outside) ||
		slices.ContainsFunc(b.File, func(f int) bool { return f < 0 || f >= len(b.Files) })
	for i, v := range slices.Concat(b.Lists, b.Moves) {
		list := i < len(b.Lists)
		bad = bad || len(v.Scores) != len(v.Sections) || list && len(v.Coverage) != len(v.Sections) ||
			slices.ContainsFunc(slices.Concat(v.Sections, v.Named, v.Admitted), outside)
	}
	if bad {
		return errors.New("the lists of the trace are damaged")
	}
	return nil
}

// weighed returns the record with other weights.
func (b fusionRecord) weighed(weights map[string]float64) *fusionRecord {
	b.Lists, b.Moves = slices.Clone(b.Lists), slices.Clone(b.Moves)
	for source, of := range b.weights() {
		if w, ok := weights[source]; ok {
			for _, weight := range of {
				*weight = w
			}
		}
	}
	return &b
}

// weights returns pointers to the weights of each source. A strategy has one per wording.
func (b *fusionRecord) weights() map[string][]*float64 {
	out := map[string][]*float64{}
	for i, name := range bonusNames {
		out[name] = []*float64{&b.Settings.Bonuses[i]}
	}
	for _, lists := range [][]recordedList{b.Lists, b.Moves} {
		for i := range lists {
			out[lists[i].Source] = append(out[lists[i].Source], &lists[i].Weight)
		}
	}
	return out
}

// sources returns the sources that have a weight, in the order in which they contribute.
func (b *fusionRecord) sources() (out []SourceWeight) {
	add := func(source string, stage sdk.Stage, weight float64) {
		if !slices.ContainsFunc(out, func(s SourceWeight) bool { return s.Source == source }) {
			out = append(out, SourceWeight{source, string(stage), weight, weight})
		}
	}
	for _, v := range b.Lists {
		add(v.Source, v.Stage, v.Weight)
	}
	for i, name := range bonusNames {
		add(name, stageBonus, b.Settings.Bonuses[i])
	}
	for _, v := range b.Moves {
		add(v.Source, v.Stage, v.Weight)
	}
	return out
}

// fuse merges the lists that have a weight; a strategy with weight 0 would not have been called. Each section carries
// its contributions.
func (b *fusionRecord) fuse() []scored {
	var lists []fusion.List
	coverage, named := map[uint32]float64{}, map[uint32]bool{}
	admitted := b.admitted()
	for _, v := range b.Lists {
		if v.Weight == 0 {
			continue
		}
		l := fusion.List{Source: v.Source, Weight: v.Weight, Confidence: v.Confidence}
		for i, section := range v.Sections {
			id := uint32(section)
			if coverage[id] = max(coverage[id], v.Coverage[i]); admitted[id] {
				l.Entries = append(l.Entries, fusion.Entry{Section: id, Score: v.Scores[i]})
			}
		}
		for _, section := range v.Named {
			named[uint32(section)] = true
		}
		lists = append(lists, l)
	}
	bonuses := b.Settings.Bonuses.times(bonusValues{
		bonusCoverage: func(s uint32) float64 { return coverage[s] },
		bonusHeading:  func(s uint32) float64 { return oneIf(named[s]) },
		bonusTitle: func(s uint32) float64 {
			_, titled := slices.BinarySearch(b.Titled, int(s))
			return oneIf(titled)
		},
	})
	merged := fusion.Merge(b.Settings.Method, lists, bonuses, cmp.Compare[uint32], len(b.File))
	out := make([]scored, len(merged))
	for i, m := range merged {
		out[i] = scored{Ranked: m}
	}
	return out
}

// admitted returns, for each section, whether a strategy with a weight admitted it or no admitting
// strategy is known.
func (b *fusionRecord) admitted() map[uint32]bool {
	out := make(map[uint32]bool, len(b.File))
	for i := range b.File {
		out[uint32(i)] = true
	}
	for _, weighed := range []bool{false, true} {
		for _, v := range b.Lists {
			for _, section := range v.Admitted {
				if weighed == (v.Weight > 0) {
					out[uint32(section)] = weighed
				}
			}
		}
	}
	return out
}

// order fuses the lists and lets the rerankers move the sections that they saw, which were the first in the searched
// order. unseen counts the sections that are now among the first but were not seen.
func (b *fusionRecord) order(searched []scored) (ranked []scored, unseen int) {
	ranked = b.fuse()
	n, floor := min(b.Settings.RerankTop, len(ranked)), 0.0
	if n < len(ranked) {
		floor = ranked[n].Score
	}
	was := min(b.Settings.RerankTop, len(searched))
	top, seen := ranked[:n], members(searched[:was])
	for _, s := range top {
		if !seen[s.Section] {
			unseen++
		}
	}
	for _, v := range b.Moves {
		switch {
		case v.Weight == 0:
		case v.Stage == sdk.StageFeedback:
			fed := members(belowTop(searched, was, b.Settings.Limit))
			v.move(belowTop(ranked, n, b.Settings.Limit), fed, 0, bySection(cmp.Compare[uint32]))
		case v.Stage == stageBonus:
			first, least := readForAnswers(top, floor)
			read := make(map[uint32]bool, len(v.Sections))
			for _, section := range v.Sections {
				read[uint32(section)] = true
			}
			v.move(first, read, least, byReranker(cmp.Compare[uint32]))
		default:
			v.move(top, seen, floor, byReranker(cmp.Compare[uint32]))
		}
	}
	return ranked, unseen
}

func members(ranked []scored) map[uint32]bool {
	out := make(map[uint32]bool, len(ranked))
	for _, s := range ranked {
		out[s.Section] = true
	}
	return out
}

// move lets a reranker move the sections of an order that it has seen. Other sections keep their scores.
func (v *recordedList) move(part []scored, seen map[uint32]bool, floor float64, tie func(a, b scored) int) {
	known, others := make([]scored, 0, len(part)), []scored(nil)
	for _, s := range part {
		if seen[s.Section] {
			known = append(known, s)
		} else {
			others = append(others, s)
		}
	}
	asked, said := members(known), make([]sdk.Candidate, 0, len(known))
	for i, section := range v.Sections {
		if asked[uint32(section)] {
			said = append(said, sdk.Candidate{Section: uint32(section), Score: v.Scores[i]})
		}
	}
	if blend(known, floor, mover{v.Source, v.Weight, v.Confidence}, said) {
		copy(part, append(known, others...))
		slices.SortFunc(part, byScore(tie))
	}
}
