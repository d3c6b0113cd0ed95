// Package fusion merges the section lists of strategies into one ranking, see [Merge], and keeps
// what each list added to each score. Pure functions over ids and numbers: it knows no snapshot
// and no strategy. Lanes of publications are fused in patents/rankfusion.
package fusion
