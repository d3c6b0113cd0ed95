// Package index keeps the snapshot of a corpus up to date: it notices that
// files changed, builds a new snapshot with one builder per index directory
// among all processes, publishes it, hands out counted references to the
// newest, removes old ones and replaces damaged ones.
//
// How files become sections is framework/corpus's business, how a snapshot
// looks on disk sdk/snapshot's.
package index
