package page

import (
	"fmt"
	"math"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/fusion"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/lexical"
)

// hit is a found section with its explanation.
type hit struct {
	search.Row
	Rank    int // from 1, as the search ranked it
	Now     int // its rank with other weights, or 0
	Pieces  []piece
	Bar     []bar
	Held    []string // terms of the query that it holds
	Lacking []string // terms of the query that it does not hold
	Thumb   verdict
}

// Moved returns by how many ranks a hit rose; it is negative if the hit fell.
func (h hit) Moved() int { return h.Rank - h.Now }

// placeOf returns the name of a section as requests use it.
func placeOf(r toolset.Ref) string {
	name := r.ManualID + "/" + r.Path
	if r.StartLine > 0 {
		name += fmt.Sprintf("#L%d", r.StartLine)
	}
	return name
}

// newHit describes a row of candidates; words are the terms of the query.
func newHit(rank int, row search.Row, s search.Snippet, words []string) hit {
	h := hit{Row: row, Rank: rank, Pieces: pieces(s)}
	for _, w := range words {
		if holds(row.Terms, w) {
			h.Held = append(h.Held, w)
		} else {
			h.Lacking = append(h.Lacking, w)
		}
	}
	return h
}

// holds reports whether the matched terms of a section include a term of the query, or all its tokens.
func holds(matched []string, term string) bool {
	lacking := func(token string) bool { return !slices.Contains(matched, token) }
	return !lacking(term) || !slices.ContainsFunc(lexical.TokenNames(term), lacking)
}

// where returns the name of a place as people write it.
func where(r toolset.Ref) string {
	name := path.Join(r.ManualID, r.Path)
	if r.StartLine > 0 {
		name = fmt.Sprintf("%s:%d", name, r.StartLine)
	}
	return shorten(name, mostPath)
}

// address returns the address of the page that shows a place.
func address(r toolset.Ref) string {
	values := url.Values{"manual": {r.ManualID}, "path": {r.Path}}
	if r.StartLine > 0 {
		values.Set("line", fmt.Sprint(r.StartLine))
	}
	return "read?" + values.Encode()
}

// bar is one contribution as it is drawn, in hundredths of the width.
type bar struct {
	fusion.Contribution
	At, Width float64
	Color     int  // number of the source
	Minus     bool // it lowers the score
}

// sourcesOf lists the sources that contributed to any candidate of a search, in the order in which they first appear,
// so that a source keeps its colour when weights change.
func sourcesOf(t *search.Trace) (names []string) {
	for _, c := range t.Candidates {
		for _, x := range c.Contributions {
			if !slices.Contains(names, x.Source) {
				names = append(names, x.Source)
			}
		}
	}
	return names
}

// draw lays out the bars of hits on one scale. Positive contributions are side by side, and negative ones cover their
// end, so that the score is where the uncovered part ends.
func draw(hits []hit, sources []string) {
	longest := 0.0
	gain := func(h hit) (sum float64) {
		for _, x := range h.Explain {
			sum += max(x.Amount, 0)
		}
		return sum
	}
	for _, h := range hits {
		longest = max(longest, gain(h))
	}
	if longest == 0 {
		return
	}
	for i := range hits {
		h := &hits[i]
		h.Bar = nil
		at, end := 0.0, gain(*h)
		for _, x := range h.Explain {
			b := bar{Contribution: x, At: at, Width: x.Amount, Color: slices.Index(sources, x.Source)}
			if x.Amount < 0 {
				end += x.Amount
				b.At, b.Width, b.Minus = end, -x.Amount, true
			} else {
				at += x.Amount
			}
			b.At, b.Width = percent(b.At, longest), percent(b.Width, longest)
			if b.Width > 0 {
				h.Bar = append(h.Bar, b)
			}
		}
		minus := func(b bar) bool { return b.Minus }
		plus := slices.DeleteFunc(slices.Clone(h.Bar), minus)
		taken := slices.DeleteFunc(h.Bar, func(b bar) bool { return !minus(b) })
		h.Bar = slices.Concat(plus, taken) // negative contributions are drawn last
	}
}

func percent(part, whole float64) float64 { return math.Round(10000*part/whole) / 100 }

// Sum returns the contributions and their sum as text.
func (h hit) Sum() string {
	var b strings.Builder
	for i, x := range h.Explain {
		switch {
		case x.Amount < 0:
			fmt.Fprintf(&b, " − %s %.3f", x.Source, -x.Amount)
		case i > 0:
			fmt.Fprintf(&b, " + %s %.3f", x.Source, x.Amount)
		default:
			fmt.Fprintf(&b, "%s %.3f", x.Source, x.Amount)
		}
	}
	return fmt.Sprintf("%s = %.3f", strings.TrimPrefix(b.String(), " "), *h.Score)
}
