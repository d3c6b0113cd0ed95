package doctor

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

// roots lists the folders of the workspace.
func (r *Report) roots(w *workspace.Workspace) {
	for _, root := range w.Roots() {
		_, err := os.Stat(root.Path)
		r.Roots = append(r.Roots, Root{Name: root.Name, Path: root.Path, Exists: err == nil, Origin: root.Origin})
	}
}

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

// dictionaryDir is the folder of a workspace that holds its dictionaries.
const dictionaryDir = "dict"

// dictionaries reads the workspace's own dictionaries; each mistake in them is a hint.
func (r *Report) dictionaries(w *workspace.Workspace) {
	root, err := os.OpenRoot(w.Root)
	if err != nil {
		r.Fail("the workspace cannot be read: "+err.Error(), "")
		return
	}
	defer root.Close()
	folder, err := dict.Load(root.FS(), dictionaryDir)
	if folder != nil {
		r.Dictionaries = append(r.Dictionaries, folder.Files...)
	}
	mistakes, ok := errors.AsType[dict.Errors](err)
	if err != nil && !ok {
		r.Fail("the dictionaries cannot be read: "+err.Error(), "")
	}
	for _, m := range mistakes {
		r.Fail("a dictionary has a mistake: "+m.Error(),
			"correct it in "+filepath.Join(w.Root, filepath.FromSlash(m.File)))
	}
}
