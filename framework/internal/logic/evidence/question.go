package evidence

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// question is a question as weighted terms of a snapshot's dictionary. Each slot of the query is an idea.
type question struct {
	lexical.Query
	ideas []idea
	ideal float64         // above the score of any unit
	names map[string]bool // names of units in loose form that the question may mention
}

// idea is a word of a question, or a piece of it, with other words for it.
type idea struct {
	forms  []string       // possible spellings, normalised
	own    []lexical.Term // terms of the question itself, known or not
	others []lexical.Term // other terms, known to the repository
	slot   int            // -1 for none
	idf    float64        // of the rarest known term, or 0
	frame  bool           // it says little
}

// frame are words for asking about programs; they say little about what is asked.
var frame = strings.Fields(`条件 場合 理由 方法 内容 対応 purpose work works working use used using mean means do does happen happens handle handled
	explain describe tell method methods function functions class classes struct structs variable variables constant constants
	module modules program implementation implement implemented define defined instance create created`)

// reader cuts a question into ideas.
type reader struct {
	snap    *snapshot.Snapshot
	lexicon *lexicon
	z       text.Tokenizer
	said    map[string]float64 // how often a term occurs in the question
	q       question
}

// read cuts a question into ideas: pieces that have other words, and single words.
func read(snap *snapshot.Snapshot, l *lexicon, asked string) question {
	r := &reader{snap: snap, lexicon: l, said: map[string]float64{}}
	r.q.names = map[string]bool{}
	norm := text.Normalize(asked)
	spans, in := r.spans(norm.Norm), -1 // in is the end of the last piece that was begun
	for _, tok := range content(&r.z, &norm) {
		for len(spans) > 0 && spans[0].end <= tok.Start {
			spans = spans[1:]
		}
		inside := len(spans) > 0 && spans[0].start <= tok.Start && tok.End <= spans[0].end
		switch {
		case inside && in != spans[0].end:
			in = spans[0].end
			r.idea(norm.Norm[spans[0].start:in])
			r.others(spans[0].others)
		case inside:
		case tok.Class == text.Word, tok.Class == text.Bigram && !inflected(tok.form):
			r.idea(tok.form)
			r.others(bundled().others[tok.Term])
		default:
			r.idea("")
		}
		r.token(tok)
	}
	r.number()
	return r.q
}

// token is a token with its written form.
type token struct {
	text.Token
	form string
}

// content returns the tokens of a text that carry meaning.
func content(z *text.Tokenizer, norm *text.Text) []token {
	var all []token
	for tok := range z.Tokens(norm) {
		form := norm.Norm[tok.Start:tok.End]
		if tok.Class < text.Bridge && !text.EnglishStop(form) &&
			!(tok.Class >= text.Unigram && text.IsHiragana(form)) {
			all = append(all, token{tok, form})
		}
	}
	return all
}

// idea begins an idea. One without a form adds to the score but not to the coverage.
func (r *reader) idea(form string) {
	i := idea{frame: slices.Contains(frame, form)}
	if form != "" {
		i.forms = []string{form}
	}
	r.q.ideas = append(r.q.ideas, i)
}

// token adds a token of the question to the last idea.
func (r *reader) token(tok token) {
	if tok.Class == text.Word || tok.Class == text.Whole {
		r.q.names[text.Loose(tok.form)] = true
	}
	if r.said[tok.Term]++; r.said[tok.Term] == 1 {
		i := &r.q.ideas[len(r.q.ideas)-1]
		i.own = append(i.own, r.term(i, tok.Term, weightOf(tok)))
	}
}

// others adds other words to the last idea.
func (r *reader) others(others []other) {
	i := &r.q.ideas[len(r.q.ideas)-1]
	for _, o := range others {
		norm := text.Normalize(o.term)
		var terms []string
		for _, t := range content(&r.z, &norm) {
			if t.Class == text.Word || t.Class == text.Bigram {
				terms = append(terms, t.Term)
			}
		}
		i.forms = append(i.forms, norm.Norm)
		for _, t := range terms {
			if r.snap.DocFreq(t) > 0 {
				i.others = append(i.others, r.term(i, t, o.weight/float64(len(terms))))
			}
		}
	}
}

func (r *reader) term(i *idea, term string, weight float64) lexical.Term {
	if df := r.snap.DocFreq(term); df > 0 {
		i.idf = max(i.idf, lexical.IDF(r.snap.Population(), df))
	}
	if i.frame {
		weight *= frameWeight
	}
	return lexical.Term{Text: term, Weight: weight}
}

func weightOf(t token) float64 {
	switch t.Class {
	case text.Exact:
		return exactWeight
	case text.Whole:
		return wholeWeight
	case text.Unigram:
		return 0
	case text.Bigram:
		if inflected(t.form) {
			return endingWeight
		}
	}
	return 1
}

// inflected reports whether a pair of characters contains hiragana. It is then the end of a word and says less than the
// word.
func inflected(form string) bool {
	return strings.ContainsFunc(form, func(r rune) bool { return text.IsHiragana(string(r)) })
}

// number assigns each idea a slot and its share of the coverage. An idea that the repository does not know counts like
// the rarest.
func (r *reader) number() {
	q, n := &r.q, r.snap.Population()
	var total float64
	for k := range q.ideas {
		i := &q.ideas[k]
		if i.slot = -1; len(i.forms) > 0 && len(q.Share) < lexical.MaxSlots {
			share := cmp.Or(i.idf, lexical.IDF(n, 0))
			if i.frame {
				share *= frameWeight
			}
			i.slot, q.Share, total = len(q.Share), append(q.Share, share), total+share
		}
		for k := range i.own {
			t := &i.own[k]
			t.Slot = i.slot
			t.Weight *= math.Sqrt(r.said[t.Text])
			q.ideal += t.Weight * lexical.IDF(n, r.snap.DocFreq(t.Text))
		}
		for k := range i.others {
			i.others[k].Slot = i.slot
		}
		q.Terms = append(append(q.Terms, i.own...), i.others...)
	}
	for i := range q.Share {
		q.Share[i] /= total
	}
}

// calls reports whether the question mentions a unit by one of its names, given one per line.
func (q *question) calls(names string) bool {
	for name := range strings.Lines(names) {
		if q.names[text.Loose(text.Fold(strings.TrimSpace(name)))] {
			return true
		}
	}
	return false
}

// share returns the share of the question whose ideas occur in a normalised line.
func (q *question) share(line string) float64 {
	var sum float64
	for _, i := range q.ideas {
		if i.slot >= 0 && slices.ContainsFunc(i.forms, func(form string) bool { return strings.Contains(line, form) }) {
			sum += q.Share[i.slot]
		}
	}
	return sum
}
