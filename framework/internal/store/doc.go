// Package store keeps what outlives a call: traces of searches, runs of lanes and similar records. Values are opaque
// bytes. A [Store] is a [Dir] of plain files that the processes of one machine share; package redis implements one
// for servers on several machines. Only the caller knows what the bytes mean. [Replace] atomically writes any other
// file.
package store
