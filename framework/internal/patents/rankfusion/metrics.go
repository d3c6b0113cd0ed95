package rankfusion

import "math"

// metricDepth is how far down metrics look.
const metricDepth = 50

// Figure is a number that may be undefined: nil then.
type Figure *float64

// Metrics describe the structure of a fusion (docs/reference/rank-fusion.md). Undefined ones are
// nil and Reasons says why, by the metric's name.
type Metrics struct {
	LAS     Figure  `json:"LAS"`     // mean pairwise Jaccard of the lanes' best 50
	CCW     Figure  `json:"CCW"`     // 1 − normalised entropy of the best 50's codes
	SShape  Figure  `json:"S_shape"` // share of the best 3 in the scores of the best 50
	FStruct Figure  `json:"F_struct"`
	Fproxy  Figure  `json:"Fproxy"`
	Reasons Reasons `json:"reasons,omitempty"`
}

// Reasons say why figures are undefined, by their names.
type Reasons map[string]string

// Measure computes the metrics of what Blend made of lanes.
func (c *Catalog) Measure(lanes []Lane, ranked []Placed) Metrics {
	var m Metrics
	m.LAS = m.Reasons.say("LAS")(agreement(lanes))
	m.CCW = m.Reasons.say("CCW")(c.concentration(top(ranked)))
	m.SShape = m.Reasons.say("S_shape")(steepness(top(ranked)))
	m.FStruct = m.Reasons.say("F_struct")(harmonic(m.LAS, m.CCW, "LAS", "CCW"))
	m.Fproxy = m.Reasons.say("Fproxy")(proxy(m.FStruct, m.SShape))
	return m
}

// say records the reason for a figure that is undefined.
func (r *Reasons) say(name string) func(Figure, string) Figure {
	return func(f Figure, reason string) Figure {
		if f == nil && *r == nil {
			*r = Reasons{}
		}
		if f == nil {
			(*r)[name] = reason
		}
		return f
	}
}

func top(ranked []Placed) []Placed { return ranked[:min(len(ranked), metricDepth)] }

// agreement returns LAS. A pair of empty lanes has no Jaccard and does not count.
func agreement(lanes []Lane) (Figure, string) {
	if len(lanes) < 2 {
		return nil, "it compares lanes, and there is only one run"
	}
	sum, pairs := 0.0, 0
	for i, a := range lanes {
		for _, b := range lanes[i+1:] {
			if j, ok := jaccard(best(a), best(b)); ok {
				sum, pairs = sum+j, pairs+1
			}
		}
	}
	if pairs == 0 {
		return nil, "all runs are empty"
	}
	return new(sum / float64(pairs)), ""
}

func best(l Lane) []uint32 { return l.Rows[:min(len(l.Rows), metricDepth)] }

func jaccard(a, b []uint32) (j float64, ok bool) {
	in := make(map[uint32]bool, len(a))
	for _, row := range a {
		in[row] = true
	}
	both := 0
	for _, row := range b {
		if in[row] {
			both++
		}
	}
	union := len(a) + len(b) - both
	return float64(both) / float64(union), union > 0
}

// concentration returns CCW.
func (c *Catalog) concentration(ranked []Placed) (Figure, string) {
	counts, order, total := map[string]int{}, []string{}, 0
	for _, d := range ranked {
		for _, code := range c.topical(d.Row) {
			if counts[code] == 0 {
				order = append(order, code)
			}
			counts[code]++
			total++
		}
	}
	switch len(order) {
	case 0:
		return nil, "no publication of the best 50 has an FI, IPC or CPC code"
	case 1:
		return new(1.0), ""
	}
	entropy := 0.0
	for _, code := range order {
		p := float64(counts[code]) / float64(total)
		entropy -= p * math.Log(p)
	}
	return new(1 - entropy/math.Log(float64(len(order)))), ""
}

// topical returns the texts of the codes that say what a publication is about: its
// fi_norm, else its ipc, else its cpc. Texts, since IPC and FI share theirs.
func (c *Catalog) topical(row uint32) (codes []string) {
	for _, k := range []kind{kindFI, kindIPC, kindCPC} {
		for _, s := range c.codes[row] {
			if code := s.Value(); code.kind == k {
				codes = append(codes, code.text)
			}
		}
		if len(codes) > 0 {
			break
		}
	}
	return codes
}

// topDocuments is the number of top documents that S_shape compares with the rest.
const topDocuments = 3

