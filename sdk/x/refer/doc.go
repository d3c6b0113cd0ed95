// Package refer finds references in text (第7条, 別表1, section 4.2, a link) and the section of a snapshot that each of
// them means. The host and the strategies must agree on both. It reads only the texts and headings that it is given,
// and no files.
package refer
