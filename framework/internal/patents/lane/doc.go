// Package lane searches publications in lanes and fuses their results: [Engine] runs a lane's strategy, keeps its
// ranking as a run, blends and tunes runs, explains them, and shows publications within a budget of bytes. Runs are
// immutable and named by a hash of their inputs and results.
//
// A lane's strategy ranks; package rankfusion fuses the rankings.
package lane
