// Package rule tells where a specification and a program, or two
// specifications, contradict each other: it reads numbers, bounds, effects,
// members, states, statuses, required fields and orders from both, as rules
// about a subject, and compares those on the same subject.
//
// Pure functions; subjects meet by words, through a glossary of both languages.
package rule
