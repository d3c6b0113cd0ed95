// Command morph is a strategy that finds Japanese sections by their morphemes: BM25 over the dictionary forms that
// kagome returns, in addition to sagasu's own character bigrams. It is a separate module because its dictionary adds 14
// MB to the executable, half a second to the start and 150 MB of memory. It returns nothing for queries without
// Japanese.
package main
