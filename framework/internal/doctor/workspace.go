package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

// roots lists the folders of the workspace.
func (r *Report) roots(w *workspace.Workspace) {
	for _, root := range []Root{
		{Name: "WORKSPACE_ROOT", Path: w.Root}, {Name: "MANUALS_ROOT", Path: w.ManualsRoot},
		{Name: "VAULT_ROOT", Path: w.VaultRoot}, {Name: "PUBLICATIONS_ROOT", Path: w.PublicationsRoot},
		{Name: "LOGIC_ROOT", Path: w.LogicRoot}, {Name: "SAGASU_CACHE_DIR", Path: w.CacheHome},
	} {
		_, err := os.Stat(root.Path)
		root.Exists, root.Origin = err == nil, w.Origin(root.Name)
		r.Roots = append(r.Roots, root)
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

// manuals lists the manuals; a workspace without any is broken.
func (r *Report) manuals(ctx context.Context, w *workspace.Workspace) {
	found, err := w.Manuals(ctx)
	for _, m := range found {
		r.Manuals = append(r.Manuals, Manual{m.ID, m.Dir})
	}
	switch {
	case err != nil:
		r.broken(toolset.AsError(err).Message, "")
	case len(found) == 0 && (w.HasPublications() || w.HasLogic()):
		r.note(w.Lack())
	case len(found) == 0:
		r.broken(w.Lack())
	case w.DefaultManualID != "" && !slices.ContainsFunc(found,
		func(m corpus.Manual) bool { return m.ID == w.DefaultManualID }):
		r.broken(fmt.Sprintf("DEFAULT_MANUAL_ID is %q, and there is no such manual", w.DefaultManualID),
			"correct it where it was set: "+w.Origin("DEFAULT_MANUAL_ID"))
	}
}

// logic says what a repository lacks whose tools were asked for.
func (r *Report) logic(ctx context.Context, w *workspace.Workspace) {
	if slices.Contains(w.Toolsets, "logic") && !w.HasLogic() {
		r.broken(w.LogicHint(ctx), "")
	}
}

// dictionaryDir is the folder of a workspace that holds its dictionaries.
const dictionaryDir = "dict"

// dictionaries reads the workspace's own dictionaries; each mistake in them is a hint.
func (r *Report) dictionaries(w *workspace.Workspace) {
	root, err := os.OpenRoot(w.Root)
	if err != nil {
		r.broken("the workspace cannot be read: "+err.Error(), "")
		return
	}
	defer root.Close()
	folder, err := dict.Load(root.FS(), dictionaryDir)
	if folder != nil {
		r.Dictionaries = append(r.Dictionaries, folder.Files...)
	}
	mistakes, ok := errors.AsType[dict.Errors](err)
	if err != nil && !ok {
		r.broken("the dictionaries cannot be read: "+err.Error(), "")
	}
	for _, m := range mistakes {
		r.broken("a dictionary has a mistake: "+m.Error(),
			"correct it in "+filepath.Join(w.Root, filepath.FromSlash(m.File)))
	}
}
