// Package space gives the sections of snapshots vectors that can be compared with each other, segment
// by segment, and keeps them on disk: an unchanged segment needs none again. Vectors come from texts,
// by a service or a model, or from whatever else an [Encoder] reads.
//
// It knows nothing of queries and nothing of how vectors are searched.
package space
