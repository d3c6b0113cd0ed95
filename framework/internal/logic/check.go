package logic

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Check checks a question item by item and brings its paths into their clean
// form. Errors are faults: invalid_parameter, invalid_path, and out_of_scope
// for a path that the globs do not name.
func (r *AskRequest) Check(globs repo.Globs) error {
	if strings.TrimSpace(r.Question) == "" {
		return toolset.Invalid("question", r.Question, "a question that is not empty")
	}
	if len(r.Evidence) > MaxEvidence {
		return toolset.Invalid("evidence", fmt.Sprintf("%d items", len(r.Evidence)), fmt.Sprintf("at most %d items", MaxEvidence))
	}
	for i := range r.Evidence {
		if err := r.Evidence[i].check(fmt.Sprintf("evidence[%d].", i), globs); err != nil {
			return err
		}
	}
	return nil
}

func (e *Evidence) check(prefix string, globs repo.Globs) error {
	switch {
	case strings.TrimSpace(e.ID) == "":
		return toolset.Invalid(prefix+"id", e.ID, "the id that find_logic_evidence gave")
	case e.Kind != Code && e.Kind != Spec:
		return toolset.Invalid(prefix+"kind", shorten(string(e.Kind)), `"code" or "spec"`)
	case e.Line != nil && *e.Line < 1:
		return toolset.Invalid(prefix+"line", *e.Line, "a line from 1 on, or null")
	case strings.TrimSpace(e.Excerpt) == "":
		return toolset.Invalid(prefix+"excerpt", e.Excerpt, "the lines as they stand in the file")
	case utf8.RuneCountInString(e.Excerpt) > MaxExcerpt:
		return toolset.Invalid(prefix+"excerpt", fmt.Sprintf("%d characters", utf8.RuneCountInString(e.Excerpt)), fmt.Sprintf("at most %d characters", MaxExcerpt))
	case math.IsNaN(e.Relevance) || e.Relevance < 0 || e.Relevance > 1:
		return toolset.Invalid(prefix+"relevance", fmt.Sprint(e.Relevance), "a number from 0 to 1")
	case e.SourcePriority < 1 || e.SourcePriority > 3:
		return toolset.Invalid(prefix+"source_priority", e.SourcePriority, "1 for code, 2 for an open change, 3 for a main specification")
	}
	return e.checkPath(prefix, globs)
}

func (e *Evidence) checkPath(prefix string, globs repo.Globs) error {
	clean, bad := rootfs.Clean(prefix+"path", e.Path)
	if bad != nil {
		return bad
	}
	kind, reason := globs.Classify(clean)
	if kind == 0 {
		if reason == "" {
			reason = "not named by the globs of code and specifications"
		}
		return toolset.Errorf(toolset.OutOfScope, "%spath is outside of the scope (%s); give evidence as find_logic_evidence found it", prefix, reason).
			With("parameter", prefix+"path").With("got", shorten(e.Path)).
			With("expected", "a path below "+strings.Join(slices.Concat(globs.Code, globs.Changes, globs.Specs), ", "))
	}
	e.Path = clean
	if (kind == repo.Code) != (e.Kind == Code) {
		return toolset.Invalid(prefix+"kind", string(e.Kind), map[bool]string{true: "code", false: "spec"}[kind == repo.Code]+", which the path is")
	}
	if int(kind) != e.SourcePriority {
		return toolset.Invalid(prefix+"source_priority", e.SourcePriority, fmt.Sprintf("%d, which the path has", kind))
	}
	return nil
}
