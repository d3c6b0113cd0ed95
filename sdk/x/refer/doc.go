// Package refer reads where a text points (第7条, 別表1, section 4.2, a link) and finds the
// section of a snapshot that is meant. The host and strategies must agree on both. It reads
// texts and headings that it is given, no files.
package refer
