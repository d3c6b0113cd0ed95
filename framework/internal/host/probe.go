package host

import (
	"context"
	"fmt"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/border"
)

// Probe starts the executable of e once, confined as for a search, and gives what it says
// of itself, whatever name that is. The host that o describes gets no other entry.
func Probe(ctx context.Context, o Options, e Entry) (sdk.Description, error) {
	e.Known = nil
	o.Entries = []Entry{e}
	h, err := New(o)
	if err != nil {
		return sdk.Description{}, err
	}
	defer h.Close()
	s, err := h.Specimen(ctx, e.Name)
	if err != nil {
		return sdk.Description{}, err
	}
	defer s.Close()
	d, err := s.Describe(ctx)
	if err != nil {
		return sdk.Description{}, fmt.Errorf("describe: %w", err)
	}
	return d, border.CheckDescription(d)
}
