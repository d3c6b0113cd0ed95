// Package logic answers questions on business logic from evidence: lines of
// code and of specifications. Every statement of an answer names the line that
// it was read from; where code and specifications contradict each other, both
// are told.
//
// What is out of scope, what contradicts what, and how sure an answer is are
// separate policies. Evidence is handed in; package logic only reads the files
// that it names, to see whether they still say so.
package logic
