package language

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

const (
	// mostLetters is the maximum number of non-ASCII letters of an alphabet.
	mostLetters = 72
	// leastShare is the minimum share of such a letter among all characters.
	leastShare = 2e-5
	// unseen is the weight, in characters, of transitions that were not seen.
	unseen = 3
	// signs is the share of signs that is added to a text, since manuals have more of them than other texts.
	signs = 0.002
	// mostUnits is the highest cost of one step.
	mostUnits = 20
)

// Train makes the model of a language from a text. more lists further characters of the language.
func Train(code, text, more string) *Model {
	m := &Model{Code: code, letters: map[rune]class{}, within: map[rune]unit{}}
	seen, all := map[rune]int{}, 0
	for _, r := range text {
		seen[fold(r)]++
		all++
	}
	m.alphabet(seen, all)
	m.width = int(firstLetter) + len(m.letters)
	follow := make([]float64, m.width*m.width)
	var capital [3][2]float64
	within := map[class]map[rune]float64{}
	s := newState()
	for _, r := range text {
		before := s
		s.step(m, r)
		follow[int(before.class)*m.width+int(s.class)]++
		if s.letter != none {
			capital[before.letter][s.letter-small]++
		}
		if s.class < firstLetter && s.class != space {
			if within[s.class] == nil {
				within[s.class] = map[rune]float64{}
			}
			within[s.class][fold(r)]++
		}
	}
	m.hint(within, more)
	m.follow(follow)
	for i, row := range capital {
		for j, n := range row {
			m.capital[i][j] = units((n + 1) / (row[0] + row[1] + 2))
		}
	}
	for c, n := range within {
		if c != control && c != foreign {
			m.emission(c, n)
		}
	}
	return m
}

// hint adds further characters of the language to the counts.
func (m *Model) hint(within map[class]map[rune]float64, more string) {
	// All hints together get this share of their class.
	share := func(c class) float64 {
		if c == sign {
			return 0.25 // messages have fewer kinds of signs than manuals
		}
		return 0.05
	}
	hints := map[class][]rune{}
	for _, r := range more {
		c, _ := m.classify(r)
		hints[c] = append(hints[c], r)
	}
	for c, runes := range hints {
		total := 0.0
		for _, r := range slices.Sorted(maps.Keys(within[c])) {
			total += within[c][r]
		}
		for _, r := range runes {
			if within[c] != nil {
				within[c][fold(r)] += share(c) * total / float64(len(runes))
			}
		}
	}
}

// alphabet chooses the letters that get their own classes.
func (m *Model) alphabet(seen map[rune]int, all int) {
	var usual []rune
	inASCII := 0
	for r, n := range seen {
		if r >= 'a' && r <= 'z' {
			inASCII += n
		}
		if c, _ := m.classify(r); c == foreign && float64(n) >= leastShare*float64(all) {
			usual = append(usual, r)
		}
	}
	slices.SortFunc(usual, func(a, b rune) int { return cmp.Or(cmp.Compare(seen[b], seen[a]), cmp.Compare(a, b)) })
	usual = usual[:min(len(usual), mostLetters)]
	beyond := 0
	for _, r := range usual {
		beyond += seen[r]
	}
	east := 0
	for r, n := range seen {
		if c, _ := m.classify(r); c >= han && c <= hangul {
			east += n
		}
	}
	switch {
	case east > all/10: // among Chinese characters, letters of other alphabets are signs
		usual = nil
	case inASCII > beyond:
		for r := 'a'; r <= 'z'; r++ {
			usual = append(usual, r)
		}
	}
	slices.Sort(usual)
	for i, r := range usual {
		m.letters[r] = firstLetter + class(i)
	}
}

// follow computes costs from the counts of successive classes.
func (m *Model) follow(n []float64) {
	m.after = make([]unit, len(n))
	single, total := make([]float64, m.width), 0.0
	for i, n := range n {
		single[i%m.width] += n
		total += n
	}
	for row := range m.width {
		before := 0.0
		for _, n := range n[row*m.width:][:m.width] {
			before += n
		}
		n[row*m.width+int(sign)] += signs * before
		for c := range m.width {
			p := (n[row*m.width+c] + unseen*(single[c]+1)/(total+float64(m.width))) / (before + unseen)
			m.after[row*m.width+c] = units(p)
		}
	}
}

// emission computes costs from the counts of the characters of a class.
func (m *Model) emission(c class, n map[rune]float64) {
	const others = 3 // unseen characters together weigh as much as this many
	total := others + 0.0
	for _, r := range slices.Sorted(maps.Keys(n)) {
		total += n[r]
	}
	for r, n := range n {
		if u := units(n / total); u < rare[c] {
			m.within[r] = u
		}
	}
}

// units returns the cost of an event with probability p.
func units(p float64) unit {
	return unit(min(mostUnits, math.Round(-math.Log2(p))))
}
