package lsa

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

const (
	// oversample is the number of additional directions that are followed: Halko et al. advise 5 to 10.
	oversample = 10
	// rounds is the number of power iterations; more do not change any ranking.
	rounds = 2
)

// leftSingular returns the first k left singular vectors of a, as a row of k for each row of a, and the singular values
// in descending order. It uses the randomised subspace iteration of Halko, Martinsson and Tropp (SIAM Review 2011). The
// same matrix and seed give the same vectors. It computes in single precision, so directions fainter than a hundredth
// of the strongest may be lost and be 0. For a matrix with at most k+10 rows or columns the limit is a thousandth.
func (a *matrix) leftSingular(
	ctx context.Context, k int, seed uint64,
) (vectors []float32, values []float64, err error) {
	wide := min(k+oversample, a.rows(), a.cols)
	random := rand.New(rand.NewPCG(seed, 1))
	left, right := make([]float32, a.rows()*wide), make([]float32, a.cols*wide)
	found := make([]float64, wide)
	for round := range rounds {
		if refill(right, found, random); round == 0 && wide == a.cols {
			identity(right, wide)
		}
		if err := a.times(ctx, left, right, wide); err != nil {
			return nil, nil, err
		}
		if _, err := orthonormalise(left, wide); err != nil {
			return nil, nil, err
		}
		if round == 0 && wide == a.rows() {
			identity(left, wide)
		}
		if err := a.transposedTimes(ctx, right, left, wide); err != nil {
			return nil, nil, err
		}
		if found, err = orthonormalise(right, wide); err != nil {
			return nil, nil, err
		}
	}
	if err := a.times(ctx, left, right, wide); err != nil {
		return nil, nil, err
	}
	if values, err = orthonormalise(left, wide); err != nil {
		return nil, nil, err
	}
	k = min(k, wide)
	return firstColumns(left, wide, k), values[:k], nil
}

// identity makes m the identity matrix, the start when all directions of a matrix are followed. Random numbers that
// happen to be nearly dependent would hide the faint ones.
func identity(m []float32, wide int) {
	clear(m)
	for i := range wide {
		m[i*wide+i] = 1
	}
}

// refill puts random numbers into the columns of m that have no direction: those that were not started yet, or that
// happened to coincide with others.
func refill(m []float32, values []float64, random *rand.Rand) {
	for i := range m {
		if values[i%len(values)] == 0 {
			m[i] = float32(random.NormFloat64())
		}
	}
}

// firstColumns keeps the first k of the wide columns of m, in the same memory.
func firstColumns(m []float32, wide, k int) []float32 {
	rows := len(m) / wide
	for r := range rows {
		copy(m[r*k:(r+1)*k], m[r*wide:r*wide+k])
	}
	return m[: rows*k : rows*k]
}

// errNotSolved means that the small dense problem has no solution, for example because of values that are not finite.
var errNotSolved = errors.New("the singular value decomposition did not converge")

// orthonormalise turns m = U·S·Vᵀ, which has k columns, into U and returns S in descending order. It uses the
// eigenvectors of the Gram matrix, as in SVQB of Stathopoulos and Wu (SIAM J. Sci. Comput. 2002). Columns without a
// direction become 0.
func orthonormalise(m []float32, k int) ([]float64, error) {
	squares, vectors, ok := eigen(gram(m, k), k)
	if !ok {
		return nil, errNotSolved
	}
	values, turn := make([]float64, k), make([]float32, k*k)
	for to := range k {
		from := k - 1 - to // eigenvalues ascend
		if squares[from] <= squares[k-1]*noDirection {
			continue
		}
		values[to] = math.Sqrt(squares[from])
		for i := range k {
			turn[i*k+to] = float32(vectors[from*k+i] / values[to])
		}
	}
	apply(m, turn, k)
	return values, nil
}

// noDirection is the share of the highest eigenvalue below which single precision cannot represent a direction.
const noDirection = 1e-7

// slab is the number of rows that are multiplied at a time.
const slab = 1024

// gram returns mᵀ·m, summed in double precision over slabs.
func gram(m []float32, k int) []float64 {
	sum, part := make([]float64, k*k), make([]float32, k*k)
	for at := 0; at < len(m); at += slab * k {
		rows := m[at:min(at+slab*k, len(m))]
		gonum.Implementation{}.Sgemm(blas.Trans, blas.NoTrans, k, k, len(rows)/k, 1, rows, k, rows, k, 0, part, k)
		for i, x := range part {
			sum[i] += float64(x)
		}
	}
	return sum
}

// apply computes m = m·turn.
func apply(m, turn []float32, k int) {
	out := make([]float32, slab*k)
	for at := 0; at < len(m); at += slab * k {
		rows := m[at:min(at+slab*k, len(m))]
		gonum.Implementation{}.Sgemm(blas.NoTrans, blas.NoTrans, len(rows)/k, k, k, 1, rows, k, turn, k, 0, out, k)
		copy(rows, out)
	}
}
