// Package rankfusion fuses lanes of publications by code-aware reciprocal rank fusion (see [Catalog.Blend]), and
// measures the result. It consists of pure functions over ids, codes and numbers: it knows no run, no snapshot and no
// tool.
package rankfusion
