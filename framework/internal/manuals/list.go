package manuals

import "context"

// List is the answer to manual_list.
type List struct {
	Items []ListItem `json:"items"` // ascending
}

// ListItem is one manual.
type ListItem struct {
	ManualID string `json:"manual_id"`
}

// List names the manuals.
func (l *Library) List(ctx context.Context) (*List, error) {
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
