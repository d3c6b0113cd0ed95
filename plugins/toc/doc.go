// Package toc fills a thin result from tables of contents: with sections whose headings share words, characters or
// similar spellings with the query.
package toc
