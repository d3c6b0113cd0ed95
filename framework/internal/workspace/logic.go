package workspace

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
)

// What words the answers to questions on logic (LOGIC_ANSWERER).
const (
	AnswererExtractive = "extractive"
	AnswererChat       = "chat"
)

// HasLogic reports whether there is code or a specification that questions may be about.
func (w *Workspace) HasLogic() bool {
	return w.LogicProblem() == nil && repo.Holds(context.Background(), w.LogicRoot, w.LogicGlobs)
}

// LogicProblem returns why LOGIC_ROOT cannot be a repository: it is no folder, or a link
// leads it out of the workspace although the user has not named it.
func (w *Workspace) LogicProblem() error {
	const name = "LOGIC_ROOT"
	info, err := os.Stat(w.LogicRoot)
	switch {
	case err != nil || !info.IsDir():
		return fmt.Errorf("%s is %q (%s): it must be a folder that exists", name, w.LogicRoot, w.Origin(name))
	case w.guests[name] && !w.holds(w.LogicRoot):
		return fmt.Errorf("%s is a link out of the workspace: if you trust it, name it with --logic-root", w.LogicRoot)
	}
	return nil
}

// checkLogic refuses a root that cannot be a repository.
func (w *Workspace) checkLogic() error {
	if w.Origin("LOGIC_ROOT") != "default" || slices.Contains(w.Toolsets, "logic") {
		return w.LogicProblem()
	}
	return nil
}

// mostNames is how many names a hint lists.
const mostNames = 12

// LogicHint says in one sentence that no file is code or a specification, by which
// globs, and what there is instead.
func (w *Workspace) LogicHint(ctx context.Context) string {
	g := w.LogicGlobs
	return fmt.Sprintf("no file below %s is code or a specification by LOGIC_CODE_GLOBS=%s, LOGIC_CHANGE_GLOBS=%s "+
		"and LOGIC_SPEC_GLOBS=%s; there are %s: set the globs, or LOGIC_ROOT",
		w.LogicRoot, strings.Join(g.Code, ","), strings.Join(g.Changes, ","), strings.Join(g.Specs,
			","), w.logicFound(ctx))
}

// logicFound returns what the globs name that is left out, else what the root holds.
func (w *Workspace) logicFound(ctx context.Context) string {
	names := []string{}
	if _, skips, err := repo.Walk(ctx, w.LogicRoot, w.LogicGlobs); err == nil {
		for _, s := range skips {
			names = append(names, fmt.Sprintf("%s (left out: %s)", s.Path, s.Reason))
		}
	}
	if len(names) == 0 {
		entries, _ := os.ReadDir(w.LogicRoot)
		for _, e := range entries {
			if e.IsDir() {
				names = append(names, e.Name()+"/")
			} else {
				names = append(names, e.Name())
			}
		}
	}
	switch {
	case len(names) == 0:
		return "no files at all"
	case len(names) > mostNames:
		return fmt.Sprintf("%s and %d more", strings.Join(names[:mostNames], ", "), len(names)-mostNames)
	}
	return strings.Join(names, ", ")
}
