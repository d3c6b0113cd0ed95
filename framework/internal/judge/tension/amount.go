package tension

import (
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/quantity"
)

const mostAmounts = 12 // of one sentence

// amounts returns the amounts in a folded sentence.
func amounts(s string) []quantity.Amount {
	all := slices.DeleteFunc(quantity.Read(s), func(a quantity.Amount) bool { return a.Dimension == "" })
	return all[:min(len(all), mostAmounts)]
}

// compareAmounts reports whether two sentences have a common dimension without a common value (differs), whether
// that is a calendar dimension (dated), and whether they have a common value (agrees).
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
