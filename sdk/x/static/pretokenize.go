package static

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
)

// preTokenizer returns the function for a step.
func (s *step) preTokenizer() (func([]string) []string, error) {
	switch s.Type {
	case "BertPreTokenizer":
		return each(func(r rune) class {
			if unicode.IsSpace(r) {
				return gap
			}
			return punctuation(r)
		}), nil
	case "Whitespace":
		return each(func(r rune) class {
			switch {
			case unicode.IsSpace(r):
				return gap
			case r == '_' || unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc):
				return 1
			}
			return 2
		}), nil
	case "WhitespaceSplit":
		return each(func(r rune) class {
			if unicode.IsSpace(r) {
				return gap
			}
			return 1
		}), nil
	case "Punctuation":
		if cmp.Or(s.Behavior, "Isolated") != "Isolated" {
			return nil, fmt.Errorf("the pre-tokenizer Punctuation cannot be read with the behavior %.40q", s.Behavior)
		}
		return each(punctuation), nil
	case "Digits":
		return each(func(r rune) class {
			switch {
			case !unicode.In(r, unicode.N):
				return 1
			case s.Individual:
				return single
			}
			return 2
		}), nil
	case "Metaspace":
		return s.metaspace()
	}
	return nil, fmt.Errorf("the pre-tokenizer %.40q cannot be read", s.Type)
}

// class is the role of a character in words. Adjacent characters of the same class form a word.
type class int

const (
	gap    class = 0  // between words
	single class = -1 // a word by itself
)

// each splits words where the class of their characters changes.
func each(of func(rune) class) func([]string) []string {
	return func(words []string) (out []string) {
		for _, w := range words {
			from, now := 0, gap
			for i, r := range w {
				c := of(r)
				if c == now && c != single {
					continue
				}
				if now != gap {
					out = append(out, w[from:i])
				}
				from, now = i, c
			}
			if now != gap {
				out = append(out, w[from:])
			}
		}
		return out
	}
}

// punctuation makes a word of each character that BERT's tokenizer treats as punctuation, including ASCII symbols.
func punctuation(r rune) class {
	if unicode.IsPunct(r) || r < 0x80 && unicode.IsSymbol(r) {
		return single
	}
	return 1
}

// metaspace replaces spaces by a mark and, by default, begins a word at each.
func (s *step) metaspace() (func([]string) []string, error) {
	mark := cmp.Or(s.Replacement, "▁")
	scheme := s.PrependScheme
	if scheme == "" {
		scheme = "never"
		if yes(s.AddPrefixSpace) {
			scheme = "always"
		}
	}
	if scheme != "always" && scheme != "first" && scheme != "never" {
		return nil, fmt.Errorf("the pre-tokenizer Metaspace cannot be read with the scheme %.40q", scheme)
	}
	return func(words []string) (out []string) {
		for i, w := range words {
			w = strings.ReplaceAll(w, " ", mark)
			if (scheme == "always" || scheme == "first" && i == 0) && !strings.HasPrefix(w, mark) {
				w = mark + w
			}
			if !yes(s.Split) {
				out = append(out, w)
				continue
			}
			for w != "" {
				end := len(w)
				if next := strings.Index(w[1:], mark); next >= 0 {
					end = next + 1
				}
				out, w = append(out, w[:end]), w[end:]
			}
		}
		return out
	}, nil
}
