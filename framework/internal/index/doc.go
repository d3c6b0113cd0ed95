// Package index keeps the snapshot of a corpus up to date: it notices changed files, writes them as
// a small segment with tombstones for what they replace, merges segments in the background, and
// publishes snapshots. Only one process at a time builds in an index directory. It hands out
// counted references to the newest snapshot, removes old snapshots and replaces damaged ones.
//
// One goroutine at a time holds the update lock and scans, builds or installs. The system reports changed files
// (fsnotify). A search starts an update when there are changes and waits for it; if the update takes long, the search
// gets the latest published snapshot. If the system does not report changes, the files are walked at most once a
// second.
//
// A [corpus.Source] decides which files there are and how they become rows, sdk/snapshot how a snapshot looks on
// disk.
package index
