// Package space computes comparable vectors for the sections of snapshots, segment by segment, and keeps them on disk,
// so that an unchanged segment is not computed again. Vectors come from texts, by a service or a model, or from
// whatever else an [Encoder] reads.
//
// It knows nothing about queries or about how vectors are searched.
package space
