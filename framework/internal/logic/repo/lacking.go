package repo

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
)

// mostNames is how many names [Globs.Lacking] lists.
const mostNames = 12

// Lacking says in one sentence that no file below a root is of some kinds, by which settings, and what there is
// instead.
func (g Globs) Lacking(ctx context.Context, root string, kinds ...Kind) string {
	what, by := []string{}, []string{}
	for _, k := range kinds {
		name, setting, globs := "a specification", "LOGIC_SPEC_GLOBS", g.Specs
		switch k {
		case Code:
			name, setting, globs = "code", "LOGIC_CODE_GLOBS", g.Code
		case ChangeSpec:
			setting, globs = "LOGIC_CHANGE_GLOBS", g.Changes
		}
		what, by = append(what, name), append(by, setting+"="+strings.Join(globs, ","))
	}
	return fmt.Sprintf("no file of the repository is %s by %s; there are %s: set the globs, or LOGIC_ROOT",
		strings.Join(slices.Compact(what), " or "), strings.Join(by, ", "), g.instead(ctx, root, kinds))
}

// instead returns what the globs of some kinds name that is left out, else what the root holds: folders first.
func (g Globs) instead(ctx context.Context, root string, kinds []Kind) string {
	names := []string{}
	if _, skips, err := Walk(ctx, root, g); err == nil {
		for _, skip := range skips {
			if slices.Contains(kinds, g.kind(skip.Path)) || slices.Contains(kinds, g.kind(skip.Path+"x")) {
				names = append(names, fmt.Sprintf("%s (left out: %s)", skip.Path, skip.Reason))
			}
		}
	}
	if len(names) == 0 {
		files := []string{}
		entries, _ := os.ReadDir(root)
		for _, e := range entries {
			switch {
			case strings.HasPrefix(e.Name(), "."):
			case e.IsDir():
				names = append(names, e.Name()+"/")
			default:
				files = append(files, e.Name())
			}
		}
		names = append(names, files...)
	}
	switch {
	case len(names) == 0:
		return "no files at all"
	case len(names) > mostNames:
		return fmt.Sprintf("%s and %d more", strings.Join(names[:mostNames], ", "), len(names)-mostNames)
	}
	return strings.Join(names, ", ")
}
