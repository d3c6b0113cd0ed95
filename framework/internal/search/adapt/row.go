package adapt

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// Tool is the only tool whose rows change thresholds.
const Tool = "manual_find"

// Reasons why a search widened that depend on thresholds. [Row.Escalation] may have others.
const (
	ReasonFew  = "few_candidates" // fewer candidates than the low threshold, but at least one
	ReasonBias = "file_bias"      // one file has more than the bias threshold
)

// Row is the record of one search, or of a follow-up call: only numbers, no text. Rates are in [0,
// 1], times in milliseconds.
type Row struct {
	// Time is when the search was answered, in seconds since 1970.
	Time int64  `json:"ts"`
	Tool string `json:"tool"`
	// QueryHash identifies repeats; see [QueryHash].
	QueryHash string `json:"query_hash"`
	ElapsedMS int64  `json:"elapsed_ms"`

	Candidates    int      `json:"candidates"`
	Matched       int      `json:"matched"`
	FileBias      float64  `json:"file_bias_ratio"`
	Gaps          int      `json:"gap_count"`
	Conflicts     int      `json:"conflict_count"`
	Unscanned     int      `json:"unscanned"`
	Expanded      bool     `json:"expanded"` // stage 4 ran
	Escalation    []string `json:"escalation_reasons,omitempty"`
	CutoffReason  string   `json:"cutoff_reason,omitempty"`
	EstTokens     int      `json:"est_tokens"` // see [EstTokens]
	EstTokensIn   int      `json:"est_tokens_in"`
	EstTokensOut  int      `json:"est_tokens_out"`
	AddedEvidence int      `json:"added_evidence_count"` // evidences that no earlier search of the session returned
	AddedTokens   int      `json:"added_est_tokens"`
	MarginalGain  float64  `json:"marginal_gain"` // evidences per token; see [Gain]

	CacheHit       bool     `json:"sem_cache_hit"`
	CacheMode      string   `json:"sem_cache_mode"`
	CacheScore     *float64 `json:"sem_cache_score"` // null unless the hit was semantic
	LatencySavedMS int64    `json:"latency_saved_ms"`

	// Used is |U|, the distinct refs that were read, scanned or copied later under the trace, not those of
	// passages in the answer; Recalled is |C ∩ U|, those of them that were candidates.
	Used     int      `json:"used"`
	Recalled int      `json:"used_candidates"`
	Recall   *float64 `json:"recall_proxy"` // Recalled/Used, null when nothing was used

	// State is the state of the thresholds when the row was written.
	State
}

// QueryHash identifies a query by its normalised form without revealing it: 64
// bits of its SHA-256, in hexadecimal.
func QueryHash(query string) string {
	sum := sha256.Sum256([]byte(text.Fold(query)))
	return hex.EncodeToString(sum[:8])
}

// EstTokens estimates tokens as ceil((in + out) / 4), of characters. With 0 for one side, it estimates the other side
// only.
func EstTokens(charsIn, charsOut int) int { return (charsIn + charsOut + 3) / 4 }

// Gain returns the added evidence per added token, or 0 if no tokens were added.
func Gain(evidence, tokens int) float64 {
	if tokens == 0 {
		return 0
	}
	return float64(evidence) / float64(tokens)
}

// longestRow is greater than the length of any row. A longer line is not a row.
const longestRow = 16 << 10

// parse decodes a line. It rejects inconsistent lines: the file may be torn, or written by another
// program.
func parse(line []byte, now time.Time) (Row, bool) {
	var r Row
	if len(line) > longestRow || json.Unmarshal(line, &r) != nil || r.Tool != Tool {
		return Row{}, false
	}
	whole := r.Used >= r.Recalled && r.Recalled >= 0 && r.Candidates >= 0 && r.Time > 0 &&
		r.Time <= now.Add(clockSkew).Unix() && 0 <= r.FileBias && r.FileBias <= 1
	return r, whole
}

func parseLines(lines []byte, now time.Time) []Row {
	var rows []Row
	for line := range bytes.Lines(lines) {
		if r, ok := parse(line, now); ok {
			rows = append(rows, r)
		}
	}
	return rows
}

// clockSkew is how far ahead another process's clock may be. A row from further in the future would
// keep thresholds from changing until then.
const clockSkew = time.Hour

func (r Row) encode() ([]byte, error) {
	line, err := json.Marshal(r)
	if err == nil && len(line) >= longestRow {
		err = fmt.Errorf("the row has %d bytes", len(line))
	}
	return append(line, '\n'), err
}
