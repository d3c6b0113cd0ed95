// Package toolset holds what the tools of every product share: errors as a caller sees them,
// and suggestions for misspelt names. It imports nothing of the host.
package toolset
