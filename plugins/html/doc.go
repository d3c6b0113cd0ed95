// Package html converts web pages: HTML and XHTML in any encoding.
package html
