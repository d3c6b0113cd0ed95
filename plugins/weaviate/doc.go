// Package weaviate gathers sections from a collection in Weaviate, an engine that a cluster of machines runs, and
// fills it. A collection is a class of sections, whose terms are those of a snapshot's dictionary, and a class of
// document frequencies; an alias names the two in use. It logs nothing.
package weaviate
