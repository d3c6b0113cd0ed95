// Package webpage turns HTML and XHTML into blocks of Markdown: the main content of a page, without what only
// leads through its site. Converters of HTML and of books made of it share it.
//
// It reads tokens and keeps a flat tree of its own, whose size and depth are bounded: pages come from strangers.
package webpage
