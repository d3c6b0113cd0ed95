// Command pdf is a converter of PDF documents: text in reading order with headings, lists, tables and pages. It is a
// separate module because PDFium adds 6 MB to the executable and 40 MB of compiled code.
package main
