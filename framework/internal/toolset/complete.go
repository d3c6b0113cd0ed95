package toolset

import (
	"context"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// Argument is a value that the user of a client fills in: of a prompt, or of a resource's URI.
type Argument struct {
	Name, Description string
	Optional          bool
	// Values, if not nil, lists what may be meant, given the arguments that are known already.
	Values func(ctx context.Context, given map[string]string) ([]string, error)
}

// Complete returns at most n of the values that begin with what was typed, then of those that hold it, and
// how many of either there are. Width, case and other ways of writing the same do not matter.
func Complete(typed string, values []string, n int) (best []string, total int) {
	want := text.Fold(typed)
	best = []string{}
	var within []string
	for _, v := range values {
		switch at := strings.Index(text.Fold(v), want); {
		case at == 0:
			best = append(best, v)
		case at > 0:
			within = append(within, v)
		}
	}
	best = append(best, within...)
	return best[:min(n, len(best))], len(best)
}
