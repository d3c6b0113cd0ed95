// Package lane is the searcher's desk over publications: runs of lanes and of
// fusions, how they are blended, tuned and explained, and snippets within a
// budget. Runs are immutable and named by what shaped them.
//
// It searches nothing itself; what a lane found is handed to it, and what a
// publication says comes from [Publications].
package lane
