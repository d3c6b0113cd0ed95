// Package space computes comparable vectors for the sections of snapshots, segment by segment, and keeps them on
// disk: an unchanged segment needs no new ones. Vectors come from texts, by a service or a model, or from whatever
// else an [Encoder] reads.
//
// It knows nothing of queries and nothing of how vectors are searched.
package space
