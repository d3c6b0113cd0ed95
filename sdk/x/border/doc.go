// Package border holds the rules for what a strategy may send to its host. The host rejects answers
// that break a rule; package conformance lets authors check this in advance.
package border
