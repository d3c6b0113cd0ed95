// Package quantity reads amounts, numbers with what they count, in Japanese and English text. Units of measure and the
// words around numbers are data files; values of one dimension compare in its base unit.
package quantity
