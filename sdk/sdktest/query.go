package sdktest

import (
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/query"
)

// Query returns the plan that the host makes of a query by default, as strategies get it: its terms, its intent, its
// text for scoring. The host adds what only the corpus shows: the words that were meant by misspelt ones.
func Query(raw string) sdk.Query {
	q, _ := query.Plan(raw, query.DefaultThreshold)
	return q
}
