// Package search answers a query in phases, each of which returns a value that no later phase changes: plan → retrieved
// → fused → reranked → judged → [Trace] → [Answer]. A search with weak results is expanded: it retrieves more, merges
// it with the first results and fuses again. The package also holds the cache of answers and the statistics of use.
//
// It does not start processes (package host), read files of a corpus (packages corpus and index) or contain formulas of
// fusion or judgement (packages fusion and judge), and it imports no product. Its errors and refs name the tools of
// manuals; the vault, which searches through [Engine.Hold], [Engine.Rank] and [Engine.Keep], replaces them with its
// own.
package search
