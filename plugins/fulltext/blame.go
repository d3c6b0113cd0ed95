package fulltext

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/x/patentquery"
)

// mostBlamed is the maximum number of parts that a warning names.
const mostBlamed = 5

// blame returns why a query found nothing: the parts of its AND that no publication matches, or otherwise those without
// which it would match.
func (c *compiler) blame(ctx context.Context, scope *roaring.Bitmap, query patentquery.Node) []string {
	and, ok := query.(patentquery.And)
	if !ok {
		and.Nodes = []patentquery.Node{query}
	}
	finds := func(n patentquery.Node) bool {
		return !lexical.Evaluate(ctx, c.snap, scope, c.expr(n), c.ranking, 0).Matched.IsEmpty()
	}
	var absent, decisive []patentquery.Node
	for i, part := range and.Nodes {
		if !finds(part) {
			absent = append(absent, part)
		} else if rest := without(and, i); finds(rest) {
			decisive = append(decisive, part)
		}
	}
	switch {
	case ctx.Err() != nil:
		return nil
	case len(absent) > 0:
		return []string{"no publication in scope matches " + named(absent) + ": correct it, or give synonyms by OR"}
	case len(decisive) > 0:
		return []string{"each part of the query matches something, but not together; it would find something " +
			"without " + named(decisive)}
	}
	return nil
}

// without returns an AND without one of its parts.
func without(and patentquery.And, i int) patentquery.Node {
	rest := slices.Delete(slices.Clone(and.Nodes), i, i+1)
	if len(rest) == 1 {
		return rest[0]
	}
	return patentquery.And{Nodes: rest}
}

// mostNamed is the maximum length in bytes of a part in a warning.
const mostNamed = 100

// named lists parts on one line, as written in the query.
func named(parts []patentquery.Node) string {
	var out []string
	for _, p := range parts[:min(len(parts), mostBlamed)] {
		s := strings.Map(printable, p.String())
		if len(s) > mostNamed {
			s = strings.ToValidUTF8(s[:mostNamed], "") + "…"
		}
		out = append(out, s)
	}
	return strings.Join(out, " and ")
}

func printable(r rune) rune {
	if !unicode.IsGraphic(r) { // as the host requires of warnings
		return ' '
	}
	return r
}
