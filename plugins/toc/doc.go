// Package toc fills a thin result from the tables of contents: sections whose
// headings share words, characters or near spellings with the query.
package toc
