// Command morph is a strategy that finds Japanese sections by their morphemes: BM25 over
// the dictionary forms that kagome gives, beside the pairs of characters that sagasu itself
// looks at. It is a module of its own, since its dictionary takes 14 MB of executable, half
// a second of start and 150 MB of memory. It has nothing to say on queries without Japanese.
package main
