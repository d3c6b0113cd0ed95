// Package cases reads judged cases: queries with sections, and what a judgement of them must find.
package cases
