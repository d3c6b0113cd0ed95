package sdktest

import (
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/query"
)

// Query returns the plan that the host makes of a query with default settings: its terms, its intent and its text for
// scoring. Unlike the host, it does not correct misspelt words, which requires a corpus.
func Query(raw string) sdk.Query {
	q, _ := query.Plan(raw, query.DefaultThreshold)
	return q
}
