package rule

import (
	"slices"
	"strings"
)

// Difference says in what two rules contradict each other: a [Kind], or one of
// those of an Amount.
type Difference string

// Differences of amounts that are equal.
const (
	Boundary  Difference = "boundary"  // the amount itself belongs to the other side
	Direction Difference = "direction" // the same happens on the other side
)

// outcome of comparing two rules about the same subject.
type judgement struct {
	agree bool
	what  Difference // "" where they do not contradict each other
}

var silent, agreed = judgement{}, judgement{agree: true}

func differs(what Difference) judgement { return judgement{what: what} }

// compare judges what a program, or a specification of higher priority, says
// against what a specification wants.
func compare(has, wants Rule) judgement {
	if has.Kind != wants.Kind {
		return silent
	}
	switch has.Kind {
	case Amount:
		return compareAmounts(has, wants)
	case Members:
		return compareMembers(has.Values, wants.Values)
	case State:
		return equal(slices.Equal(has.Values, wants.Values), State)
	case Status:
		if has.Excess*wants.Excess < 0 || has.Status/400 != wants.Status/400 && has.Status/500 != wants.Status/500 {
			return silent
		}
		return equal(has.Status == wants.Status, Status)
	case Presence:
		if !sameField(has, wants) {
			return silent
		}
		return equal(has.Must == wants.Must, Presence)
	case Effect:
		return compareEffects(has, wants)
	}
	return silent
}

func equal(same bool, kind Kind) judgement {
	if same {
		return agreed
	}
	return differs(Difference(kind))
}

func compareAmounts(has, wants Rule) judgement {
	switch {
	case !has.Amount.comparable(wants.Amount) || otherRole(has, wants) || apart(has.Outcome, wants.Outcome):
		return silent
	case has.Op == "" && has.role == "" && wants.Op == ">=" && wants.Sign > 0 && has.Amount.Value > wants.Amount.Value:
		return silent // what is kept for a year is kept for a month at least
	case !has.Amount.same(wants.Amount):
		return differs(Difference(Amount))
	case has.Op == "" || wants.Op == "":
		return agreed
	case has.inclusive(&wants) != split(wants.Op):
		return differs(Boundary)
	case has.Sign*wants.Sign != 0 && has.Sign*side(has.Op) != wants.Sign*side(wants.Op):
		return differs(Direction)
	case wants.Sign == 0 && side(has.Op) != side(wants.Op) && len(shared(has.Outcome, wants.Outcome)) > 0:
		return differs(Direction)
	}
	return agreed
}

// apart reports whether two outcomes name values and none in common: they are
// cases of their own, such as the ranks of points.
func apart(a, b Words) bool {
	return hasValue(a) && hasValue(b) && !hasValue(shared(a, b))
}

func hasValue(w Words) bool {
	for word := range w {
		if strings.HasPrefix(word, "=") {
			return true
		}
	}
	return false
}

func shared(a, b Words) Words {
	both := Words{}
	for word := range a {
		if b[word] {
			both[word] = true
		}
	}
	return both
}

func compareMembers(has, wants []string) judgement {
	a, b := Words{}, Words{}
	for _, v := range has {
		a[strings.ToLower(v)] = true
	}
	for _, v := range wants {
		b[strings.ToLower(v)] = true
	}
	common := len(shared(a, b))
	if common == 0 {
		return silent
	}
	return equal(common == len(a) && common == len(b), Members)
}

// sameField compares the names of fields without case and underscores, or the
// words where the specification writes no name.
func sameField(has, wants Rule) bool {
	if len(wants.Values) > 0 {
		return slices.ContainsFunc(wants.Values, func(v string) bool { return fieldKey(v) == fieldKey(has.Values[0]) })
	}
	return len(has.About) > 0 && len(shared(has.About, wants.About)) == len(has.About)
}

func fieldKey(name string) string {
	name = name[strings.LastIndex(name, ".")+1:]
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
}

// compareEffects: what is only called tells nothing of what is wanted; a guard
// that refuses contradicts a permission, not any obligation.
func compareEffects(has, wants Rule) judgement {
	switch {
	case has.Sign == wants.Sign:
		return agreed
	case has.Called && wants.Sign > 0, wants.Sign > 0 && wants.Must && !has.Must:
		return silent
	case !has.Must && len(shared(has.Outcome, wants.Outcome)) == 0:
		return silent
	}
	return differs(Difference(Effect))
}
