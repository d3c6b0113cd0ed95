// Package snapshot is the on-disk form of an indexed corpus: immutable segments
// of sections with their text, term dictionary and postings, written once,
// checksummed, and mapped read-only by the host and by every strategy.
//
// A manifest file names a snapshot and lists its segments. The file CURRENT-<kind> holds the name
// of the newest snapshot. A segment is one file: a magic number and a format version, parts that
// each start at a multiple of eight bytes, a table of the parts with a CRC-32C each, and a footer.
// All numbers are little-endian, so that tables are viewed in place.
//
// Reading is promised (see package sdk): [Open], [Snapshot], [Segment], [Postings], [Section] and
// their constants. Writing and following snapshots is not: [Writer], [Schema], [File],
// [Manifest], [SegmentInfo], the functions that take or return them or names of files, and the
// methods Delete, Files and Info of Segment and Check, FileOf, Files, Manifest, Outlive, StartsIn,
// Successor and Views of Snapshot.
//
// The host and the strategies watch files, decide when to build, and rank.
package snapshot
