// Package module says what a product (manuals, vault, patents, logic) is opened with and what
// it is to the program that opens it. A program lists the definitions of its products; each
// product's package exports one.
package module
