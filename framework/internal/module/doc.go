// Package module defines a product (manuals, vault, patents, logic): what it is opened with, and what the program
// that opens it can use. Each product's package exports one definition, and a program lists the definitions of its
// products.
package module
