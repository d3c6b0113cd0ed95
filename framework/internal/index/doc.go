// Package index keeps the snapshot of a corpus up to date: it notices that
// files changed, writes them as a small segment beside the others with
// tombstones for what they replace, merges segments in the background,
// publishes with one builder per index directory among all processes, hands out
// counted references to the newest snapshot, removes old ones, replaces damaged
// ones, and builds anew when the directory is removed.
//
// One goroutine at a time holds the turn and looks, builds or adopts. The system
// tells of changes to files (fsnotify); a search starts an update if there are
// any and waits for it, unless it is long: then it gets what is published so
// far. What is not told, because a limit is reached or watching is off, is found
// by walking at most once a second.
//
// How files become sections is framework/corpus's business, how a snapshot
// looks on disk sdk/snapshot's.
package index
