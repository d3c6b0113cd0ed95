package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/logic/evidence"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// checkPaths returns items with their paths in clean form. It fails with invalid_path,
// out_of_scope for a path that the globs do not name, and invalid_parameter where kind or
// priority are not those of the path.
func checkPaths(items []evidence.Evidence, globs repo.Globs) ([]evidence.Evidence, error) {
	checked := slices.Clone(items)
	for i := range checked {
		if err := checkPath(&checked[i], fmt.Sprintf("evidence[%d].", i), globs); err != nil {
			return nil, err
		}
	}
	return checked, nil
}

func checkPath(e *evidence.Evidence, prefix string, globs repo.Globs) error {
	clean, bad := rootfs.Clean(prefix+"path", e.Path)
	if bad != nil {
		return bad
	}
	kind, reason := globs.Classify(clean)
	if kind == 0 {
		if reason == "" {
			reason = "not named by the globs of code and specifications"
		}
		return toolset.Errorf(toolset.OutOfScope,
			"%spath is outside of the scope (%s); give evidence as find_logic_evidence found it", prefix, reason).
			With("parameter", prefix+"path").With("got", toolset.Shorten(e.Path)).
			With("expected", "a path below "+strings.Join(globs.All(), ", "))
	}
	e.Path = clean
	if (kind == repo.Code) != (e.Kind == evidence.Code) {
		return toolset.Invalid(prefix+"kind", string(e.Kind),
			map[bool]string{true: "code", false: "spec"}[kind == repo.Code]+", which the path is")
	}
	if kind != e.SourcePriority {
		return toolset.Invalid(prefix+"source_priority", e.SourcePriority, fmt.Sprintf("%d, which the path has", kind))
	}
	return nil
}
