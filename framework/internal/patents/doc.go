// Package patents is the product that searches publications: its tools, its prompts, and the collection, lanes and
// runs that they use. A program opens it with its [Definition].
//
// Package lane searches and fuses lanes, package publication defines a publication, and package gazette reads the
// records of patent offices.
package patents
