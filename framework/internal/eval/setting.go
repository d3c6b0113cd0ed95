package eval

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Setting holds the values that differ from the present settings, by name; the
// empty one is the present settings.
type Setting map[string]float64

// Parameter is a figure that may be tuned.
type Parameter struct {
	Name string
	// Values are tried besides the present one.
	Values []float64
}

// String lists the values by name: a key for equal settings.
func (s Setting) String() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(s)) {
		parts = append(parts, fmt.Sprintf("%s=%v", name, s[name]))
	}
	return strings.Join(parts, " ")
}

// with gives the setting with one value changed.
func (s Setting) with(name string, value float64) Setting {
	out := Setting{name: value}
	for n, v := range s {
		if n != name {
			out[n] = v
		}
	}
	return out
}

// less gives the setting with one parameter as it is at present.
func (s Setting) less(name string) Setting {
	out := maps.Clone(s)
	delete(out, name)
	return out
}

// neighbours are the settings that differ from s in one parameter.
func (s Setting) neighbours(p Parameter) []Setting {
	var out []Setting
	if _, changed := s[p.Name]; changed {
		out = append(out, s.less(p.Name))
	}
	for _, v := range p.Values {
		if now, changed := s[p.Name]; !changed || now != v {
			out = append(out, s.with(p.Name, v))
		}
	}
	return out
}
