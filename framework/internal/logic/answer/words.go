package answer

import (
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/sagasu-search/sagasu/framework/internal/logic/rule"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// word is an idea of a question with its equivalent ideas, and how certain each is.
type word struct {
	forms  map[string]float64
	weight float64 // its share of the question
}

// related is the certainty of an idea that a dictionary lists as close.
const related = .6

// frames are words that say how a question is asked rather than what it asks, and keywords of programming languages.
var frames = lazyregexp.New(`(?i)\b(?:happens?|long|many|much|often|large|big|gets?|got|does|goes|somebody|someone|anybody|user|caller|` +
	`called|call|use[sd]?|there|kinds?|types?|ways?|must|may|can|shall|should|hold|take[ns]?|make[sd]?|tell|told|else|otherwise|` +
	`system|value|case|try|tries|asked|asks|ask|be|been|being|after|while|when|before|most|least|rather|still|` +
	`returns?|throws?|raises?|new|final|default|imports?|requires?|class|package|functions?|module)\b`)

// framesJapanese are such words in Japanese.
var framesJapanese = lazyregexp.New(`^(?:何\p{Han}?|場合|条件|方法|理由|内容|必要)$`)

// closest maps an idea to those that are close to it.
var closest = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for _, e := range dict.Related() {
		terms := []string{}
		for _, term := range e.To {
			if ideas := rule.Ideas(term); len(ideas) == 1 {
				terms = slices.AppendSeq(terms, maps.Keys(ideas))
			}
		}
		for _, term := range terms {
			all[term] = append(all[term], terms...)
		}
	}
	return all
})

// words returns the ideas of a question.
func words(question string) []word {
	all := []word{}
	for _, idea := range slices.Sorted(maps.Keys(rule.Ideas(frames().ReplaceAllString(question, " ")))) {
		if framesJapanese().MatchString(idea) {
			continue
		}
		forms := map[string]float64{}
		for _, other := range closest()[idea] {
			forms[other] = related
		}
		forms[idea] = 1
		all = append(all, word{forms, 1})
	}
	return all
}

// match returns how certainly a text names the word.
func (w word) match(said rule.Words) float64 {
	best := 0.0
	for form, sure := range w.forms {
		if sure > best && said[form] {
			best = sure
		}
	}
	return best
}

// weigh gives each word its share of the question. Words that are rare in the texts weigh more.
func weigh(asked []word, texts []rule.Words) {
	total := 0.0
	for i := range asked {
		w := &asked[i]
		n := 0.0
		for _, t := range texts {
			n += w.match(t)
		}
		w.weight = math.Log(1 + float64(len(texts))/(n+.5))
		total += w.weight
	}
	for i := range asked {
		asked[i].weight /= total
	}
}
