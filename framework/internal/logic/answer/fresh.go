package answer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/framework/internal/logic/evidence"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/logic/rule"
	"github.com/sagasu-search/sagasu/framework/internal/logic/spec"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// file is a file that evidence names, with what it says.
type file struct {
	wording      // for the claims
	code.Reading // for a specification, only its lines
	kind         evidence.Kind
	path         string
	priority     repo.Kind
	src          []byte
	specs        []spec.Unit    // for a specification
	unfit        bool           // it cannot be read as code or as a specification
	places       []int          // lines of the evidence that it still contains
	relevance    evidence.Score // of the most relevant item

	said  []Claim
	lines []rule.Words
	// values are the values to compare; see [ranking.mismatches].
	values []rule.Rule
}

// fresh returns the files that still contain evidence, each place once. It reports other evidence as
// stale:<path>:<line>, and files that cannot be read as code as unparsed:<path>.
func fresh(ctx context.Context, files repo.Files, lang wording,
	items []evidence.Evidence) (kept []*file, unknowns []string, err error) {
	unknowns = []string{}
	known := map[string]*file{}
	for i, e := range items {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		f := known[e.Path]
		if f == nil {
			if f, err = open(files, e, fmt.Sprintf("evidence[%d].path", i)); err != nil {
				return nil, nil, err
			}
			f.wording, known[e.Path] = lang, f
		}
		switch line := f.find(e); {
		case f.unfit:
			unknowns = append(unknowns, "unparsed:"+e.Path)
		case line == 0:
			unknowns = append(unknowns, stale(e))
		case !slices.Contains(f.places, line):
			f.relevance = max(f.relevance, e.Relevance)
			if f.places = append(f.places, line); len(f.places) == 1 {
				kept = append(kept, f)
			}
		}
	}
	slices.Sort(unknowns)
	return kept, slices.Compact(unknowns), nil
}

// open reads the file of an item; at is the name of the argument for errors. A file that cannot be read is empty. A
// path that leads outside the root is an error.
func open(files repo.Files, e evidence.Evidence, at string) (*file, error) {
	f := &file{kind: e.Kind, path: e.Path, priority: e.SourcePriority}
	src, err := files.ReadFile(e.Path)
	switch known, ok := errors.AsType[*toolset.Error](err); {
	case ok && (known.Code == toolset.NotFound || known.Code == toolset.NotAvailable):
		return f, nil
	case ok:
		return nil, known.With("parameter", at)
	case err != nil:
		return nil, fmt.Errorf("read evidence %s: %w", e.ID, err)
	}
	src, unfit := code.Text(e.Path, src)
	switch f.src, f.unfit = src, unfit != ""; {
	case f.unfit:
	case f.kind == evidence.Spec:
		f.Raw, f.specs = code.Lines(src), spec.Cut(f.path, src)
	default:
		f.Reading = code.Read(f.path, src)
	}
	return f, nil
}

func stale(e evidence.Evidence) string {
	if e.Line == nil {
		return "stale:" + e.Path + ":null"
	}
	return fmt.Sprintf("stale:%s:%d", e.Path, *e.Line)
}

// find returns the line of an excerpt: the line that the item names, or any line if it names none. It returns 0 if the
// excerpt is gone.
func (f *file) find(e evidence.Evidence) int {
	first, last := 1, len(f.Raw)
	if e.Line != nil {
		first, last = max(first, int(*e.Line)), min(last, int(*e.Line))
	}
	wanted := code.OneLine(strings.Trim(strings.TrimSpace(e.Excerpt), "…"))
	for line := first; line <= last; line++ {
		if f.begins(line, wanted) {
			return line
		}
	}
	return 0
}

// excerptLines is the maximum number of lines of an excerpt.
const excerptLines = 60

// begins reports whether an excerpt begins in a line. It ignores white space and the ellipsis of a cut excerpt.
func (f *file) begins(line int, excerpt string) bool {
	first := code.OneLine(f.Raw[line-1])
	text := code.OneLine(strings.Join(f.Raw[line-1:min(line-1+excerptLines, len(f.Raw))], " "))
	at := strings.Index(text, excerpt)
	return excerpt != "" && first != "" && at >= 0 && at < len(first)
}

// checkPaths returns items with clean paths. It fails with invalid_path, with out_of_scope for a path outside the
// globs, and with invalid_parameter if kind or priority do not match the path.
func checkPaths(items []evidence.Evidence, globs repo.Globs) ([]evidence.Evidence, error) {
	checked := slices.Clone(items)
	for i, e := range items {
		prefix := fmt.Sprintf("evidence[%d].", i)
		clean, bad := rootfs.Clean(prefix+"path", e.Path)
		if bad != nil {
			return nil, bad
		}
		kind, reason := globs.Classify(clean)
		if kind == 0 {
			return nil, toolset.Errorf(toolset.OutOfScope,
				"%spath is outside of the scope (%s); give evidence as find_logic_evidence found it", prefix,
				cmp.Or(reason, "not named by the globs of code and specifications")).
				With("parameter", prefix+"path").With("got", e.Path).
				With("expected", "a path below "+strings.Join(globs.All(), ", "))
		}
		if want := evidence.KindOf(kind); e.Kind != want {
			return nil, toolset.Invalid(prefix+"kind", string(e.Kind), string(want)+", which the path is")
		}
		if kind != e.SourcePriority {
			return nil, toolset.Invalid(prefix+"source_priority", e.SourcePriority,
				fmt.Sprintf("%d, which the path has", kind))
		}
		checked[i].Path = clean
	}
	return checked, nil
}
