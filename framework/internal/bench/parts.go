package bench

import (
	"cmp"
	"slices"
)

// parts are what a run can measure, in their order.
var parts = []struct {
	name    string
	measure func(r *run) error
}{
	{"build", (*run).building},
	{"open", (*run).opening},
	{"bm25", (*run).terms},
	{"first", (*run).firstIndex},
	{"border", (*run).border},
	{"find", (*run).serving},
	{"growth", (*run).growing},
	{"start", (*run).starting},
	{"edit", (*run).editing},
	{"memory", (*run).memory},
	{"cache", (*run).caching},
	{"sessions", (*run).concurrent},
}

// Parts are the names of what can be measured, in order.
func Parts() []string {
	var out []string
	for _, p := range parts {
		out = append(out, p.name)
	}
	return out
}

func (r *run) wants(names ...string) bool {
	return len(r.Only) == 0 || slices.ContainsFunc(names, func(n string) bool { return slices.Contains(r.Only, n) })
}

// measure does what is wanted, and before it what that needs.
func (r *run) measure() error {
	for _, p := range parts {
		if err := cmp.Or(r.ctx.Err(), r.before(p.name)); err != nil {
			return err
		}
		if !r.wants(p.name) {
			continue
		}
		if err := r.around(p.name, func() error { return p.measure(r) }); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) around(part string, measure func() error) error {
	if r.Around == nil {
		return measure()
	}
	return r.Around(part, measure)
}

// before provides what the parts from one on need although the part that would
// have made it is not wanted, and lets go of what none needs.
func (r *run) before(part string) error {
	switch part {
	case "build":
		if !r.wants("build") && r.wants("open", "bm25", "find") {
			return r.buildOnce()
		}
	case "open":
		r.forget()
		if !r.wants("open") && r.own.dir != "" {
			return r.openPeers()
		}
	case "border":
		if !r.wants("first") && r.wants("start", "edit", "memory", "cache", "sessions", "border", "find", "growth") {
			_, _, _, err := r.beginning(r.home)
			return err
		}
	}
	return nil
}

// forget lets the texts go: searches that share their memory with them would
// wait for the garbage collector.
func (r *run) forget() {
	r.files, r.sections = nil, nil
	for i := range r.units {
		r.units[i].heading, r.units[i].text = "", ""
	}
}
