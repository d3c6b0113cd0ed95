package adapt

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Tool is the only tool whose rows move thresholds.
const Tool = "manual_find"

// Why a search widened, as far as thresholds decide it. Other reasons may stand
// in [Row.Escalation] beside them.
const (
	ReasonFew  = "few_candidates" // fewer candidates than the low threshold, and not none
	ReasonBias = "file_bias"      // one file holds more than the bias threshold
)

// Row is what is kept of one search: figures alone, no text. Rates are in
// [0, 1], times in milliseconds.
type Row struct {
	// Time is when the search was answered, in seconds since 1970.
	Time int64  `json:"ts"`
	Tool string `json:"tool"`
	// QueryHash makes repeats known; see [QueryHash].
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
	AddedEvidence int      `json:"added_evidence_count"` // evidences that earlier searches of the session had not given
	AddedTokens   int      `json:"added_est_tokens"`
	MarginalGain  float64  `json:"marginal_gain"` // evidences per token; see [Gain]

	CacheHit       bool     `json:"sem_cache_hit"`
	CacheMode      string   `json:"sem_cache_mode"`
	CacheScore     *float64 `json:"sem_cache_score"` // null unless the hit was semantic
	LatencySavedMS int64    `json:"latency_saved_ms"`

	// Used is |U|, the distinct refs that were used under the trace; Recalled is
	// |C ∩ U|, those of them that were candidates.
	Used     int      `json:"used"`
	Recalled int      `json:"used_candidates"`
	Recall   *float64 `json:"recall_proxy"` // Recalled/Used, null when nothing was used

	// State is what the thresholds were when the row was written.
	State
}

// GainRow is what is kept of a call that reads on: figures alone, no text. It moves no
// threshold.
type GainRow struct {
	Time          int64   `json:"ts"` // seconds since 1970
	Tool          string  `json:"tool"`
	AddedEvidence int     `json:"added_evidence_count"`
	AddedTokens   int     `json:"added_est_tokens"`
	MarginalGain  float64 `json:"marginal_gain"`
}

// QueryHash identifies a query by its normalised form without revealing it: 64
// bits of its SHA-256, in hexadecimal.
func QueryHash(query string) string {
	sum := sha256.Sum256([]byte(text.Fold(query)))
	return hex.EncodeToString(sum[:8])
}

// EstTokens estimates tokens as requirement 9 does: ceil((in + out) / 4), of
// characters. Give 0 for one side to get the other's.
func EstTokens(charsIn, charsOut int) int { return (charsIn + charsOut + 3) / 4 }

// Characters counts what [EstTokens] takes.
func Characters(s string) int { return utf8.RuneCountInString(s) }

// Gain is added evidence per added token, 0 when none were added.
func Gain(evidence, tokens int) float64 {
	if tokens == 0 {
		return 0
	}
	return float64(evidence) / float64(tokens)
}

// longestRow is more than any row takes: a longer line is no row.
const longestRow = 16 << 10

// parse reads a line. What does not hold together is no row: the file may be
// torn, or written by somebody else.
func parse(line []byte, now time.Time) (Row, bool) {
	var r Row
	if len(line) > longestRow || json.Unmarshal(line, &r) != nil || r.Tool != Tool {
		return Row{}, false
	}
	whole := r.Used >= r.Recalled && r.Recalled >= 0 && r.Candidates >= 0 && r.Time > 0 &&
		r.Time <= now.Add(clockSkew).Unix() && share(r.FileBias)
	return r, whole
}

// begins reports whether the start of a file is a row of any kind, or one that was
// never finished.
func begins(start []byte) bool {
	first, _, finished := bytes.Cut(start, []byte{'\n'})
	if !finished && tornRow().Match(first) {
		return true
	}
	var row struct {
		Time   *int64   `json:"ts"`
		Tool   *string  `json:"tool"`
		Added  *int     `json:"added_evidence_count"`
		Tokens *int     `json:"added_est_tokens"`
		Gain   *float64 `json:"marginal_gain"`
	}
	err := json.Unmarshal(first, &row)
	return err == nil && row.Time != nil && row.Tool != nil && row.Added != nil && row.Tokens != nil && row.Gain != nil
}

// tornRow is how rows begin: one that was cut even before looks like foreign text.
var tornRow = lazyregexp.New(`^\{"ts":\d+,"tool":"\w+","(query_hash|added_evidence_count)":`)

// clockSkew is how far ahead another process's clock may be. A row from later
// would keep thresholds from moving until then.
const clockSkew = time.Hour

func share(x float64) bool { return x >= 0 && x <= 1 }

// encode makes the row's line.
func (r Row) encode() ([]byte, error) {
	line, err := json.Marshal(r)
	if err == nil && len(line) >= longestRow {
		err = fmt.Errorf("it has %d bytes", len(line))
	}
	if err != nil {
		return nil, fmt.Errorf("encode a row of statistics: %w", err)
	}
	return append(line, '\n'), nil
}

func (r GainRow) encode() ([]byte, error) {
	raw, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("encode a row of statistics: %w", err)
	}
	return append(raw, '\n'), nil
}

// line is a row of any kind.
type line interface{ encode() ([]byte, error) }

// linesOf are rows of searches.
func linesOf(rows []Row) []line {
	out := make([]line, len(rows))
	for i, r := range rows {
		out[i] = r
	}
	return out
}
