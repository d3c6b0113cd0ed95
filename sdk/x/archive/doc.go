// Package archive reads documents that are zip files of XML, such as EPUB and Office Open XML. They come from
// strangers: what is read is bounded, nothing is written, and no name leads outside.
package archive
