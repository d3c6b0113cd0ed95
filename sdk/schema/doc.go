// Package schema publishes the JSON Schemas of tools whose results other
// programs build on: arguments and results of the questions on logic.
//
// The files are written from the types of the tools: go test ./framework/internal/logic -args -update.
//
// Results may gain members. No member is renamed or removed, or changes its meaning.
package schema
