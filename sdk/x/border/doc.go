// Package border contains the rules for what a strategy may send to its host. The host rejects answers that break a
// rule. Package conformance lets authors check this in advance.
package border
