package rule

import (
	"slices"
	"sync"

	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
	"github.com/sagasu-search/sagasu/sdk/x/loanword"
)

var (
	katakana = lazyregexp.New(`^[\p{Katakana}ー]{2,}$`)
	spoken   = lazyregexp.New(`[a-z]{3,}`)
)

// leastLikeSound is how alike a loanword and its origin sound at least.
const leastLikeSound = .6

// loans leads from the katakana that no glossary holds to the ideas of the words of a
// program that sound like it.
type loans struct {
	words func() map[string][]string // by the key of their sound; heard when one is asked for
	known map[string]Words           // what a loanword was led to, nil where to nothing
}

func hear(sources []Source) *loans {
	return &loans{sync.OnceValue(func() map[string][]string { return bySound(sources) }), map[string]Words{}}
}

// bySound collects the words of some sources.
func bySound(sources []Source) map[string][]string {
	words, seen := map[string][]string{}, map[string]bool{}
	for i := range sources {
		for _, word := range spoken().FindAllString(text.Fold(apartWords(sources[i].Path+" "+sources[i].text)), -1) {
			if seen[word] {
				continue
			}
			seen[word] = true
			if key := loanword.OfEnglish(word).Key; len(key) > 1 {
				words[key] = append(words[key], word)
			}
		}
	}
	return words
}

// origin are the ideas of what a loanword, or each of its two parts, sounds like.
func (l *loans) origin(kana string) Words {
	if ideas, ok := l.known[kana]; ok {
		return ideas
	}
	ideas := l.sounding(kana)
	runes := []rune(kana)
	for i := 2; ideas == nil && i <= len(runes)-2; i++ {
		if a, b := l.sounding(string(runes[:i])), l.sounding(string(runes[i:])); a != nil && b != nil {
			ideas = a.with(b)
		}
	}
	l.known[kana] = ideas
	return ideas
}

// sounding are the ideas of the word that sounds most like a loanword, nil without one.
func (l *loans) sounding(kana string) Words {
	said, best, word := loanword.OfKana(kana), leastLikeSound, ""
	for _, w := range l.words()[said.Key] {
		if alike := said.Alike(loanword.OfEnglish(w)); alike > best || alike == best && word == "" {
			best, word = alike, w
		}
	}
	if len(said.Key) < 2 || word == "" {
		return nil
	}
	if ideas := Read(word); len(ideas) > 0 {
		return ideas
	}
	return nil
}

// translate puts the origins of loanwords in their place.
func (l *loans) translate(words Words) Words {
	found := words
	for word := range words {
		if katakana().MatchString(word) {
			if ideas := l.origin(word); ideas != nil {
				found = found.without(Words{word: true}).with(ideas)
			}
		}
	}
	return found
}

// translated are sources whose loanwords are those of others.
func (l *loans) translated(sources []Source) []Source {
	all := slices.Clone(sources)
	for i := range all {
		s := &all[i]
		s.Names, s.Topic, s.Rules = l.translate(s.Names), l.translate(s.Topic), slices.Clone(s.Rules)
		for j := range s.Rules {
			r := &s.Rules[j]
			for _, words := range []*Words{&r.About, &r.Outcome, &r.First, &r.Then, &r.wanted} {
				if *words != nil {
					*words = l.translate(*words)
				}
			}
		}
	}
	return all
}
