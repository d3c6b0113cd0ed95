// Package collection searches sections that an engine elsewhere holds. A strategy gathers those that a query
// needs; they become a small snapshot with the statistics of the collection, which everything else reads as it
// reads that of an index. It knows no engine and ranks nothing.
package collection
