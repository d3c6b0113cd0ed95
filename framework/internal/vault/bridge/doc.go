// Package bridge copies text of manuals into the vault without showing it, and
// notes in the copy where it came from.
//
// It knows neither how manuals are found (framework/corpus) nor how the vault
// keeps files (framework/vault).
package bridge
