// Package query turns what somebody typed into an [sdk.Query]: its terms with their kinds, its intent and
// the text that is scored. Pure functions. What the corpus knows, such as the words that were meant by
// misspelt ones, is added by the search.
package query
