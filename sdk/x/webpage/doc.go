// Package webpage turns HTML and XHTML into blocks of Markdown: the main content of a page, without site navigation.
// The converters of HTML and of e-books share it.
//
// It reads tokens into its own flat tree, whose size and depth are limited, since pages are not trusted.
package webpage
