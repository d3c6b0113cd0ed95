// Package schema publishes the JSON Schemas of tools whose results other
// programs build on: arguments and results of the questions on logic.
//
// A result may gain members; none is renamed, dropped or given another meaning.
package schema
