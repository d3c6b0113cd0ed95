// Package fulltext is the lane of boolean queries over publications. It finds exactly the publications that a query of
// package patentquery matches, and ranks them by BM25F over the fields.
package fulltext
