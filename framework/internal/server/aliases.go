package server

import (
	"reflect"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Unwrap takes the arguments out of a single object that a client put around all
// of them.
func (a *Arguments) Unwrap(wrappers ...string) {
	given := slices.DeleteFunc(slices.Clone(a.value.members), func(m member) bool { return m.kind == 'n' })
	if len(given) == 1 && given[0].kind == '{' && slices.Contains(wrappers, given[0].name) {
		a.value = given[0].node
	}
}

// Rename reads an argument under another of its names. Both may be given when
// they say the same.
func (a *Arguments) Rename(alias, name string) {
	n, given := a.value.find(alias)
	if !given {
		return
	}
	if own, both := a.value.find(name); both {
		if !reflect.DeepEqual(own.plain(), n.plain()) {
			a.fail(toolset.Errorf(toolset.InvalidParameter, "%s and %s mean the same and differ; give %s alone", a.prefix+name, a.prefix+alias, a.prefix+name).
				With("parameter", a.prefix+alias).With("got", n.describe()).With("expected", a.prefix+name+" alone"))
		}
	}
	members := slices.DeleteFunc(slices.Clone(a.value.members), func(m member) bool { return m.name == name })
	for i := range members {
		if members[i].name == alias {
			members[i].name = name
		}
	}
	a.value.members = members
}
