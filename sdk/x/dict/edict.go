package dict

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/charset"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// EDICT reads a dictionary in the format EDICT or EDICT2, in EUC-JP or UTF-8, such as the files in Debian's package
// edict. skipped counts the lines without a translation. The error names the line.
func EDICT(r io.Reader) (all Translations, skipped int, err error) {
	src, err := io.ReadAll(io.LimitReader(r, MaxBilingualBytes+1))
	if err != nil {
		return nil, 0, fmt.Errorf("edict: %w", err)
	}
	if len(src) > MaxBilingualBytes {
		return nil, 0, fmt.Errorf("edict: the file has more than %d bytes", MaxBilingualBytes)
	}
	if !utf8.Valid(src) {
		if src, err = charset.Decode(src, "euc-jp"); err != nil || bytes.ContainsRune(src, utf8.RuneError) {
			return nil, 0, errors.New("edict: the file is neither UTF-8 nor EUC-JP")
		}
	}
	c := edictCollector{english: map[string][]ranked{}, japanese: map[string][]ranked{}}
	n := 0
	for line := range bytes.Lines(bytes.TrimPrefix(src, []byte("\uFEFF"))) {
		if n++; n == 1 && bytes.HasPrefix(line, []byte(edictHeader)) {
			continue
		}
		e, ok := parseEdict(strings.TrimRight(string(line), "\r\n"))
		if !ok {
			return nil, 0, fmt.Errorf("edict: line %d is not WORD [READING] /gloss/gloss/", n)
		}
		if !c.add(&e) {
			skipped++
		}
	}
	if len(c.english) == 0 {
		return nil, 0, errors.New("edict: the file holds no word with its English")
	}
	return c.translations(), skipped, nil
}

// edictHeader begins the first line, which is about the file.
const edictHeader = "　？？？"

// edictEntry is a line.
type edictEntry struct {
	words, readings []string
	glosses         []string
	common          bool // marked (P)
}

// parseEdict reads "word;word [reading;reading] /gloss/gloss/".
func parseEdict(line string) (e edictEntry, ok bool) {
	head, rest, ok := strings.Cut(line, " /")
	rest, whole := strings.CutSuffix(rest, "/") // missing in the last line of a truncated file
	if !ok || rest != "" && !whole {
		return e, false
	}
	words, readings, _ := strings.Cut(head, " [")
	e.words = edictWords(words)
	e.readings = edictWords(strings.TrimSuffix(readings, "]"))
	for g := range strings.SplitSeq(rest, "/") {
		switch {
		case g == "(P)":
			e.common = true
		case !strings.HasPrefix(g, "EntL"): // the number of the entry in EDICT2
			e.glosses = append(e.glosses, g)
		}
	}
	return e, true
}

// edictWords returns the spellings in a head, without the marks after them.
func edictWords(head string) (out []string) {
	for w := range strings.SplitSeq(head, ";") {
		w, _, _ = strings.Cut(w, "(")
		if w != "" {
			out = append(out, w)
		}
	}
	return out
}

// ranked is a translation; a lower rank is better.
type ranked struct {
	word string
	rank int
}

// edictCollector collects the translations of all entries.
type edictCollector struct {
	english, japanese map[string][]ranked
	stems             text.Tokenizer
}

const (
	mostEnglish  = 12      // maximum number of translations of a Japanese word
	mostJapanese = 24      // maximum number of translations of an English phrase
	rare         = 8       // number of ranks by which an uncommon word comes later
	mostWords    = 4       // maximum number of content words in a gloss
	mostGloss    = 1 << 10 // maximum bytes of a gloss with its remarks
	mostHead     = 16      // maximum characters of a Japanese word
)

var (
	aside = lazyregexp.New(`\([^()]*\)|\{[^{}]*\}|"`)
	dated = lazyregexp.New(`\((?:obsc|obs|arch|ok|oK|iK|ik|rare|dated)\)`)
)

// add adds the glosses of an entry and reports whether it had any.
func (c *edictCollector) add(e *edictEntry) bool {
	rank := 0
	if !e.common {
		rank = rare
	}
	var glosses []ranked
	var keys []string
	heads, outdated := e.words, false
	for _, g := range e.glosses {
		if strings.HasPrefix(g, "(") { // a sense may begin
			outdated = dated().MatchString(g)
		}
		if strings.Contains(g, "(uk)") { // usually written in kana
			heads = slices.Concat(e.words, e.readings)
		}
		if word, key := c.gloss(g); word != "" && !outdated {
			glosses, keys = append(glosses, ranked{word, rank + len(glosses)}), append(keys, key)
		}
	}
	for _, h := range heads {
		h, reason := fold(h)
		if reason != "" || utf8.RuneCountInString(h) > mostHead || !text.HasCJK(h) || strings.ContainsAny(h, ";#") {
			continue
		}
		for i, g := range glosses {
			c.english[h] = append(c.english[h], g)
			c.japanese[keys[i]] = append(c.japanese[keys[i]], ranked{h, g.rank})
		}
	}
	return len(glosses) > 0
}

// gloss returns the part of a gloss that may occur in a text, and its key. Both are "" if it is too long or not
// English.
func (c *edictCollector) gloss(g string) (word, key string) {
	if len(g) > mostGloss {
		return "", ""
	}
	for last := ""; g != last; {
		last, g = g, aside().ReplaceAllString(g, " ")
	}
	g = strings.Join(strings.Fields(text.Fold(g)), " ")
	for _, lead := range []string{"to be ", "to ", "a ", "an ", "the "} {
		if rest, ok := strings.CutPrefix(g, lead); ok {
			g = rest
			break
		}
	}
	g = strings.TrimRight(strings.TrimSuffix(g, "etc."), " ,.!?:;")
	if strings.Contains(g, ";") || text.HasCJK(g) || utf8.RuneCountInString(g) > MaxRunes {
		return "", ""
	}
	if key = englishKey(&c.stems, g); key == "" || strings.Count(key, " ") >= mostWords {
		return "", ""
	}
	return g, key
}

// translations returns the translations of all entries.
func (c *edictCollector) translations() Translations {
	out := make(Translations, len(c.english)+len(c.japanese))
	for key, all := range c.english {
		out[key] = best(all, mostEnglish)
	}
	for key, all := range c.japanese {
		out[key] = best(all, mostJapanese)
	}
	return out
}

// best returns the words with the lowest ranks, each once.
func best(all []ranked, most int) (out []string) {
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	for _, r := range all {
		if len(out) < most && !slices.Contains(out, r.word) {
			out = append(out, r.word)
		}
	}
	return out
}
