// Package fusion merges ranked lists into one ranking and keeps what each list
// added to each score. Pure functions over ids, codes and numbers: it knows no
// snapshot and no strategy.
//
// [Merge] fuses the lists of a search in manuals. [Catalog.Blend] fuses lanes of
// publications: reciprocal rank fusion that favours documents whose
// classification codes, facets, lanes and representatives speak for them.
package fusion
