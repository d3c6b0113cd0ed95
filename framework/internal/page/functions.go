package page

import (
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// functions returns what templates call.
func (l *locale) functions() template.FuncMap {
	ref := func(manual, path string, line int) toolset.Ref {
		return toolset.Ref{ManualID: manual, Path: path, StartLine: line}
	}
	return template.FuncMap{
		"t": l.say, "code": l.code, "tag": func() string { return l.Tag }, "lang": languageOf,
		"style": style, "address": address, "where": where, "asked": placeOf, "document": document, "ref": ref,
		"number": func(x *float64) float64 { return *x },
		"short":  func(s string) string { return shorten(s, mostName) },
		"path":   func(s string) string { return shorten(s, mostPath) },
		"long":   func(s string) string { return shorten(s, mostText) },
		"join":   joined, "color": func(i int) int { return i % colors }, "index_of": slices.Index[[]string],
		"minus": func(n int) int { return -n }, "less": func(a, b float64) float64 { return a - b },
		"hundred": func(x float64) float64 { return 100 * x }, "limits": limits, "ms": milliseconds,
		"item": func(v view, h any) item {
			if s, ok := h.(judgedHit); ok {
				return item{v, s.hit}
			}
			return item{v, h.(hit)}
		},
		"place": func(static bool, manual, path string, line int) spot { return spot{static, ref(manual, path, line)} },
	}
}

// item is a hit with the view that it is drawn in.
type item struct {
	View view
	Hit  hit
}

// spot is a place with how it is drawn.
type spot struct {
	Static bool
	Ref    toolset.Ref
}

// colors is the number of colours that the stylesheet has for sources.
const colors = 12

func joined(all []piece) string {
	var b strings.Builder
	for _, p := range all {
		b.WriteString(p.Text)
	}
	return b.String()
}

// limits returns the numbers of hits to choose from, including the chosen one.
func limits(chosen string) []string {
	usual := []int{5, defaultHits, 20, 50, mostHits}
	if n, err := strconv.Atoi(chosen); err == nil && n > 0 && n <= mostHits && !slices.Contains(usual, n) {
		usual = append(usual, n)
		slices.Sort(usual)
	}
	var out []string
	for _, n := range usual {
		out = append(out, strconv.Itoa(n))
	}
	return out
}

// milliseconds formats a duration; one that was not measured is a dash.
func milliseconds(d time.Duration) string {
	if d == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f ms", float64(d)/1e6)
}

// languageOf guesses the language of a text of a manual.
func languageOf(s string) string {
	if text.HasCJK(s) {
		return "ja"
	}
	return "en"
}
