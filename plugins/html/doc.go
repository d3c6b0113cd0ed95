// Package html converts web pages, in HTML or XHTML and in any encoding, and zip archives of them.
package html
