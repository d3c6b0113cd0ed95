// Package patents is the product that searches publications: its tools, its prompts, and the
// collection, lanes and runs that they work on. [Definition] is how a program opens it.
//
// How lanes are searched and fused is in package lane, what a publication is in package
// publication, and how records of patent offices are read in package gazette.
package patents
