package check

import (
	"time"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/conformance"
)

// Report is what was found.
type Report struct {
	Path    string    `json:"path"`
	SHA256  string    `json:"sha256"`
	Name    string    `json:"name"` // "" where it does not start, like the next two
	Version string    `json:"version"`
	Stage   sdk.Stage `json:"stage"`
	// Findings are one per rule that was checked.
	Findings []Finding `json:"rules"`
	// Broken counts the rules that are broken.
	Broken  int     `json:"broken"`
	Figures Figures `json:"figures"`
	Sandbox string  `json:"sandbox"` // what held it
}

// Finding is a rule and how it is broken.
type Finding struct {
	ID     string  `json:"id"`
	Text   string  `json:"text"`
	Why    string  `json:"why"`
	Broken string  `json:"broken"` // how, "" for kept
	TookMS float64 `json:"took_ms"`
}

// Figures are measures that break no rule by themselves; 0 for what was not measured.
type Figures struct {
	StartMS     float64 `json:"start_ms"`      // median, until the handshake
	SearchP50MS float64 `json:"search_p50_ms"` // of a small corpus, the border included
	SearchP95MS float64 `json:"search_p95_ms"`
	MemoryBytes int64   `json:"memory_bytes"` // of its own, after the examination of its answers
	StrayBytes  int64   `json:"stray_bytes"`  // on stdout beside the handshake
}

// add notes what became of the check of a rule.
func (r *Report) add(rule conformance.Rule, err error, took time.Duration) {
	f := Finding{ID: rule.ID, Text: rule.Text, Why: rule.Why, TookMS: milliseconds(took)}
	if err != nil {
		f.Broken = err.Error()
		r.Broken++
	}
	r.Findings = append(r.Findings, f)
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1e3 }
