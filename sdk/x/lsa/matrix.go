package lsa

import (
	"context"
	"errors"
	"math"
	"runtime"

	"gonum.org/v1/gonum/blas/gonum"

	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// matrix is a sparse matrix, built row by row.
type matrix struct {
	cols   int
	starts []int // row r has the entries [starts[r], starts[r+1])
	index  []uint32
	values []float32
}

// newMatrix returns a matrix of cols columns without rows.
func newMatrix(cols int) *matrix { return &matrix{cols: cols, starts: []int{0}} }

// add adds an entry to the row under construction. Columns ascend within a row.
func (a *matrix) add(col uint32, value float32) {
	a.index, a.values = append(a.index, col), append(a.values, value)
}

// endRow ends the row under construction.
func (a *matrix) endRow() { a.starts = append(a.starts, len(a.index)) }

// rows returns the number of rows.
func (a *matrix) rows() int { return len(a.starts) - 1 }

// row returns the columns and the values of row r. The values may be changed.
func (a *matrix) row(r int) (index []uint32, values []float32) {
	return a.index[a.starts[r]:a.starts[r+1]], a.values[a.starts[r]:a.starts[r+1]]
}

// normaliseColumns scales every column that is not 0 to length 1.
func (a *matrix) normaliseColumns() {
	squares := make([]float64, a.cols)
	for i, x := range a.values {
		squares[a.index[i]] += float64(x) * float64(x)
	}
	for i, c := range a.index {
		a.values[i] /= float32(math.Sqrt(squares[c]))
	}
}

// times computes out = a·b, where b and out are dense with k columns.
func (a *matrix) times(ctx context.Context, out, b []float32, k int) error {
	clear(out)
	return a.walk(ctx, k, func(r, c, lo, hi int, x float32) { addScaled(out[r*k+lo:r*k+hi], b[c*k+lo:c*k+hi], x) })
}

// transposedTimes computes out = aᵀ·b.
func (a *matrix) transposedTimes(ctx context.Context, out, b []float32, k int) error {
	clear(out)
	return a.walk(ctx, k, func(r, c, lo, hi int, x float32) { addScaled(out[c*k+lo:c*k+hi], b[r*k+lo:r*k+hi], x) })
}

// walk visits the elements in order, each once for every part [lo, hi) of the k dense columns. The parts are processed
// in parallel. Since each part is summed in a fixed order, the number of processors does not affect the result.
func (a *matrix) walk(ctx context.Context, k int, visit func(r, c, lo, hi int, x float32)) error {
	parts := max(1, min(runtime.GOMAXPROCS(0), k/leastPart))
	return errors.Join(guard.Each(parts, func(p int) error {
		return a.walkPart(ctx, k*p/parts, k*(p+1)/parts, visit)
	})...)
}

func (a *matrix) walkPart(ctx context.Context, lo, hi int, visit func(r, c, lo, hi int, x float32)) error {
	for r := range a.rows() {
		if r%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		index, values := a.row(r)
		for i, c := range index {
			visit(r, int(c), lo, hi, values[i])
		}
	}
	return ctx.Err()
}

// leastPart is the number of columns below which a part is not worth a goroutine.
const leastPart = 32

func addScaled(to, from []float32, by float32) {
	gonum.Implementation{}.Saxpy(len(from), by, from, 1, to, 1)
}
