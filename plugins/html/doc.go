// Package html converts web pages, HTML and XHTML in any encoding, and zip archives of them.
package html
