package evidence

import (
	"cmp"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
)

// sameFile is the factor on another unit of a file against one of a file that is not chosen
// yet.
const sameFile = .5

// specShare is the share of the evidence, as its inverse, that is kept for
// specifications where they match (docs/reference/tools/find_logic_evidence.md).
const specShare = 3

// item is a unit with its relevance.
type item struct {
	hit
	relevance float64
	priority  repo.Kind // of its source
}

// choose takes at most so many items of code and of specifications: a third and more of
// specifications, where there are as many; a single item is code, which answers rest on
// first. They come in order of priority and relevance.
func choose(code, specs []item, most int) []item {
	kept := min(len(specs), (most+specShare-1)/specShare)
	if most == 1 {
		kept = 0
	}
	code = spread(code, most-kept)
	specs = spread(specs, most-len(code))
	all := append(code, specs...)
	slices.SortStableFunc(all, func(a, b item) int {
		return cmp.Or(cmp.Compare(a.priority, b.priority), cmp.Compare(b.relevance, a.relevance))
	})
	return all
}

// spread takes the best items, those of files that are chosen already a little later.
func spread(items []item, most int) []item {
	type place struct {
		value float64
		at    int
	}
	seen, places := map[string]float64{}, make([]place, len(items))
	for i, x := range items {
		if seen[x.Path] == 0 {
			seen[x.Path] = 1
		}
		places[i] = place{x.relevance * seen[x.Path], i}
		seen[x.Path] *= sameFile
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(b.value, a.value) })
	var out []item
	for _, p := range places[:min(most, len(places))] {
		out = append(out, items[p.at])
	}
	return out
}
