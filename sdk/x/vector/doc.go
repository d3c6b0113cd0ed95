// Package vector keeps vectors in a byte a dimension and finds those that are most alike to a query: every vector in
// question is compared. Where they are very many, a [Sieve] narrows the question.
//
// It knows nothing of where vectors come from; their rows are numbered from 0.
package vector
