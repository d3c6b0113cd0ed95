package tension

import (
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/quantity"
)

const mostAmounts = 12 // of one sentence

// amounts returns what the numbers of a folded sentence count.
func amounts(s string) []quantity.Amount {
	all := slices.DeleteFunc(quantity.Read(s), func(a quantity.Amount) bool { return a.Dimension == "" })
	return all[:min(len(all), mostAmounts)]
}

// compareAmounts reports whether two sentences share a dimension without a common value, whether it is one of the
// calendar, and whether they share a value.
func compareAmounts(a, b []quantity.Amount) (differs, dated, agrees bool) {
	for i := range a {
		shared, equal := false, false
		for j := range b {
			if a[i].Dimension == b[j].Dimension {
				shared = true
				equal = equal || a[i].HeldBy(&b[j]) || b[j].HeldBy(&a[i])
			}
		}
		switch {
		case equal:
			agrees = true
		case shared && !differs:
			differs, dated = true, a[i].Dated()
		}
	}
	return differs, dated, agrees
}
