// Package quantity reads quantities, that is, numbers with what they count, in Japanese and English text. Units of
// measure and the words around numbers are data files; values of one dimension are compared in its base unit.
package quantity
