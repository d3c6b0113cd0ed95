// Package schema publishes the JSON Schemas of tools whose results other programs build on: the arguments and results
// of the tools for questions on logic.
//
// The files are generated from the types of the tools: go test ./framework/internal/logic -args -update.
//
// Results may gain members. No member is removed, renamed or changed in meaning.
package schema
