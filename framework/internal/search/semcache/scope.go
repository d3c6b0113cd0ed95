package semcache

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/sagasu-search/sagasu/sdk"
)

// Scope is what an answer is valid for. An answer is served only where all of
// it agrees.
type Scope struct {
	// ManualID is the manual as the search resolved it, "" for all.
	ManualID    string
	ExpandScope bool
	// MaxCandidates and TimeMS are the budget.
	MaxCandidates, TimeMS int
	// Strategies identifies the strategies and the settings of the search; see [Recipe].
	Strategies string
	// Fingerprint is of the content of all manuals, not of times: an edit to any
	// of them changes the statistics that every answer is ranked by.
	Fingerprint string
}

// Recipe identifies the strategies that can be called, with their versions and
// weights, and whatever settings change what a search finds. settings is
// encoded as JSON; what does not encode is an error of the program.
func Recipe(strategies []sdk.Description, settings any) (string, error) {
	type part struct {
		Name, Version string
		Stage         sdk.Stage
		Weight        float64
	}
	parts := make([]part, len(strategies))
	for i, d := range strategies {
		parts[i] = part{d.Name, d.Version, d.Stage, d.Weight}
	}
	data, err := json.Marshal([]any{parts, settings})
	if err != nil {
		return "", fmt.Errorf("identify the settings of a search: %w", err)
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}
