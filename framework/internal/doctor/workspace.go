package doctor

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

// settings lists the configuration as it came out.
func (r *Report) settings(w *workspace.Workspace) {
	r.Settings = w.Effective()
	own := len(r.Settings)
	add := func(name, value, origin string) {
		r.Settings = append(r.Settings, workspace.Effective{Name: name, Value: value, Origin: origin})
	}
	for strategy, s := range w.Strategies {
		name := "strategies." + strategy
		if s.Enabled != nil {
			add(name+".enabled", strconv.FormatBool(*s.Enabled), w.Origin(name+".enabled"))
		}
		if s.Weight != nil {
			add(name+".weight", strconv.FormatFloat(*s.Weight, 'g', -1, 64), w.Origin(name+".weight"))
		}
		for key, value := range s.Config {
			text, _ := json.Marshal(value) // what a file held is JSON, or the start has failed
			origin, _ := w.ConfigOrigin(strategy, key)
			add(name+".config."+key, string(text), origin)
		}
	}
	slices.SortFunc(r.Settings[own:], func(a, b workspace.Effective) int { return strings.Compare(a.Name, b.Name) })
}

// dictionaries reports those of the workspace; each mistake in them is a hint.
func (r *Report) dictionaries(o Options) {
	if o.Dictionary != nil {
		r.Dictionaries = append(r.Dictionaries, o.Dictionary.Files...)
	}
	mistakes, ok := errors.AsType[dict.Errors](o.Mistakes)
	if o.Mistakes != nil && !ok {
		r.Fail("the dictionaries cannot be read: "+o.Mistakes.Error(), "")
	}
	for _, m := range mistakes {
		r.Fail("a dictionary has a mistake: "+m.Error(),
			"correct it in "+filepath.Join(o.Workspace.Root, filepath.FromSlash(m.File)))
	}
}
