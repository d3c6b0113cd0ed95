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

// Side is one of the two rules of a conflict.
type Side struct {
	Path, Name string
	Line       int
	Text       string
	// Value is the number as people read it, such as "25 MB" for 25 * 1024 * 1024, "" where Text has it so.
	Value string
}

// Conflicts returns where has gives a setting another default than wants, in the order of wants. The rules of wants
// are of one layer of specifications: of the open changes, or of the main ones. It is of no use when ctx ends
// before it returns.
func Conflicts(ctx context.Context, has, wants []Rule) []Conflict {
	settings, all := map[string][]*Rule{}, []Conflict{}
	for i := range has {
		if name := has[i].setting; name != "" {
			settings[name] = append(settings[name], &has[i])
		}
	}
	for i := range wants {
		if ctx.Err() != nil {
			return nil
		}
		if h := wants[i].otherDefault(settings[wants[i].setting]); h != nil {
			if c := conflict(h, &wants[i]); !slices.Contains(all, c) {
				all = append(all, c)
			}
		}
	}
	return all
}

// Differing returns a value that a statement wants and one of lines about it that is another one, where neither side
// has both: what is given to a name that the statement speaks of, else what has a unit.
func Differing(has, wants []Rule) (Conflict, bool) {
	has = slices.DeleteFunc(slices.Clone(has), func(h Rule) bool { return h.Kind == Number && h.Amount.Value == 0 })
	c, ok := differing(has, wants, func(h, w *Rule) bool { return h.setting != "" && h.named(w) == 1 })
	if !ok {
		c, ok = differing(has, wants, func(h, w *Rule) bool {
			return h.measured() && w.measured() && h.named(w) > 0
		})
	}
	return c, ok
}

// Revised returns where a requirement of a change wants another value than the main one of its name.
func Revised(change, main []Rule) (all []Conflict) {
	revised := map[[2]string][]Rule{}
	for _, r := range change {
		revised[r.requirement()] = append(revised[r.requirement()], r)
	}
	for len(main) > 0 {
		n := 1
		for n < len(main) && main[n].Path == main[0].Path && main[n].Text == main[0].Text {
			n++
		}
		if c, ok := differing(revised[main[0].requirement()], main[:n], func(*Rule, *Rule) bool { return true }); ok {
			all = append(all, c)
		}
		main = main[n:]
	}
	return all
}

// requirement names the requirement that a rule is of, with its capability.
func (r *Rule) requirement() [2]string { return [2]string{path.Base(path.Dir(r.Path)), r.Name} }

// differing returns the first pair of values that are of the same thing, where neither side has both.
func differing(has, wants []Rule, tied func(h, w *Rule) bool) (Conflict, bool) {
	holds := func(all []Rule, r *Rule) bool {
		return slices.ContainsFunc(all, func(o Rule) bool { return o.Kind == r.Kind && o.same(r) })
	}
	for i := range wants {
		for k := range has {
			w, h := &wants[i], &has[k]
			if h.differs(w) && tied(h, w) && !holds(has, w) && !holds(wants, h) {
				return conflict(h, w), true
			}
		}
	}
	return Conflict{}, false
}

func conflict(has, wants *Rule) Conflict { return Conflict{wants.Kind, has.side(), wants.side()} }

func (r *Rule) side() Side {
	s := Side{Path: r.Path, Name: r.Name, Line: r.Line, Text: r.Text}
	if value := r.Amount.String(); r.Kind == Number && !strings.Contains(r.Text, value) {
		s.Value = value
	}
	return s
}
