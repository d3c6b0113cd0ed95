// Package fulltext is the lane of boolean queries over publications: it finds exactly what
// a query of package patentquery asks for, and ranks it by BM25F over the fields.
package fulltext
