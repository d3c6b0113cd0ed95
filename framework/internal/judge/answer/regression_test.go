//go:build fit

package answer

import "math"

// row is one example of a regression. In a softmax, the rows of one group compete.
type row struct {
	x     []float64
	y     bool
	w     float64
	group int
	set   string
}

const ridge = 1.0

// logistic fits weights by Newton's method with a ridge penalty. The bias comes first and has no penalty.
func logistic(rows []row) []float64 {
	n := len(rows[0].x) + 1
	w := make([]float64, n)
	for range 30 {
		g, h := make([]float64, n), square(n)
		for i := 1; i < n; i++ {
			g[i], h[i][i] = -ridge*w[i], ridge
		}
		for _, r := range rows {
			x := append([]float64{1}, r.x...)
			p := sigmoid(dot(w, x))
			for i := range x {
				g[i] += r.w * (oneIf(r.y) - p) * x[i]
				for j := range x {
					h[i][j] += r.w * p * (1 - p) * x[i] * x[j]
				}
			}
		}
		step := solve(h, g)
		for i := range w {
			w[i] += step[i]
		}
		if dot(step, step) < 1e-12 {
			break
		}
	}
	return w
}

// softmax fits weights with which a right row of each group wins.
func softmax(rows []row) []float64 {
	groups := map[int][]row{}
	for _, r := range rows {
		groups[r.group] = append(groups[r.group], r)
	}
	n := len(rows[0].x)
	w := make([]float64, n)
	for range 60 {
		g, h := make([]float64, n), square(n)
		for i := range w {
			g[i], h[i][i] = -ridge*w[i], ridge
		}
		for _, rs := range groups {
			all, right := make([]float64, len(rs)), make([]float64, len(rs))
			sa, sr := 0.0, 0.0
			for i, r := range rs {
				all[i] = math.Exp(dot(w, r.x))
				sa += all[i]
				if r.y {
					right[i] = all[i]
					sr += all[i]
				}
			}
			if sr == 0 {
				continue
			}
			mean, want := make([]float64, n), make([]float64, n)
			for i, r := range rs {
				for k, v := range r.x {
					mean[k] += all[i] / sa * v
					want[k] += right[i] / sr * v
				}
			}
			for i, r := range rs {
				for k := range r.x {
					dk := r.x[k] - mean[k]
					for l := range r.x {
						h[k][l] += rs[0].w * all[i] / sa * dk * (r.x[l] - mean[l])
					}
				}
			}
			for k := range g {
				g[k] += rs[0].w * (want[k] - mean[k])
			}
		}
		step := solve(h, g)
		length := max(1, math.Sqrt(dot(step, step))) // far from the optimum, a full Newton step diverges
		for i := range w {
			w[i] += step[i] / length
		}
		if dot(step, step) < 1e-10 {
			break
		}
	}
	return w
}

func square(n int) [][]float64 {
	h := make([][]float64, n)
	for i := range h {
		h[i] = make([]float64, n)
	}
	return h
}

// solve solves h·x = g by elimination.
func solve(h [][]float64, g []float64) []float64 {
	n := len(g)
	for i := range n {
		h[i] = append(h[i], g[i])
	}
	for i := range n {
		p := i
		for k := i; k < n; k++ {
			if math.Abs(h[k][i]) > math.Abs(h[p][i]) {
				p = k
			}
		}
		h[i], h[p] = h[p], h[i]
		if math.Abs(h[i][i]) < 1e-12 {
			h[i][i] = 1e-12
		}
		for k := range n {
			if k == i {
				continue
			}
			f := h[k][i] / h[i][i]
			for l := i; l <= n; l++ {
				h[k][l] -= f * h[i][l]
			}
		}
	}
	x := make([]float64, n)
	for i := range n {
		x[i] = h[i][n] / h[i][i]
	}
	return x
}

func predict(w, x []float64) float64 { return sigmoid(w[0] + dot(w[1:], x)) }

// leaveOut predicts the rows of each set with weights fitted without it.
func leaveOut(rows []row) (out []scored) {
	without := map[string][]float64{}
	for _, r := range rows {
		if without[r.set] == nil {
			var rest []row
			for _, x := range rows {
				if x.set != r.set {
					rest = append(rest, x)
				}
			}
			without[r.set] = logistic(rest)
		}
		out = append(out, scored{predict(without[r.set], r.x), r.y})
	}
	return out
}
