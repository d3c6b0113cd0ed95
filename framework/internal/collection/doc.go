// Package collection searches the sections of an external engine. A strategy gathers the sections that a query
// needs. They become a small snapshot with the statistics of the collection, which the rest of a search uses
// like the snapshot of an index. The package knows no engine and does not rank.
package collection
