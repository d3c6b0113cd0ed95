package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Report is the result of a run. In JSON, the names of nDCG and MRR include the cut-off, such as ndcg@10 and mrr@10 if
// k is 10.
type Report struct {
	Setup   Setup `json:"setup"`
	Queries int   `json:"queries"`
	K       int   `json:"k"` // cut-off of nDCG and MRR
	Measures
	File    Measures `json:"file"` // the same measures over files; a file has the rank of its best section
	Tokens  Tokens   `json:"tokens"`
	Matched Matched  `json:"matched"`
	P50MS   float64  `json:"p50_ms"`
	P95MS   float64  `json:"p95_ms"`
	// ByKind holds section measures per query type, if queries have types. A query with several types counts in each.
	ByKind map[string]Kind `json:"by_kind,omitempty"`
	// Warnings counts the warnings of searches.
	Warnings map[string]int `json:"warnings,omitempty"`

	Ablation   []Effect    `json:"ablation,omitempty"`
	Comparison *Comparison `json:"comparison,omitempty"`
	Tuning     *Tuning     `json:"tuning,omitempty"`

	// PerQuery holds each query's result, for paired comparison.
	PerQuery []Outcome `json:"per_query"`
}

// Setup describes a run for the reader of a report.
type Setup struct {
	Queries    string             `json:"queries_file,omitempty"`
	Strategies []string           `json:"strategies,omitempty"`
	Fusion     string             `json:"fusion,omitempty"`
	Scope      bool               `json:"scope"`
	Values     map[string]float64 `json:"values,omitempty"` // settings that differ from the configuration
}

// Kind holds the measures of the queries of one type.
type Kind struct {
	Queries int `json:"queries"`
	Measures
}

// Matched reports how many sections match, in any order.
type Matched struct {
	PerQuery float64 `json:"per_query"` // mean
	// Relevant is the share of all relevant sections that matched, including those beyond the end of the ranking.
	Relevant float64 `json:"relevant_share"`
}

// Outcome is the result of one query, by section.
type Outcome struct {
	ID              string   `json:"id"`
	Query           string   `json:"query"`
	Kinds           []string `json:"kinds,omitempty"`
	NDCG            float64  `json:"ndcg@10"`
	MRR             float64  `json:"mrr@10"`
	Recall100       float64  `json:"recall@100"`
	Rank            int      `json:"rank"`             // of the first relevant section, 0 if the ranking has none
	Tokens          int      `json:"tokens,omitempty"` // read to reach it
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

// cutNames are the JSON names that include the cut-off.
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

// rename changes the cut-off in member names. It cannot match text in a value, where quotation marks are escaped.
func rename(src []byte, from, to int) []byte {
	for _, name := range cutNames {
		src = bytes.ReplaceAll(src, fmt.Appendf(nil, `"%s%d":`, name, from), fmt.Appendf(nil, `"%s%d":`, name, to))
	}
	return src
}

// ReadBaseline reads a report that an earlier run printed as JSON. It returns nil for an empty path.
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
