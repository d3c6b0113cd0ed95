// Package answer answers questions on business logic from evidence: lines of code and of specifications. Every
// statement of an answer names the line that it was read from; where code and specifications contradict each other,
// the answer states both.
//
// The caller passes the evidence; the package reads only the files that it names, to check that they still say so.
package answer
