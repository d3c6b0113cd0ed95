// Package vector keeps vectors in a byte a dimension and finds those that are most
// alike to a query, exactly: every vector in question is compared.
//
// It knows nothing of where vectors come from; their rows are numbered from 0.
package vector
