package border

import (
	"encoding/json"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
)

// Bounds of a description; lengths in bytes.
const (
	MaxVersion = 100
	MaxSignals = 50
	MaxCorpora = 50
	MaxSchema  = 256 << 10
)

// lower are the characters of a name.
const lower = "abcdefghijklmnopqrstuvwxyz0123456789-"

// IsName tells whether s can be the name of a strategy: 1 to 40 lower-case ASCII letters,
// digits and '-'.
func IsName(s string) bool { return made(s, lower) }

// made tells whether s is 1 to 40 of the characters.
func made(s, characters string) bool {
	return s != "" && len(s) <= 40 && strings.Trim(s, characters) == ""
}

// CheckDescription checks what a strategy says of itself. The error is a [*BreachError].
func CheckDescription(d sdk.Description) error {
	switch {
	case !IsName(d.Name):
		return breach(RuleDescription, "name %.50q", d.Name)
	case d.Stage != sdk.StageRetrieve && d.Stage != sdk.StageFill && d.Stage != sdk.StageRerank:
		return breach(RuleDescription, "stage %q", d.Stage)
	case !finite(d.Weight):
		return breach(RuleDescription, "weight %v", d.Weight)
	case len(d.Version) > MaxVersion || !isLine(d.Version):
		return breach(RuleDescription, "a version of %d bytes, or not of one line", len(d.Version))
	case len(d.ConfigSchema) > MaxSchema || len(d.ConfigSchema) > 0 && !json.Valid(d.ConfigSchema):
		return breach(RuleDescription, "a configuration schema of %d bytes, or not JSON", len(d.ConfigSchema))
	case len(d.Corpora) > MaxCorpora:
		return breach(RuleDescription, "%d kinds of corpora", len(d.Corpora))
	case len(d.Signals) > MaxSignals:
		return breach(RuleDescription, "%d signals", len(d.Signals))
	}
	for _, signal := range d.Signals {
		if !made(signal, lower+"_") {
			return breach(RuleDescription, "signal %.50q", signal)
		}
	}
	return nil
}
