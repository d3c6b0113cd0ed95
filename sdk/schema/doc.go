// Package schema publishes the JSON Schemas of tools whose results other programs build on: arguments and results of
// the tools for questions on logic.
//
// The files are generated from the types of the tools: go test ./framework/internal/logic -args -update.
//
// Results may gain members. No member is removed or renamed, or changes its meaning.
package schema
