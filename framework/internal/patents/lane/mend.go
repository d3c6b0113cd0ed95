package lane

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/patentquery"
)

// exampleText is the query of a semantic lane in examples, as [patentquery.Example] is for a fulltext lane.
const exampleText = "マスクで顔の一部が隠れていても本人を認証する装置。"

// Mend corrects the example call of an error: it inserts existing runs and publications, corrects its query and
// filters, and replaces our sample queries by text of the collection. It returns false if the call needs a run and
// there is none.
func (e *Engine) Mend(ctx context.Context, call map[string]any) bool {
	for name, value := range call {
		switch name {
		case "run_id", "run_id_lane":
			call[name] = e.existing(ctx, value, func(string) bool { return true })
		case "base_run_id":
			call[name] = e.existing(ctx, value, isFusion)
		case "runs":
			call[name] = e.mendedRuns(ctx, value)
		case "pub_ids", "ids":
			call[name] = e.knownIDs(ctx, value)
		case "id":
			idType, _ := call["id_type"].(string)
			id, _ := value.(string)
			found, err := e.pubs.Find(ctx, cmp.Or(idType, "pub_id"), id)
			if own, _ := e.sample(ctx); err == nil && found == "" && own != "" {
				call["id"], call["id_type"] = own, "pub_id"
			}
		case "filters":
			raw, _ := json.Marshal(value) // it came from JSON
			if _, bad := publication.ParseFilters(raw); bad != nil {
				right, _ := bad.Details["example"].(map[string]any)
				call[name] = right[name]
			}
		case "query", "text":
			if written, ok := value.(string); ok && name == "query" {
				if _, err := patentquery.Parse(written); err != nil {
					bad, _ := errors.AsType[*patentquery.SyntaxError](err)
					call[name], value = bad.Example, bad.Example
				}
			}
			if _, title := e.sample(ctx); title != "" && value == any(patentquery.Example) {
				call[name] = `"` + title + `"`
			} else if title != "" && value == any(exampleText) {
				call[name] = title
			}
		}
		if value != nil && call[name] == nil {
			return false
		}
	}
	agree(call)
	if peek, ok := call["peek"].(map[string]any); ok {
		agree(peek)
	}
	return true
}

// agree drops from a call what its other arguments exclude: widths of texts that it does not show, and all beside a
// list.
func agree(call map[string]any) {
	if _, ok := call["pub_ids"]; ok {
		delete(call, "all")
	}
	chars, _ := call["per_field_chars"].(map[string]any)
	fields, ok := call["fields"].([]any)
	if !ok || chars == nil {
		return
	}
	name := func(s any) any {
		f, ok := patentquery.ParseField(fmt.Sprint(s))
		if !ok {
			return s
		}
		return f
	}
	shown := map[any]bool{}
	for _, f := range fields {
		shown[name(f)] = true
	}
	maps.DeleteFunc(chars, func(f string, _ any) bool { return !shown[name(f)] })
}

func isFusion(id string) bool { return strings.HasPrefix(id, fusionLane+"-") }

func isLane(id string) bool { return !isFusion(id) }

// existing returns the id of a run that there is: the given one, or else the newest that fits; nil for none.
func (e *Engine) existing(ctx context.Context, id any, fits func(string) bool) any {
	if s, ok := id.(string); ok && fits(s) && e.runs.has(ctx, s) {
		return s
	}
	all, _ := e.runs.runs.Newest(ctx, madeRuns, maxRuns) // none where they cannot be read
	for _, made := range all {
		if other := made.Key; fits(other) && e.runs.has(ctx, other) {
			return other
		}
	}
	return nil
}

func (s *Runs) has(ctx context.Context, id string) bool {
	_, err := s.get(ctx, "run_id", id)
	return err == nil
}

// mendedRuns returns the runs of lanes in a list that there are, each once, or else the newest; nil for none.
func (e *Engine) mendedRuns(ctx context.Context, value any) any {
	list, _ := value.([]any)
	var good, ids []any
	for _, one := range list {
		id := one
		if run, ok := one.(map[string]any); ok {
			id = cmp.Or(run["run_id_lane"], run["run_id"])
			if s, _ := id.(string); run["lane"] != nil && !strings.HasPrefix(s, fmt.Sprint(run["lane"], "-")) {
				delete(run, "lane")
			}
		}
		if s, ok := id.(string); ok && isLane(s) && !slices.Contains(ids, id) && e.runs.has(ctx, s) {
			good, ids = append(good, one), append(ids, id)
		}
	}
	if len(good) > 0 {
		return good
	}
	if id := e.existing(ctx, nil, isLane); id != nil {
		return []any{id}
	}
	return nil
}

// knownIDs returns those of some ids that the collection has, or one of its own.
func (e *Engine) knownIDs(ctx context.Context, value any) any {
	list, _ := value.([]any)
	var known []any
	for _, id := range list {
		if s, ok := id.(string); ok {
			if pubs, err := e.read(ctx, []string{s}); err == nil && pubs[0] != nil {
				known = append(known, id)
			}
		}
	}
	if own, _ := e.sample(ctx); len(known) == 0 && own != "" {
		return []any{own}
	}
	if len(known) == 0 {
		return value
	}
	return known
}

// sample returns a publication of the collection and what its title begins with; "" where there is none.
func (e *Engine) sample(ctx context.Context) (id, title string) {
	_ = e.collection.with(ctx, func(s *snapshot.Snapshot) error {
		if s.Live().IsEmpty() {
			return nil
		}
		section := s.Live().Minimum()
		id = pubIDOf(s, section)
		title = s.Outlive(strings.Map(func(r rune) rune {
			if strings.ContainsRune(`"*?~\`, r) {
				return ' '
			}
			return r
		}, norm.NFKC.String(opening(s.Source(section, snapshot.FieldTitle)))))
		return nil
	})
	if _, err := patentquery.Parse(`"` + title + `"`); err != nil {
		title = ""
	}
	return id, strings.TrimSpace(title)
}

// opening returns the start of a title that a phrase finds, which has whole words.
func opening(title string) string {
	const most = 40
	start := text.CutRunes(title, most)
	if i := strings.LastIndexByte(start, ' '); i > 0 && len(start) < len(title) {
		return start[:i]
	}
	return start
}
