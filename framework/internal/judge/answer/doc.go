// Package answer judges whether the best sections answer a query: the sentence that does, what is missing,
// and how probable it is that a section is relevant. Pure functions over fitted weights.
package answer
