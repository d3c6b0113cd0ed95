package evidence

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/logic/unit"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// finding is one search.
type finding struct {
	*ranking
	opts  Options
	files *rootfs.Root // of opts.Root
	found Found
}

// find chooses and quotes at most most places; partial is set if the snapshot lacks files.
func (f *finding) find(ctx context.Context, most int, partial bool) error {
	code, specs := codeCurve.items(f.code, f.opts.Globs), specCurve.items(f.specs, f.opts.Globs)
	chosen := choose(code, specs, most)
	f.found = Found{Evidence: []Evidence{}, UnresolvedReasons: f.unresolved(ctx, code, specs),
		SearchScope: slices.Clone(f.lexicon.scopes)}
	for _, x := range chosen {
		f.quote(x)
	}
	if partial || high(code)+high(specs) > high(chosen) {
		f.found.UnresolvedReasons = append(f.found.UnresolvedReasons, "budget")
	}
	return ctx.Err()
}

// high counts the items that are about the question.
func high(items []item) (n int) {
	for _, x := range items {
		if Score(x.relevance) >= HighRelevance {
			n++
		}
	}
	return n
}

// maxUnparsed is the maximum number of files that are reported as unparsed.
const maxUnparsed = 20

// unresolved returns what the search could not cover (docs/reference/tools/find_logic_evidence.md).
func (f *finding) unresolved(ctx context.Context, code, specs []item) []string {
	reasons := []string{}
	if len(code) == 0 {
		reasons = append(reasons, f.none(ctx, "no_code", repo.Code)...)
	}
	if len(specs) == 0 {
		reasons = append(reasons, f.none(ctx, "no_spec", repo.ChangeSpec, repo.MainSpec)...)
	}
	for _, name := range f.lexicon.unparsed[:min(len(f.lexicon.unparsed), maxUnparsed)] {
		reasons = append(reasons, "unparsed:"+name)
	}
	return reasons
}

// none returns the reasons why nothing of some kinds matches, and how to mend it if there is no file of these kinds.
func (f *finding) none(ctx context.Context, reason string, kinds ...repo.Kind) []string {
	for _, k := range kinds {
		if !f.snap.Keyword(unit.KindKeyword(k)).IsEmpty() {
			return []string{reason + "_match"}
		}
	}
	return []string{reason + "_match", reason + ":" + f.opts.Globs.Lacking(ctx, f.opts.Root, kinds...)}
}

// quote adds the deciding lines of a unit to the evidence. It leaves out a unit if its file has changed and the lines
// are gone.
func (f *finding) quote(x item) {
	src, err := f.files.ReadFile(x.Path)
	if err != nil {
		return
	}
	src, _ = code.Text(x.Path, src) // empty if it has become unfit
	excerpt, first := f.question.excerpt(f.passages(x.Section, code.Lines(src)))
	e := Evidence{
		ID: fmt.Sprintf("%s:%d", x.Path, first), Kind: KindOf(x.priority), Path: strings.Clone(x.Path),
		Line: new(Line(first)), Excerpt: excerpt, Relevance: Score(x.relevance), SourcePriority: x.priority,
	}
	same := func(other Evidence) bool { return other.ID == e.ID }
	if excerpt != "" && !slices.ContainsFunc(f.found.Evidence, same) {
		f.found.Evidence = append(f.found.Evidence, e)
	}
}

// passages returns the lines of a unit without those of the units inside it.
func (f *finding) passages(s snapshot.Section, lines []string) []passage {
	var all []passage
	take := func(from, to int) {
		to = min(to, len(lines), from+longestUnit)
		if from <= to {
			all = append(all, passage{lines: lines[from-1 : to], first: from, decl: s.Body})
		}
	}
	from := s.Start
	for id := s.ID + 1; id < f.snap.Bound(); id++ {
		inner, ok := f.snap.Section(id)
		if !ok || inner.Path != s.Path || inner.Start > s.End {
			break
		}
		if inner.Parent == s.ID {
			take(from, inner.Start-1)
			from = max(from, inner.End+1)
		}
	}
	take(from, s.End)
	if len(all) == 0 {
		take(s.Start, s.Start)
	}
	return all
}
