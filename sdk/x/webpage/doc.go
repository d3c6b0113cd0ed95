// Package webpage turns HTML and XHTML into blocks of Markdown: the main content of a page, without site navigation.
// The converters of HTML and of e-books share it.
//
// It reads tokens and keeps a flat tree of its own, whose size and depth are bounded, since pages come from
// strangers.
package webpage
