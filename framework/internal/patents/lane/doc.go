// Package lane searches publications in lanes and fuses their results: [Engine] runs a lane's strategy, keeps its
// ranking as a run, blends and tunes runs, explains them, and shows publications within a budget of bytes. Runs are
// immutable and named by a hash of their inputs and results.
//
// How a lane ranks is its strategy's; how rankings are fused is package rankfusion's.
package lane
