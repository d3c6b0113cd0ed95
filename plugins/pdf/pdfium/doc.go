// Package pdfium reads characters, rules and the outline of PDF documents with PDFium, as WebAssembly without
// cgo. Each document has an instance of its own with bounded memory: what breaks it breaks nothing else.
//
// A call into PDFium that never ends is not interrupted: code that looks for the end of a context takes four times
// as long. The host gives a process one document at a time and ends the process when the time is over. Callers
// look at their context between pages.
package pdfium
