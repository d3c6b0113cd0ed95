package manuals_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

// Tools that list or read keep max_tokens, and their pages are the whole; too few names the least that works.
func TestPagesWithinMaxTokens(t *testing.T) {
	var long strings.Builder
	for i := range 60 {
		fmt.Fprintf(&long, "## Part %d\n\nUnless 保証 ends, see [b](b.md) on day %d.\n", i, i)
	}
	l := library(write(t, map[string]string{"m/a.md": "# A\n\n" + long.String(), "m/b.md": "# B\n\nThe disk.\n"}),
		func(o *manuals.Options) { o.Exceptions = dict.Exceptions })
	type page struct {
		reply any
		items []string
		next  map[string]any // arguments of the next page, nil on the last
	}
	rows := func(reply any, items []any, next map[string]any) page {
		p := page{reply: reply, next: next}
		for _, item := range items {
			raw, _ := json.Marshal(item)
			p.items = append(p.items, string(raw))
		}
		return p
	}
	for name, tc := range map[string]struct {
		args map[string]any
		call func(raw []byte) (page, error)
	}{
		"manual_toc": {map[string]any{"manual_id": "m", "detail": "nodes"}, func(raw []byte) (page, error) {
			got, err := decoded(t, l.Toc, raw)
			if err != nil {
				return page{}, err
			}
			var next map[string]any
			if got.NextOffset != nil {
				next = map[string]any{"offset": *got.NextOffset}
			}
			return rows(got, got.Items, next), nil
		}},
		"manual_excepts": {map[string]any{"manual_id": "m", "limit": 1000}, func(raw []byte) (page, error) {
			got, err := decoded(t, l.Excepts, raw)
			if err != nil {
				return page{}, err
			}
			var items []any
			for _, item := range got.Items {
				items = append(items, item)
			}
			var next map[string]any
			if got.NextOffset != nil {
				next = map[string]any{"offset": *got.NextOffset}
			}
			return rows(got, items, next), nil
		}},
		"manual_search": {map[string]any{"query": "day", "format": "lines", "limit": 1000}, func(raw []byte) (page, error) {
			got, err := decoded(t, l.Search, raw)
			if err != nil {
				return page{}, err
			}
			var items []any
			for _, item := range got.Lines {
				items = append(items, strings.TrimPrefix(item, "m/a.md")) // each page names the file once
			}
			var next map[string]any
			if got.NextOffset != nil {
				next = map[string]any{"offset": *got.NextOffset}
			}
			return rows(got, items, next), nil
		}},
		"manual_scan": {map[string]any{"manual_id": "m", "path": "a.md"}, func(raw []byte) (page, error) {
			got, err := decoded(t, l.Scan, raw)
			if err != nil {
				return page{}, err
			}
			p := page{reply: got}
			for _, r := range got.Text {
				p.items = append(p.items, string(r))
			}
			if !got.EOF {
				p.next = map[string]any{"cursor": got.NextCursor}
			}
			return p, nil
		}},
	} {
		t.Run(name, func(t *testing.T) {
			call := func(args map[string]any) page {
				raw, _ := json.Marshal(args)
				p, err := tc.call(raw)
				if err != nil {
					t.Fatalf("%s: %v", raw, err)
				}
				return p
			}
			whole := call(tc.args)
			const most = 400
			var pieces []string
			tc.args["max_tokens"] = most
			for pages := 1; ; pages++ {
				p := call(tc.args)
				if cost := toolset.Cost(p.reply); cost > most {
					t.Fatalf("page %d costs %d tokens", pages, cost)
				}
				pieces = append(pieces, p.items...)
				if p.next == nil {
					if pages == 1 {
						t.Error("one page holds all")
					}
					break
				}
				for k, v := range p.next {
					tc.args[k] = v
				}
			}
			if diff := cmp.Diff(whole.items, pieces); diff != "" {
				t.Errorf("pages (-whole +pages):\n%s", diff)
			}
		})
	}
}

// decoded calls a tool's function with JSON as a client would.
func decoded[A, R any](t *testing.T, do func(context.Context, A) (R, error), raw []byte) (result R, err error) {
	t.Helper()
	given, bad := toolset.ParseArguments(raw)
	if bad != nil {
		t.Fatal(bad)
	}
	args, err := toolset.Decode[A](given)
	if err != nil {
		return result, err
	}
	return do(t.Context(), args)
}
