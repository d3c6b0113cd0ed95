// Package module defines a product (manuals, vault, patents, logic): what it needs to be opened, and what it offers to
// the program that opens it. Each product's package exports one definition, and a program lists the definitions of its
// products.
package module
