package toolset

import (
	"reflect"
	"slices"
)

// Unwrap takes the arguments out of a single object that a client has put around all of them.
func (a *Arguments) Unwrap(wrappers ...string) {
	given := slices.DeleteFunc(slices.Clone(a.value.Members), func(m Member) bool { return m.Kind == 'n' })
	if len(given) == 1 && given[0].Kind == '{' && slices.Contains(wrappers, given[0].Name) {
		a.value = given[0].Value
	}
}

// Lift moves the members of an object argument to the level of the argument, for clients that put only some arguments
// into one. Members given on both levels must be equal.
func (a *Arguments) Lift(name string) {
	n, given := a.value.find(name)
	if !given || n.Kind != '{' {
		return
	}
	members := slices.DeleteFunc(slices.Clone(a.value.Members), func(m Member) bool { return m.Name == name })
	for _, m := range n.Members {
		if own, both := a.value.find(m.Name); both && !reflect.DeepEqual(own.plain(), m.plain()) {
			a.Fail(Invalid(a.prefix+name+"."+m.Name, m.Describe(), "given once"))
		}
		members = append(members, m)
	}
	a.value.Members = members
}

// rename reads an argument under an alias. Both may be given if they are equal.
func (a *Arguments) rename(alias, name string) {
	n, given := a.value.find(alias)
	if !given {
		return
	}
	if own, both := a.value.find(name); both && !reflect.DeepEqual(own.plain(), n.plain()) {
		a.Fail(Errorf(InvalidParameter, "%s and %s mean the same and differ; give %s alone", a.prefix+name,
			a.prefix+alias, a.prefix+name).Argument(a.prefix+alias, n.Describe(), a.prefix+name+" alone"))
	}
	members := slices.DeleteFunc(slices.Clone(a.value.Members), func(m Member) bool { return m.Name == name })
	for i := range members {
		if members[i].Name == alias {
			members[i].Name = name
		}
	}
	a.value.Members = members
}
