// Package search answers a query in phases, each of which returns a value that no later phase
// changes: plan → retrieved → fused → reranked → judged → [Trace] → [Answer]. A thin search is
// expanded: what more was retrieved is united with the rest and fused again. The cache of
// answers and the statistics of use belong here too.
//
// It starts no process (package host), reads no file of a corpus (packages corpus and index),
// holds no formula of fusion or judgement (packages fusion and judge) and knows no product: a
// vault is searched through [Engine.Hold], [Engine.Rank] and [Engine.Keep].
package search
