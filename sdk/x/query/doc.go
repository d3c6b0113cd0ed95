// Package query parses a user's query into an [sdk.Query]: its terms with their kinds, its intent and the
// text for scoring. It consists of pure functions. The search adds what depends on the corpus, such as
// corrections of misspelt words.
package query
