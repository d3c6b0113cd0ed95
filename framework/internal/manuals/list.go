package manuals

import (
	"context"
	"encoding/json"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// ListArgs are the arguments of manual_list: none.
type ListArgs struct{}

// List is the answer to manual_list.
type List struct {
	Items []ListItem `json:"items"` // ascending
}

// ListItem is one manual.
type ListItem struct {
	ManualID string `json:"manual_id"`
}

func (l *Library) listTool() toolset.Tool {
	return toolset.Define(toolset.Tool{
		Name:        "manual_list",
		Title:       "List the manuals",
		Description: "List the ids of all manuals, in order; no files. manual_ls goes on from there. Example: {}",
		Example:     json.RawMessage(`{}`),
		Hints:       toolset.Reading,
		Group:       group,
	}, l.List)
}

// List lists the manuals.
func (l *Library) List(ctx context.Context, _ ListArgs) (*List, error) {
	manuals, err := l.options.Manuals(ctx)
	if err != nil {
		return nil, err
	}
	list := &List{Items: []ListItem{}}
	for _, m := range manuals {
		list.Items = append(list.Items, ListItem{m.ID})
	}
	return list, nil
}
