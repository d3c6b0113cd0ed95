// Package archive reads documents that are zip files of XML, such as EPUB and Office Open XML. They are not trusted:
// the amount that is read is limited, nothing is written, and no name leads outside.
package archive
