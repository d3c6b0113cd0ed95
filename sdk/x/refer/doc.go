// Package refer finds the references in text (第7条, 別表1, section 4.2, a link) and the section of a snapshot that each
// means. The host and strategies must agree on both. It reads only the texts and headings that it is given, no files.
package refer
