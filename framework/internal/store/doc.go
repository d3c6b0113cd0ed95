// Package store keeps what outlives a call: traces of searches, runs of lanes and their like. Values are opaque
// bytes. A [Store] is a [Dir] of plain files that the processes of one machine share, or package redis has it for
// servers on several. What the bytes mean is the caller's business. [Replace] writes any other file that must be
// whole.
package store
