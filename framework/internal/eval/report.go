package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Report is the outcome of a run. In JSON the members of nDCG and MRR are
// called after the cut-off: ndcg@10, mrr@10 where k is 10.
type Report struct {
	Setup   Setup `json:"setup"`
	Queries int   `json:"queries"`
	K       int   `json:"k"` // cut-off of nDCG and MRR
	Measures
	File    Measures `json:"file"` // the same measures over files, a file ranking where its best section does
	Tokens  Tokens   `json:"tokens"`
	Matched Matched  `json:"matched"`
	P50MS   float64  `json:"p50_ms"`
	P95MS   float64  `json:"p95_ms"`
	// ByKind holds section measures per query type, where queries have one. A
	// query of several types counts in each.
	ByKind map[string]Kind `json:"by_kind,omitempty"`
	// Warnings counts what searches warned of.
	Warnings map[string]int `json:"warnings,omitempty"`

	Ablation   []Effect    `json:"ablation,omitempty"`
	Comparison *Comparison `json:"comparison,omitempty"`
	Tuning     *Tuning     `json:"tuning,omitempty"`

	// PerQuery holds each query's result, for paired comparison.
	PerQuery []Outcome `json:"per_query"`
}

// Setup says what was run, for the reader of a report.
type Setup struct {
	Queries    string             `json:"queries_file,omitempty"`
	Strategies []string           `json:"strategies,omitempty"`
	Fusion     string             `json:"fusion,omitempty"`
	Scope      bool               `json:"scope"`
	Values     map[string]float64 `json:"values,omitempty"` // settings that differ from the configuration
}

// Kind are the measures of the queries of one type.
type Kind struct {
	Queries int `json:"queries"`
	Measures
}

// Matched says how many sections match at all, in whatever order.
type Matched struct {
	PerQuery float64 `json:"per_query"` // mean
	// Relevant is the share of all relevant sections that matched, those beyond
	// the ranking's end included.
	Relevant float64 `json:"relevant_share"`
}

// Outcome is one query's result by section.
type Outcome struct {
	ID              string   `json:"id"`
	Query           string   `json:"query"`
	Kinds           []string `json:"kinds,omitempty"`
	NDCG            float64  `json:"ndcg@10"`
	MRR             float64  `json:"mrr@10"`
	Recall100       float64  `json:"recall@100"`
	Rank            int      `json:"rank"`             // of the first relevant section, 0 when the ranking holds none
	Tokens          int      `json:"tokens,omitempty"` // read down to it
	Matched         int      `json:"matched"`
	RelevantMatched int      `json:"relevant_matched"`
	MS              float64  `json:"ms"`
	Expected        []Target `json:"expected"`
	Ranked          []Target `json:"ranked"` // the best k
}

// NDCGByQuery returns each query's nDCG in order.
func (r *Report) NDCGByQuery() []float64 { return r.column(func(o Outcome) float64 { return o.NDCG }) }

func (r *Report) column(figure func(Outcome) float64) []float64 {
	out := make([]float64, len(r.PerQuery))
	for i, o := range r.PerQuery {
		out[i] = figure(o)
	}
	return out
}

// cutNames are the JSON names that carry the cut-off.
var cutNames = []string{"ndcg@", "mrr@"}

// plainReport is a Report without its methods.
type plainReport Report

// MarshalJSON implements [json.Marshaler].
func (r Report) MarshalJSON() ([]byte, error) {
	out, err := toolset.Marshal(plainReport(r))
	return rename(out, 10, r.K), err
}

// UnmarshalJSON implements [json.Unmarshaler].
func (r *Report) UnmarshalJSON(src []byte) error {
	var cut struct{ K int }
	if err := json.Unmarshal(src, &cut); err != nil {
		return err
	}
	return json.Unmarshal(rename(src, cut.K, 10), (*plainReport)(r))
}

// rename changes the cut-off in member names. Text that is a value cannot be
// hit: a quotation mark inside it is escaped.
func rename(src []byte, from, to int) []byte {
	for _, name := range cutNames {
		src = bytes.ReplaceAll(src, fmt.Appendf(nil, `"%s%d":`, name, from), fmt.Appendf(nil, `"%s%d":`, name, to))
	}
	return src
}

// ReadBaseline reads a report that an earlier run printed as JSON; nil for no path.
func ReadBaseline(path string) (*Report, error) {
	if path == "" {
		return nil, nil
	}
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("baseline: %w", err)
	}
	r := new(Report)
	if err = json.Unmarshal(src, r); err == nil && len(r.PerQuery) == 0 {
		err = errors.New("it holds no results per query")
	}
	if err != nil {
		return nil, fmt.Errorf("%s is not a report of sagasu eval --json: %w", path, err)
	}
	return r, nil
}
