package repo

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Lacking returns a sentence that no file below a root is of some kinds, according to which settings, and what there is
// instead.
func (g Globs) Lacking(ctx context.Context, root string, kinds ...Kind) string {
	what, by := []string{}, []string{}
	for _, l := range g.layers() {
		if slices.Contains(kinds, l.kind) {
			what, by = append(what, l.what), append(by, l.setting+"="+strings.Join(l.globs, ","))
		}
	}
	return fmt.Sprintf("no file of the repository is %s by %s; there are %s: set the globs, or LOGIC_ROOT",
		strings.Join(slices.Compact(what), " or "), strings.Join(by, ", "), g.instead(ctx, root, kinds))
}

// instead returns what the globs of some kinds match but is left out, and what the root contains.
func (g Globs) instead(ctx context.Context, root string, kinds []Kind) string {
	const most = 12
	names := []string{}
	if _, skips, err := Walk(ctx, root, g); err == nil {
		for _, skip := range skips {
			if slices.Contains(kinds, g.kind(skip.Path)) || slices.Contains(kinds, g.kind(skip.Path+"x")) {
				names = append(names, fmt.Sprintf("%s (left out: %s)", skip.Path, skip.Reason))
			}
		}
	}
	entries, _ := os.ReadDir(root)
	for _, end := range []string{"/", ""} { // folders first
		for _, e := range entries {
			if e.IsDir() == (end == "/") && !strings.HasPrefix(e.Name(), ".") {
				names = append(names, e.Name()+end)
			}
		}
	}
	if more := len(names) - most; more > 0 {
		names = append(names[:most], fmt.Sprint(more, " more"))
	}
	return cmp.Or(strings.Join(names, ", "), "no files at all")
}
