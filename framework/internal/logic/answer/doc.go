// Package answer answers questions on business logic from evidence: lines of code and of
// specifications. Every statement of an answer names the line that it was read from; where
// code and specifications contradict each other, both are stated.
//
// Evidence is handed in; package answer only reads the files that it names, to see whether they
// still say so.
package answer
