package rule

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// Conflict is a value that one source has where a specification wants another.
type Conflict struct {
	What       Kind
	Has, Wants Side
}

// Side is one of the two rules of a conflict.
type Side struct {
	Path, Name string
	Line       int
	Text       string
	// Value is the number as people read it, such as "25 MB" for 25 * 1024 * 1024, "" where Text has it so.
	Value string
}

// Conflicts returns where has contradicts wants, the likeliest first. The rules of wants are of one layer
// of specifications: of the open changes, or of the main ones. It is of no use when ctx ends before it returns.
func Conflicts(ctx context.Context, has, wants []Rule) []Conflict {
	type scored struct {
		Conflict
		likeness float64
	}
	x, found := newIndex(ctx, has, wants), []scored{}
	for i := range wants {
		if ctx.Err() != nil {
			return nil
		}
		if h, likeness := x.conflict(i); h != nil {
			found = append(found, scored{Conflict{wants[i].Kind, h.side(), wants[i].side()}, likeness})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.likeness, a.likeness), cmp.Compare(a.Wants.Path, b.Wants.Path),
			cmp.Compare(a.Wants.Line, b.Wants.Line))
	})
	all := make([]Conflict, 0, len(found))
	for _, f := range found {
		if !slices.Contains(all, f.Conflict) {
			all = append(all, f.Conflict)
		}
	}
	return all
}

func (r *Rule) side() Side {
	s := Side{Path: r.Path, Name: r.Name, Line: r.Line, Text: r.Text}
	if value := r.Amount.String(); r.Kind == Number && !strings.Contains(r.Text, value) {
		s.Value = value
	}
	return s
}
