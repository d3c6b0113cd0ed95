// Package mermaid reads flowcharts written in Mermaid: nodes with their shapes and labels, edges with their arrows,
// subgraphs, comments, and the statements that name nodes without drawing them. It reads the `flowchart` and `graph`
// syntax that Mermaid itself accepts, and draws nothing. A statement that cannot be read is reported with its line
// and left out; the rest is read all the same.
package mermaid
