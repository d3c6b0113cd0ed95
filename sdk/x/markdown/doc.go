// Package markdown writes the text of converted documents as Markdown: blocks below headings, with paragraphs, nested
// lists, tables and code. The text reads back as the words that were written, with as few backslashes as possible, so
// that it can be searched and quoted unchanged.
//
// It writes no emphasis, because marks inside words would split them.
package markdown
