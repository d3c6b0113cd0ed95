package answer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/framework/internal/logic/evidence"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/logic/spec"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// passage is fresh evidence with its file.
type passage struct {
	evidence.Evidence
	wording      // of what it claims
	code.Reading // of a specification, its lines alone
	line         int
	src          []byte
	unit         int         // of code: the innermost unit that holds the line, or -1
	file         []spec.Unit // of a specification
	specs        []spec.Unit // those of file that hold the line
}

// fresh keeps the evidence that its files still hold, each place once; the rest
// is reported as stale:<path>:<line>, what cannot be read as code as unparsed:<path>.
func fresh(ctx context.Context, files repo.Files,
	items []evidence.Evidence) (kept []passage, unknowns []string, err error) {
	unknowns = []string{}
	seen := map[string]bool{}
	for i, e := range items {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		m, reason, err := look(files, e, fmt.Sprintf("evidence[%d].path", i))
		key := fmt.Sprint(e.Path, ":", m.line)
		switch {
		case err != nil:
			return nil, nil, err
		case reason != "":
			unknowns = append(unknowns, reason)
		case !seen[key]:
			seen[key] = true
			kept = append(kept, m)
		}
	}
	slices.Sort(unknowns)
	return kept, slices.Compact(unknowns), nil
}

// look reads the file of one item, named by the argument at, and returns what is
// wrong with it. A path that leads outside the root is an error, not a stale line.
func look(files repo.Files, e evidence.Evidence, at string) (passage, string, error) {
	m := passage{Evidence: e, unit: -1}
	src, err := files.ReadFile(e.Path)
	if err != nil {
		f, ok := errors.AsType[*toolset.Error](err)
		switch {
		case ok && (f.Code == toolset.NotFound || f.Code == toolset.NotAvailable):
			return m, stale(e), nil
		case ok:
			return m, "", f.With("parameter", at)
		}
		return m, "", fmt.Errorf("read evidence %s: %w", e.ID, err)
	}
	src, unfit := code.Text(e.Path, src)
	if unfit != "" {
		return m, "unparsed:" + e.Path, nil
	}
	m.src, m.Raw = src, code.Lines(src)
	if m.line = m.find(); m.line == 0 {
		return m, stale(e), nil
	}
	m.cut()
	return m, "", nil
}

func stale(e evidence.Evidence) string {
	if e.Line == nil {
		return "stale:" + e.Path + ":null"
	}
	return fmt.Sprintf("stale:%s:%d", e.Path, *e.Line)
}

// find returns the line where the excerpt stands: the one that is named, or any
// where none is; 0 where it is gone.
func (m *passage) find() int {
	first, last := 1, len(m.Raw)
	if m.Line != nil {
		first, last = max(first, int(*m.Line)), min(last, int(*m.Line))
	}
	for line := first; line <= last; line++ {
		if m.startsAt(line) {
			return line
		}
	}
	return 0
}

// excerptLines is the maximum number of lines of an excerpt.
const excerptLines = 60

// startsAt reports whether the excerpt begins in a line; white space, and dots
// where it was cut, do not count.
func (m *passage) startsAt(line int) bool {
	wanted := folded(strings.Trim(strings.TrimSpace(m.Excerpt), "…"))
	first := folded(m.Raw[line-1])
	text := folded(strings.Join(m.Raw[line-1:min(line-1+excerptLines, len(m.Raw))], " "))
	at := strings.Index(text, wanted)
	return wanted != "" && first != "" && at >= 0 && at < len(first)
}

func folded(s string) string { return strings.Join(strings.Fields(s), " ") }

// cut cuts the file into units and finds that of the line.
func (m *passage) cut() {
	if m.Kind == evidence.Spec {
		m.file = spec.Cut(m.Path, m.src)
		m.specs = slices.DeleteFunc(slices.Clone(m.file),
			func(u spec.Unit) bool { return m.line < u.First || m.line > u.Last })
		return
	}
	m.Reading = code.Read(m.Path, m.src)
	m.unit = m.Innermost[m.line]
}

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
