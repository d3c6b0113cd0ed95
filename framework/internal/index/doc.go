// Package index keeps the snapshot of a corpus up to date: it notices changed files, writes them as
// a small segment with tombstones for what they replace, merges segments in the background, and
// publishes snapshots. Only one process at a time builds in an index directory. It hands out
// counted references to the newest snapshot, removes old snapshots and replaces damaged ones.
//
// One goroutine at a time holds the update lock and scans, builds or installs. The system reports changed
// files (fsnotify); a search starts an update when there are changes and waits for it, unless it takes
// long: then it gets the latest published snapshot. Where the system does not report changes, the files
// are walked at most once a second.
//
// Which files there are and how they become rows is decided by a [corpus.Source], how a snapshot
// looks on disk by sdk/snapshot.
package index
