// Package fusion merges the section lists of strategies into one ranking (see [Merge]), and keeps what each list
// added to each score. It consists of pure functions over ids and numbers: it knows no snapshot and no strategy.
// Package patents/rankfusion fuses lanes of publications.
//
// Weights come from three places, each the only one that can know them:
//
//   - A strategy declares its default weight in sdk.Description, since a third-party strategy needs one as well as a
//     bundled one.
//   - search.DefaultSettings holds the weights of the bonuses, which belong to no strategy.
//   - The configuration (package workspace) overrides both: a weight per strategy,
//     LATE_RERANK_WEIGHT and SPARSE_QUERY_COVERAGE_WEIGHT.
//
// search.Settings brings them together for a search; docs/reference/fusion.md has the formulas.
package fusion
