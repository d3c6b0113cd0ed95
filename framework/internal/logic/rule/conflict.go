package rule

import (
	"context"
	"path"
	"slices"
	"strings"
)

// Conflict is a value that one source has where a specification wants another.
type Conflict struct {
	What       Kind
	Has, Wants Side
}

// Side is one of the two rules in a conflict.
type Side struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	Name string `json:"name"`
	Text string `json:"text"`
	// Value is the number in readable form, such as "25 MB" for 25 * 1024 * 1024, or "" if Text already has that form.
	Value string `json:"value"`
}

// Compared is the result of a comparison.
type Compared struct {
	Conflicts []Conflict
	Pairs     int // number of compared values
}

// Settings compares the defaults that has and wants give to settings, in the order of wants. All rules of wants belong
// to one layer of specifications: the open changes or the main ones. The result is incomplete if ctx ends.
func Settings(ctx context.Context, has, wants []Rule) (all Compared) {
	settings := map[string][]*Rule{}
	for i := range has {
		if name := has[i].setting; name != "" {
			settings[name] = append(settings[name], &has[i])
		}
	}
	for i := range wants {
		if ctx.Err() != nil {
			return all
		}
		given := settings[wants[i].setting]
		all.Pairs += len(given)
		if h := wants[i].otherDefault(given); h != nil {
			all.add(conflict(h, &wants[i]))
		}
	}
	return all
}

// Statement compares what a statement wants with lines about it: values of names that it mentions, and values with a
// unit of measure.
func Statement(has, wants []Rule) Compared {
	return compare(has, wants, func(h, w *Rule) tie {
		switch share := w.speaksOf(h); {
		case h.Kind == Number && h.Amount.Value == 0:
			return none
		case h.setting != "" && share == 1:
			return sure
		case h.measured() && w.measured() && share >= .5:
			return likely
		}
		return none
	})
}

// Requirements compares the requirements of changes with the main requirements of the same name.
func Requirements(change, main []Rule) (all Compared) {
	revised := map[[2]string][]Rule{}
	for _, r := range change {
		revised[r.requirement()] = append(revised[r.requirement()], r)
	}
	for len(main) > 0 {
		n := 1
		for n < len(main) && main[n].Path == main[0].Path && main[n].Text == main[0].Text {
			n++
		}
		all.Add(compare(revised[main[0].requirement()], main[:n], func(h, w *Rule) tie {
			if h.role != w.role && !w.measured() {
				return none // a limit and a count
			}
			return sure
		}))
		main = main[n:]
	}
	return all
}

// requirement identifies the requirement that a rule belongs to, by capability and name.
func (r *Rule) requirement() [2]string { return [2]string{path.Base(path.Dir(r.Path)), r.Name} }

// tie is how certainly two values concern the same thing.
type tie int

const (
	none tie = iota
	likely
	sure
)

// compare counts the pairs of values that concern the same thing. It returns the first most certain pair of different
// values, unless one side has both values.
func compare(has, wants []Rule, tied func(h, w *Rule) tie) (all Compared) {
	holds := func(all []Rule, r *Rule) bool {
		return slices.ContainsFunc(all, func(o Rule) bool { return o.same(r) })
	}
	found, best := Conflict{}, none
	for i := range wants {
		for k := range has {
			w, h := &wants[i], &has[k]
			t, differs := tied(h, w), h.differs(w)
			if t == none || !differs && !h.same(w) {
				continue
			}
			all.Pairs++
			if differs && t > best && !holds(has, w) && !holds(wants, h) {
				found, best = conflict(h, w), t
			}
		}
	}
	if best > none {
		all.add(found)
	}
	return all
}

// Add adds the result of another comparison.
func (c *Compared) Add(o Compared) {
	c.Pairs += o.Pairs
	for _, one := range o.Conflicts {
		c.add(one)
	}
}

func (c *Compared) add(one Conflict) {
	if !slices.Contains(c.Conflicts, one) {
		c.Conflicts = append(c.Conflicts, one)
	}
}

func conflict(has, wants *Rule) Conflict { return Conflict{wants.Kind, has.side(), wants.side()} }

func (r *Rule) side() Side {
	s := Side{Path: r.Path, Name: r.Name, Line: r.Line, Text: r.Text}
	if value := r.Amount.String(); r.Kind == Number && !strings.Contains(r.Text, value) {
		s.Value = value
	}
	return s
}
