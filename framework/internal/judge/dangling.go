package judge

import (
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/refer"
)

// unanswered adds the gap of a query that nothing answers although no word and no
// form of it is missing: what answers it best only points to what does not exist,
// defines nothing, or is not there at all.
func (b *builder) unanswered() {
	if len(b.evidences) == 0 {
		return
	}
	if missing := b.dangling(); len(missing) > 0 {
		b.graph.Gaps = append(b.graph.Gaps, Gap{Facet: b.q.intent, Need: needReference, Missing: missing, About: b.q.subjects(0)})
	}
	if len(b.graph.Gaps) > 0 || len(b.graph.Conflicts) > 0 {
		return
	}
	switch {
	case len(b.stood) == 0:
		b.graph.Gaps = append(b.graph.Gaps, Gap{Facet: b.q.intent, Missing: b.q.subjects(b.places[0].text)})
		return
	case b.undefined():
		b.graph.Gaps = append(b.graph.Gaps, Gap{Facet: b.q.intent, Missing: b.q.subjects(0)})
		return
	}
	if !b.settled(0) { // it says what is asked in a form of its own
		b.edge(0, b.stood[0], Supports, b.q.share(b.sentences[b.stood[0]].near))
	}
}

// needReference is the need of a text that is only pointed to.
const needReference = "reference"

// dangling gives the pointers of the claim that answers the query where it says no
// more than that the answer stands there, and none of them leads anywhere.
func (b *builder) dangling() []string {
	if b.in.Resolve == nil || len(b.stood) == 0 {
		return nil
	}
	s := &b.sentences[b.stood[0]]
	pointers := refer.Pointers(s.source, s.norm)
	var out []string
	for i := range pointers {
		if _, ok := b.in.Resolve(s.evidence, pointers[i]); ok {
			return nil
		}
		if name := pointedAt(&pointers[i]); !strings.HasSuffix(name, "を参照") { // the end of one before it
			out = append(out, name)
		}
	}
	if !b.onlyPoints(s, pointers) {
		return nil
	}
	return out
}

// pointedAt is what a pointer calls its target.
func pointedAt(p *refer.Pointer) string {
	switch {
	case p.Title != "":
		return p.Title
	case p.Path != "":
		return p.Path
	}
	return strings.TrimSpace(p.Text)
}

// mostBesidePointer is how many telling words a sentence that only points has besides
// those of the query, of its headings and of the pointer.
const mostBesidePointer = 1

// onlyPoints reports whether a sentence says nothing but where to look.
func (b *builder) onlyPoints(s *sentence, pointers []refer.Pointer) bool {
	rest := b.lex.folder.Fold(s.source)
	for i := range pointers {
		rest = strings.ReplaceAll(rest, b.lex.folder.Fold(pointers[i].Text), " ")
	}
	own := 0
	for _, w := range b.words(rest) {
		if form := rest[w.start:w.end]; !w.light && !w.grammar && !pointsOn[form] && b.q.in(form) == 0 && !strings.Contains(b.places[s.evidence].heading, form) {
			own++
		}
	}
	return own <= mostBesidePointer
}

// pointsOn are the words of pointing itself.
var pointsOn = set(`see refer referred described listed explained given found read according details detail information more follow consult chapter section page table 参照 覧 詳細 詳 従 定 記載 掲載 示 別 事項 見 章 節 項 条`)

// undefined reports whether the query asks what a word means and nothing says it.
func (b *builder) undefined() bool {
	return b.q.intent == sdk.IntentDefinition && containsAny(b.q.norm, asksMeaning[:]) && !b.settled(0)
}

// asksMeaning are asked of a word and not of a thing's value.
var asksMeaning = [...]string{" mean", "meaning of", "definition of", "define ", "とはどういう意味", "の意味", "の定義"}

// subjects gives the terms of a query but those of which a text holds all.
func (q *question) subjects(held uint64) []string {
	out := []string{}
	for _, t := range q.terms {
		if t.pieces == 0 || t.pieces&^held != 0 {
			out = append(out, t.text)
		}
	}
	return out
}
