// Package vector stores vectors with one byte per dimension and finds those most similar to a query by comparing every
// candidate. If there are very many, a [Sieve] reduces the candidates first.
//
// It does not know where vectors come from. Their rows are numbered from 0.
package vector
