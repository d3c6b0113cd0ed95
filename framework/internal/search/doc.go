// Package search answers a search: it plans the query, lets the strategies
// retrieve in parallel, fuses their scores, judges what came, stores the trace
// and says what to do next.
//
// It starts no process (framework/host), reads no manual (framework/manual) and
// holds no formula of fusion or judgement (packages fusion and judge).
package search
