// Package weaviate gathers sections from a collection in Weaviate, which may run on a cluster, and fills such
// collections. A collection consists of a class of sections, with the terms of a snapshot's dictionary, and a class of
// document frequencies. An alias names the two in use. It logs nothing.
package weaviate
