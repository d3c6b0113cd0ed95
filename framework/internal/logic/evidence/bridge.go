package evidence

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// bridge is what specifications that match a question say about programs.
type bridge struct {
	words map[string]float64 // weights by term
	paths map[string]float64 // certainty by file, from 0 to 1
	sure  float64            // certainty of a path in the best unit

	*ranking
	z text.Tokenizer
}

// bridge reads the best units of the specifications: all of their words, and the paths in the other units of their
// files, because many specifications list their programs at the end. If few files match, those paths count little.
func (r *ranking) bridge() *bridge {
	b := &bridge{words: map[string]float64{}, paths: map[string]float64{}, ranking: r}
	if len(r.specs) > 0 {
		b.sure = r.specs[0].coverage * r.specs[0].coverage // the best unit may hardly match
	}
	leading, led := r.specs[:min(len(r.specs), leadingUnits)], map[uint32]bool{}
	for _, h := range leading {
		led[h.ID] = true
		b.read(h.Section, h.score/leading[0].score, true)
	}
	mates := mateShare * (1 - 1/float64(len(files(r.specs))))
	firsts := files(leading)
	for i, h := range firsts[:min(len(firsts), leadingFiles)] {
		for it := b.snap.Keyword(fileKeyword(h.Path)).Iterator(); it.HasNext(); {
			if s, ok := b.snap.Section(it.Next()); ok && !led[s.ID] {
				b.read(s, h.score/leading[0].score*mates/float64(i+1), false)
			}
		}
	}
	return b
}

func fileKeyword(path string) string { return "file:/" + path }

// mentions matches anything that looks like a path or a file name.
var mentions = lazyregexp.New(`[\w@.\-]*(?:/[\w@.\-]+)+|[\w\-]+\.[A-Za-z]{1,5}\b`)

var latin = lazyregexp.New(`[A-Za-z]{2}`)

// read collects the paths of a unit and, if words is set, its words. share is how well the unit matches. Lines that
// name what is asked count most.
func (b *bridge) read(s snapshot.Section, share float64, words bool) {
	file, _, _ := strings.Cut(b.snap.Source(s.ID, snapshot.FieldContext), "\n") // the headings say "Requirement"
	written := file + "\n" + b.snap.Source(s.ID, snapshot.FieldName) + "\n" + b.snap.Source(s.ID, snapshot.FieldOwn)
	for line := range strings.Lines(written) {
		if !latin().MatchString(line) {
			continue // without Latin letters it cannot name a part of a program
		}
		found := mentions().FindAllString(line, -1)
		if len(found) == 0 && !words {
			continue
		}
		norm := text.Normalize(line)
		weight := share * (lineFloor + (1-lineFloor)*b.question.share(norm.Norm))
		for _, m := range found {
			if file, ok := b.lexicon.named(m); ok {
				b.paths[file] = max(b.paths[file], weight*b.sure)
			}
		}
		if words {
			b.say(&norm, weight)
		}
	}
}

// say counts the words of a line that may occur in a program.
func (b *bridge) say(line *text.Text, weight float64) {
	seen := map[string]bool{}
	for _, t := range content(&b.z, line) {
		program := (t.Class == text.Word || t.Class == text.Whole) && len(t.form) > 2 &&
			t.form[0] >= 'a' && t.form[0] <= 'z'
		if program && !seen[t.Term] {
			seen[t.Term] = true
			b.words[t.Term] += weight
		}
	}
}

// query returns a query for the words with the highest weights, and the maximum score of a unit.
func (b *bridge) query() (q lexical.Query, ideal float64) {
	n := b.snap.Population()
	value := func(term string) float64 { return b.words[term] * lexical.IDF(n, b.snap.DocFreq(term)) }
	terms := slices.SortedFunc(maps.Keys(b.words), func(x, y string) int {
		return cmp.Or(cmp.Compare(value(y), value(x)), cmp.Compare(x, y))
	})
	for _, t := range terms[:min(len(terms), mostSaid)] {
		q.Terms = append(q.Terms, lexical.Term{Text: t, Weight: b.words[t], Slot: -1})
		ideal += value(t)
	}
	return q, ideal
}
