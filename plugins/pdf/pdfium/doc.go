// Package pdfium reads characters, rules and the outline of PDF documents with PDFium, as WebAssembly without cgo. Each
// document has its own instance with limited memory, so that a broken document affects no others.
//
// A call into PDFium that never ends is not interrupted, since code that checks a context takes four times as long. The
// host gives a process one document at a time and kills it on a timeout. Callers check their context between pages.
package pdfium
