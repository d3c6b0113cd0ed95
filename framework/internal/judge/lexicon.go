package judge

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// lexicon numbers the words of one judgement and knows their stems, which for
// English words are those of the index.
type lexicon struct {
	forms  map[string]*form
	stems  text.Tokenizer
	folder text.Folder
	round  int   // the judgement; a form last met in another one has no number yet
	met    int32 // forms and stems in this judgement

	// Empty room for those of the next judgement, and for those of its reading.
	sentences, drafts []sentence
	store             []word
}

// form is a surface form. It keeps what is so in every judgement, and its entry
// in the last one that met it.
type form struct {
	stem  *form // itself where it has no other; nil before it was read
	own   entry // without a number
	entry entry
	round int
}

type entry struct {
	id      int32 // of the stem
	light   bool
	grammar bool
	plain   bool
	stop    bool
}

// mostForms bounds the forms that a lexicon keeps for the next judgement.
const mostForms = 1 << 15

// Lexicons keeps what is known of words between judgements: stemming them anew
// each time would cost more than all else. It never changes a judgement. The zero
// value is ready, and safe for concurrent use; a nil one keeps nothing.
type Lexicons struct{ idle sync.Pool }

// take gives a lexicon in which no word has a number.
func (l *Lexicons) take() *lexicon {
	x := (*lexicon)(nil)
	if l != nil {
		x, _ = l.idle.Get().(*lexicon)
	}
	if x == nil {
		x = &lexicon{forms: make(map[string]*form, 1024)}
	}
	x.round, x.met = x.round+1, 0
	return x
}

// release hands a lexicon on, with the room that the sentences of a judgement and of
// its reading took.
func (l *Lexicons) release(x *lexicon, sentences, drafts []sentence) {
	if l == nil || len(x.forms) > mostForms {
		return
	}
	x.sentences, x.drafts = emptied(sentences), emptied(drafts)
	l.idle.Put(x)
}

// wordsKept is for how many words of a judgement room is kept; most have fewer.
const wordsKept = 1 << 12

// room is empty room for the words of this judgement.
func (x *lexicon) room() []word {
	if x.store == nil {
		x.store = make([]word, 0, wordsKept)
	}
	return x.store
}

// mostSentences bounds the sentences for which room is kept.
const mostSentences = 1 << 12

// emptied is room for sentences as long as it is worth being kept.
func emptied(room []sentence) []sentence {
	if cap(room) > mostSentences {
		return nil
	}
	clear(room)
	return room[:0]
}

// entry looks a surface form up.
func (x *lexicon) entry(surface string) entry {
	f := x.forms[surface]
	if f == nil {
		f = x.add(surface)
	}
	if f.round == x.round {
		return f.entry
	}
	if f.stem == nil {
		x.read(f, surface)
	}
	e := f.own
	switch {
	case f.stem != f && f.stem.round == x.round:
		e.id = f.stem.entry.id
	case f.stem != f:
		e.id = x.met + 1
		x.meet(f.stem, e)
	default:
		e.id = x.met + 1
	}
	x.meet(f, e)
	return e
}

func (x *lexicon) meet(f *form, e entry) {
	f.entry, f.round = e, x.round
	x.met++
}

func (x *lexicon) add(surface string) *form {
	f := &form{}
	x.forms[strings.Clone(surface)] = f // the text may go before the lexicon does
	return f
}

// read finds out what is so of a form in every judgement.
func (x *lexicon) read(f *form, surface string) {
	stem := x.stem(surface)
	if stem == surface && len(stem) > 3 && stem[len(stem)-1] == 's' && stem[len(stem)-2] != 's' && isAlnum(stem[0]) {
		stem = stem[:len(stem)-1] // short plurals, such as dvds
	}
	if s, ok := sensed()[stem]; ok {
		stem = s
	}
	f.own = entry{grammar: grammarWords[surface] || grammarWords[stem], stop: text.EnglishStop(surface)}
	f.own.light = f.own.grammar || lightWords[surface] || lightWords[stem]
	f.own.plain = plainStems()[stem]
	f.stem = f
	if stem != surface {
		if f.stem = x.forms[stem]; f.stem == nil {
			f.stem = x.add(stem)
		}
	}
}

// plainStems are the stems of plainWords.
var plainStems = sync.OnceValue(func() map[string]bool {
	m, x := make(map[string]bool), &lexicon{}
	for form := range plainWords {
		m[x.stem(form)] = true
	}
	return m
})

func (x *lexicon) stem(surface string) string {
	stem := surface
	if c := surface[0]; c < 'a' || c > 'z' {
		return stem
	}
	t := text.Text{Norm: surface}
	for token := range x.stems.Tokens(&t) {
		switch token.Class {
		case text.Word:
			stem = token.Term
		case text.Whole:
			return token.Term
		}
	}
	return stem
}

// plain reports whether what a statement denies is one of plainWords.
func (x *lexicon) plain(s *statement, norm string) bool {
	for _, w := range s.subject {
		if w.id == s.stance.predicate {
			return w.plain && norm[w.start] < utf8.RuneSelf
		}
	}
	return false
}
