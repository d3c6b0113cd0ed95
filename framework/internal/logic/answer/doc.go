// Package answer answers questions on business logic from evidence: lines of code and of specifications. Every
// statement of an answer names the line that it comes from. If code and specifications contradict each other, the
// answer states both.
//
// The caller passes the evidence. The package reads only the files that the evidence names, to check that they still
// say the same.
package answer
