package host

import (
	"context"

	"github.com/sagasu-search/sagasu/sdk"
)

// Probe starts the executable of e once, confined as for a search, and gives what it says
// of itself, whatever name that is. The host that o describes gets no other entry.
func Probe(ctx context.Context, o Options, e Entry) (sdk.Description, error) {
	e.anyName, e.Known = true, nil
	o.Entries = []Entry{e}
	h, err := New(o)
	if err != nil {
		return sdk.Description{}, err
	}
	defer h.Close()
	p, err := h.launch(ctx, h.slots[0].entry())
	if err != nil {
		return sdk.Description{}, err
	}
	defer p.close()
	return p.description, nil
}
