// The inputs of fusion and reranking, stored with the trace, so that other weights can be tried without a search.

package search

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// fusionRecord holds the inputs in columns. Sections are numbered in the order that breaks ties.
type fusionRecord struct {
	Settings Settings // those that affect the order
	Limit    int      // number of candidates to keep
	Files    []fileName
	File     []int // of each section, an index of Files
	Line     []int // where each section starts
	Titled   []int // sections whose title begins with a must term
	Lists    []recordedList
	Moves    []recordedList // results of rerankers and feedback, in the order in which they were applied
}

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
	b := fusionRecord{Settings: r.settings, Limit: r.limit()}
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
	number, titled := make(map[uint32]int, len(sections)), r.titled()
	b.File, b.Line = make([]int, 0, len(sections)), make([]int, 0, len(sections))
	for i, sec := range sections {
		number[sec.ID] = i
		if n := len(b.Files); n == 0 || b.Files[n-1] != (fileName{sec.Group, sec.Path}) {
			b.Files = append(b.Files, fileName{strings.Clone(sec.Group), strings.Clone(sec.Path)})
		}
		if titled(sec.ID) {
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
	for _, weight := range b.Settings.bonusWeights() {
		p.score(weight)
	}
	p.int(&b.Limit)
	p.int(&b.Settings.RerankTop)
	packList(p, &b.Files, func(f *fileName) {
		p.text(&f.manual)
		p.text(&f.path)
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
	bad := b.Settings.RerankTop < 0 || b.Limit < 1 || len(b.Line) != n ||
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
	for i, weight := range b.Settings.bonusWeights() {
		out[bonusNames[i]] = []*float64{weight}
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
	for i, weight := range b.Settings.bonusWeights() {
		add(bonusNames[i], stageBonus, *weight)
	}
	for _, v := range b.Moves {
		add(v.Source, v.Stage, v.Weight)
	}
	return out
}

// fuse merges the lists that have a weight; a strategy with weight 0 would not have been called. Each section carries
// its contributions.
func (b *fusionRecord) fuse() []scored {
	in := retrieved{matched: b.admitted()}
	for _, v := range b.Lists {
		if v.Weight == 0 {
			continue
		}
		res, named := &sdk.Result{Confidence: v.Confidence}, setOf(v.Named)
		for i, section := range v.Sections {
			c := sdk.Candidate{Section: uint32(section), Score: v.Scores[i], Coverage: v.Coverage[i]}
			if named.Contains(c.Section) {
				c.Signals = []string{sdk.SignalHeading}
			}
			res.Candidates = append(res.Candidates, c)
		}
		d := sdk.Description{Name: v.Source, Weight: v.Weight}
		in.results = append(in.results, result{description: d, Result: res})
	}
	titled := setOf(b.Titled)
	return in.merge(&b.Settings, titled.Contains, cmp.Compare[uint32], len(b.File))
}

// setOf returns sections as a set.
func setOf(sections []int) *roaring.Bitmap {
	out := roaring.New()
	for _, section := range sections {
		out.AddInt(section)
	}
	return out
}

// admitted returns the sections that a strategy with a weight admitted, or of which no admitting strategy is known.
func (b *fusionRecord) admitted() *roaring.Bitmap {
	weighed, others := roaring.New(), roaring.New()
	for _, v := range b.Lists {
		if set := setOf(v.Admitted); v.Weight > 0 {
			weighed.Or(set)
		} else {
			others.Or(set)
		}
	}
	all := roaring.New()
	all.AddRange(0, uint64(len(b.File)))
	return roaring.Or(roaring.AndNot(all, others), weighed)
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
		if !seen.Contains(s.Section) {
			unseen++
		}
	}
	for _, v := range b.Moves {
		switch {
		case v.Weight == 0:
		case v.Stage == sdk.StageFeedback:
			fed := members(belowTop(searched, was, b.Limit))
			v.move(belowTop(ranked, n, b.Limit), fed, 0, bySection(cmp.Compare[uint32]))
		case v.Stage == stageBonus:
			first, least := readForAnswers(top, floor)
			v.move(first, setOf(v.Sections), least, byReranker(cmp.Compare[uint32]))
		default:
			v.move(top, seen, floor, byReranker(cmp.Compare[uint32]))
		}
	}
	return ranked, unseen
}

func members(ranked []scored) *roaring.Bitmap {
	out := roaring.New()
	for _, s := range ranked {
		out.Add(s.Section)
	}
	return out
}

// move lets a reranker move the sections of an order that it has seen. Other sections keep their scores.
func (v *recordedList) move(part []scored, seen *roaring.Bitmap, floor float64, tie func(a, b scored) int) {
	known, others := make([]scored, 0, len(part)), []scored(nil)
	for _, s := range part {
		if seen.Contains(s.Section) {
			known = append(known, s)
		} else {
			others = append(others, s)
		}
	}
	asked, said := members(known), make([]sdk.Candidate, 0, len(known))
	for i, section := range v.Sections {
		if asked.Contains(uint32(section)) {
			said = append(said, sdk.Candidate{Section: uint32(section), Score: v.Scores[i]})
		}
	}
	if blend(known, floor, mover{v.Source, v.Weight, v.Confidence}, said) {
		copy(part, append(known, others...))
		slices.SortFunc(part, byScore(tie))
	}
}
