package lsa

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/gonum"
)

// eigen returns the eigenvalues of a symmetric matrix of k rows in ascending order, and its eigenvectors as rows. ok is
// false if the values are not finite. The matrix is made tridiagonal by reflections, and then diagonal by the implicit
// QL method: Golub and Van Loan, Matrix Computations, section 8.3. LAPACK's routine would link all of BLAS.
func eigen(a []float64, k int) (values, vectors []float64, ok bool) {
	values, beside, rows := tridiagonal(a, k)
	if !diagonalise(values, beside, rows) {
		return nil, nil, false
	}
	order := make([]int, k)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
	sorted := make([]float64, k)
	for to, from := range order {
		sorted[to], vectors = values[from], append(vectors, rows[from]...)
	}
	return sorted, vectors, true
}

// tridiagonal overwrites a = Qᵀ·T·Q and returns the diagonal of T, the elements beside it, and the rows of Q.
func tridiagonal(a []float64, k int) (diagonal, beside []float64, q [][]float64) {
	row := func(i int) []float64 { return a[i*k : (i+1)*k] }
	diagonal, beside = make([]float64, k), make([]float64, k)
	reflectors, product := make([][]float64, k), make([]float64, k)
	for j := range k {
		diagonal[j] = row(j)[j]
		if j+1 == k {
			break
		}
		x := row(j)[j+1:] // the same as the column, since a is symmetric
		length := norm(x)
		beside[j] = length
		if x[0] > 0 {
			beside[j] = -length
		}
		if length == norm(x[:1]) { // nothing to reflect
			beside[j] = x[0]
			continue
		}
		v := slices.Clone(x)
		v[0] -= beside[j]
		scale(v, math.Sqrt2/norm(v)) // the reflection is I - v·vᵀ
		reflectors[j] = v
		w := product[j+1:]
		for i := range w {
			w[i] = dot(row(j + 1 + i)[j+1:], v)
		}
		add(w, v, -dot(w, v)/2)
		for i := range w {
			add(row(j + 1 + i)[j+1:], w, -v[i])
			add(row(j + 1 + i)[j+1:], v, -w[i])
		}
	}
	q = make([][]float64, k)
	for i := range q {
		q[i] = make([]float64, k)
		q[i][i] = 1
	}
	for j := k - 1; j >= 0; j-- {
		if v := reflectors[j]; v != nil {
			for _, r := range q[j+1:] {
				add(r[j+1:], v, -dot(r[j+1:], v))
			}
		}
	}
	return diagonal, beside, q
}

// mostTurns is the maximum number of steps for one eigenvalue; two or three are usual.
const mostTurns = 50

// diagonalise turns a tridiagonal matrix into its eigenvalues, and transforms rows accordingly.
func diagonalise(diagonal, beside []float64, rows [][]float64) bool {
	const precision = 0x1p-52
	negligible := precision * max(norm(diagonal), norm(beside))
	for at := range diagonal {
		for turn := 0; ; turn++ {
			end := at
			for end+1 < len(diagonal) && !(math.Abs(beside[end]) <= negligible) {
				end++
			}
			if end == at {
				break
			}
			if turn == mostTurns {
				return false
			}
			chase(diagonal, beside, rows, at, end)
		}
		if math.IsNaN(diagonal[at]) || math.IsInf(diagonal[at], 0) {
			return false
		}
	}
	return true
}

// chase performs one QL step with Wilkinson's shift on the elements from at to end.
func chase(diagonal, beside []float64, rows [][]float64, at, end int) {
	half := (diagonal[at+1] - diagonal[at]) / (2 * beside[at])
	shift := diagonal[at] - beside[at]/(half+math.Copysign(math.Hypot(half, 1), half))
	g, sine, cosine, moved := diagonal[end]-shift, 1.0, 1.0, 0.0
	for i := end - 1; i >= at; i-- {
		f, b := sine*beside[i], cosine*beside[i]
		r := math.Hypot(f, g)
		beside[i+1] = r
		if r == 0 { // the matrix splits in two
			diagonal[i+1] -= moved
			beside[end] = 0
			return
		}
		sine, cosine = f/r, g/r
		g = diagonal[i+1] - moved
		r = (diagonal[i]-g)*sine + 2*cosine*b
		moved = sine * r
		diagonal[i+1] = g + moved
		g = cosine*r - b
		turn(rows[i], rows[i+1], sine, cosine)
	}
	diagonal[at] -= moved
	beside[at], beside[end] = g, 0
}

// turn rotates two rows in their plane.
func turn(a, b []float64, sine, cosine float64) {
	for i, x := range a {
		y := b[i]
		b[i] = sine*x + cosine*y
		a[i] = cosine*x - sine*y
	}
}

func dot(a, b []float64) float64 { return gonum.Implementation{}.Ddot(len(a), a, 1, b, 1) }

func norm(a []float64) float64 { return gonum.Implementation{}.Dnrm2(len(a), a, 1) }

func add(to, from []float64, by float64) { gonum.Implementation{}.Daxpy(len(to), by, from, 1, to, 1) }

func scale(a []float64, by float64) { gonum.Implementation{}.Dscal(len(a), by, a, 1) }
