// Package gazette turns what patent offices and others hand out into publications: JSON
// Lines, JSON, and the full-text XML of US applications and grants, many in one file. It
// goes on where an earlier run was ended, and says which records it refused and why.
//
// What a publication is, package patent says.
package gazette
