// Package pdfium reads characters, rules and the outline of PDF documents with PDFium, as WebAssembly without
// cgo. Each document has an instance of its own with bounded memory, which ends with the document's context.
package pdfium
