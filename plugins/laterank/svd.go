package laterank

import (
	"context"
	"math"
	"math/rand/v2"
)

// matrix is sparse, by rows: row r has index and values [starts[r], starts[r+1]).
type matrix struct {
	cols   int
	starts []int
	index  []uint32
	values []float32
}

func (a *matrix) rows() int { return len(a.starts) - 1 }

func (a *matrix) row(r int) (index []uint32, values []float32) {
	return a.index[a.starts[r]:a.starts[r+1]], a.values[a.starts[r]:a.starts[r+1]]
}

// rounds of the subspace iteration; more change no ranking.
const rounds = 2

// directions gives U·√S of the first k singular vectors and values, a row of k
// for each row of a: randomised subspace iteration of Halko, Martinsson and
// Tropp (SIAM Review 2011), from a fixed seed.
func (a *matrix) directions(ctx context.Context, k int) ([]float32, error) {
	random := rand.New(rand.NewPCG(1, 2))
	left, right := make([]float32, a.rows()*k), make([]float32, a.cols*k)
	for i := range right {
		right[i] = float32(random.NormFloat64())
	}
	for range rounds {
		a.times(left, right, k)
		rescale(left, k, -1)
		a.transposedTimes(right, left, k)
		rescale(right, k, -1)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	a.times(left, right, k)
	rescale(left, k, -0.5)
	return left, ctx.Err()
}

// times is out = a·b, b and out dense with k columns.
func (a *matrix) times(out, b []float32, k int) {
	clear(out)
	for r := range a.rows() {
		index, values := a.row(r)
		to := out[r*k : (r+1)*k]
		for i, c := range index {
			addScaled(to, b[int(c)*k:(int(c)+1)*k], values[i])
		}
	}
}

// transposedTimes is out = aᵀ·b.
func (a *matrix) transposedTimes(out, b []float32, k int) {
	clear(out)
	for r := range a.rows() {
		index, values := a.row(r)
		from := b[r*k : (r+1)*k]
		for i, c := range index {
			addScaled(out[int(c)*k:(int(c)+1)*k], from, values[i])
		}
	}
}

func addScaled(to, from []float32, by float32) {
	for j, x := range from {
		to[j] += by * x
	}
}

// rescale turns m = U·S·Vᵀ, which has k columns, into U·S^(1+power): power −1
// makes the columns orthonormal. Columns without a direction become 0.
func rescale(m []float32, k int, power float64) {
	squares, turn := eigen(gram(m, k), k)
	for i, x := range squares {
		factor := 0.0
		if x > 1e-9 {
			factor = math.Pow(math.Sqrt(x), power)
		}
		for j := range k {
			turn[j*k+i] *= factor
		}
	}
	out := make([]float64, k)
	for at := 0; at < len(m); at += k {
		clear(out)
		row := m[at : at+k]
		for i, x := range row {
			for j, y := range turn[i*k : (i+1)*k] {
				out[j] += float64(x) * y
			}
		}
		for j, x := range out {
			row[j] = float32(x)
		}
	}
}

// gram is mᵀ·m.
func gram(m []float32, k int) []float64 {
	g := make([]float64, k*k)
	for at := 0; at < len(m); at += k {
		row := m[at : at+k]
		for i, x := range row {
			for j, y := range row {
				g[i*k+j] += float64(x) * float64(y)
			}
		}
	}
	return g
}

// sweeps bounds Jacobi's method, which takes fewer than ten for these sizes.
const sweeps = 30

// eigen gives the eigenvalues and, as columns, the eigenvectors of a symmetric
// k×k matrix by Jacobi's rotations. It overwrites a.
func eigen(a []float64, k int) (values, vectors []float64) {
	vectors = make([]float64, k*k)
	for i := range k {
		vectors[i*k+i] = 1
	}
	for range sweeps {
		var off, diagonal float64
		for i := range k {
			for j := range i {
				off += a[i*k+j] * a[i*k+j]
			}
			diagonal += a[i*k+i] * a[i*k+i]
		}
		if off <= 1e-20*diagonal {
			break
		}
		for q := range k {
			for p := range q {
				rotate(a, vectors, k, p, q)
			}
		}
	}
	for i := range k {
		values = append(values, a[i*k+i])
	}
	return values, vectors
}

// rotate turns the plane of p and q so that the element (p, q) of a becomes 0.
func rotate(a, vectors []float64, k, p, q int) {
	if a[p*k+q] == 0 {
		return
	}
	theta := (a[q*k+q] - a[p*k+p]) / (2 * a[p*k+q])
	t := math.Copysign(1/(math.Abs(theta)+math.Sqrt(theta*theta+1)), theta)
	cos := 1 / math.Sqrt(t*t+1)
	sin := t * cos
	turn := func(x, y *float64) { *x, *y = cos**x-sin**y, sin**x+cos**y }
	for i := range k {
		turn(&a[i*k+p], &a[i*k+q])
		turn(&vectors[i*k+p], &vectors[i*k+q])
	}
	for i := range k {
		turn(&a[p*k+i], &a[q*k+i])
	}
}