// steepness returns S_shape.
func steepness(ranked []Placed) (Figure, string) {
	if len(ranked) < topDocuments {
		return nil, "it needs 3 documents or more"
	}
	all, head := 0.0, 0.0
	for i, d := range ranked {
		all += d.Score
		if i < topDocuments {
			head += d.Score
		}
	}
	if all == 0 {
		return nil, "every score is 0"
	}
	return new(head / all), ""
}

// harmonic returns the harmonic mean of two figures; its limit is 0 where both are 0.
func harmonic(a, b Figure, nameA, nameB string) (Figure, string) {
	switch {
	case a == nil && b == nil:
		return nil, nameA + " and " + nameB + " are undefined"
	case a == nil:
		return nil, nameA + " is undefined"
	case b == nil:
		return nil, nameB + " is undefined"
	case *a+*b == 0:
		return new(0.0), ""
	}
	return new(2 * *a * *b / (*a + *b)), ""
}

// steepAbove is the S_shape from which on Fproxy falls.
const steepAbove = 0.35

// proxy returns Fproxy = F_struct · (1 − max(0, (S_shape − 0.35)/0.65)).
func proxy(structure, shape Figure) (Figure, string) {
	switch {
	case structure == nil:
		return nil, "F_struct is undefined"
	case shape == nil:
		return nil, "S_shape is undefined"
	}
	return new(*structure * (1 - max(0, (*shape-steepAbove)/(1-steepAbove)))), ""
}

// DefaultGrid returns the k of the frontier (docs/reference/rank-fusion.md).
func DefaultGrid() []int { return []int{10, 20, 30, 40, 50, 80, 100} }

// FrontierPoint holds the figures of the best k, estimated from π alone. Undefined figures are nil,
// and Reasons says why, by the figure's name.
type FrontierPoint struct {
	K int    `json:"k"`
	P Figure `json:"P"` // mean π of the best k, or of all where there are fewer
	R Figure `json:"R"` // their share of all π
	F Figure `json:"F"` // harmonic mean of both

	Reasons Reasons `json:"reasons,omitempty"`
}

// Frontier returns the trade of precision for recall that a ranking offers at the k of p.Grid. The share of lanes
// counts above its least value: what all publications have in common would make deeper always better.
func Frontier(ranked []Placed, p Params) []FrontierPoint {
	least := math.Inf(1)
	for _, d := range ranked {
		least = min(least, d.PiLane)
	}
	common := least * value(p.PiWeights, PiDefaults()["lane"], "lane")
	sums := make([]float64, len(ranked)+1)
	for i, d := range ranked {
		sums[i+1] = sums[i] + max(d.Pi-common, 0)
	}
	grid := p.Grid
	if len(grid) == 0 {
		grid = DefaultGrid()
	}
	out := make([]FrontierPoint, len(grid))
	for i, k := range grid {
		point, held := &out[i], min(k, len(ranked))
		point.K = k
		point.P = point.Reasons.say("P")(ratio(sums[held], float64(held), "nothing was ranked"))
		point.R = point.Reasons.say("R")(ratio(sums[held], sums[len(ranked)], "π is the same for every publication"))
		point.F = point.Reasons.say("F")(harmonic(point.P, point.R, "P", "R"))
	}
	return out
}

// ratio returns part / whole; undefined, for a reason, where the whole is 0.
func ratio(part, whole float64, reason string) (Figure, string) {
	if whole == 0 {
		return nil, reason
	}
	return new(part / whole), ""
}

// Shares says how much of the scores of the best 50 each lane brought, in the
// order of lanes and summing to 1; nil when all scores are 0. A score is a
// multiple of RRF, which is a sum over lanes, so it parts without a rest.
func (c *Catalog) Shares(lanes []Lane, ranked []Placed, p Params) []float64 {
	raised := make([]float64, len(c.ids)) // score / RRF of the best
	for _, d := range top(ranked) {
		raised[d.Row] = 1 + p.Beta*d.Pi
	}
	shares, total := make([]float64, len(lanes)), 0.0
	for i, l := range lanes {
		w := p.weight(l)
		for rank, row := range l.Rows {
			if raised[row] > 0 {
				shares[i] += w / (p.K + float64(rank+1)) * raised[row]
			}
		}
		total += shares[i]
	}
	if total == 0 {
		return nil
	}
	for i := range shares {
		shares[i] /= total
	}
	return shares
}
