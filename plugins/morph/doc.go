// Command morph is a strategy that finds Japanese sections by their morphemes: BM25 over the
// dictionary forms that kagome gives, in addition to sagasu's own pairs of characters. It is a
// separate module, since its dictionary takes 14 MB of executable, half a second of start and 150
// MB of memory. It returns nothing for queries without Japanese.
package main
