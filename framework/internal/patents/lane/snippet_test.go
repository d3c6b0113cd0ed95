package lane

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

func peek(t *testing.T, d *Engine, req PeekRequest) *Snippets {
	t.Helper()
	if req.Limit == 0 {
		req.Limit = 30
	}
	out, err := d.Peek(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestPeekShowsWhatIsAskedFor(t *testing.T) {
	s := cells()
	s.pubs["JP1"].Desc = strings.Repeat("説明。", 400)
	d := testEngine(t, t.TempDir(), s)
	run := keep(t, d, "fulltext", "JP1", "JP77", "JP4")
	got := peek(t, d, PeekRequest{RunID: run})
	first := got.Snippets[0]
	if first.Rank != 1 || first.AppID != "特願2023-000001" || *first.Title != "電池の監視装置" || *first.Claim == "" || first.Desc != nil || first.Metadata.FI[0] != "H01M10/48P" {
		t.Errorf("%+v", first)
	}
	if gone := got.Snippets[1]; !gone.Gone || gone.PubID != "JP77" || gone.Rank != 2 {
		t.Errorf("a publication that is gone is not told: %+v", gone)
	}
	if len(got.Snippets[2].Metadata.CPC) != 1 || got.Returned != 3 || got.Total != 3 || got.Truncated || got.NextOffset != nil {
		t.Errorf("%+v", got)
	}
	wide := peek(t, d, PeekRequest{RunID: run, Limit: 1, Cutting: Cutting{Chars: map[string]int{publication.Desc: 100, publication.Title: 3}}})
	if *wide.Snippets[0].Title != "電池の" || utf8.RuneCountInString(*wide.Snippets[0].Desc) != 99 || *wide.NextOffset != 1 || wide.Truncated {
		t.Errorf("%+v", wide.Snippets[0])
	}
	if only := peek(t, d, PeekRequest{RunID: run, Offset: 2, Cutting: Cutting{Fields: []string{publication.Abst}}}).Snippets; len(only) != 1 || only[0].Title != nil || only[0].Abst == nil || only[0].Rank != 3 {
		t.Errorf("%+v", only)
	}
	if beyond := peek(t, d, PeekRequest{RunID: run, Offset: 99}); beyond.Returned != 0 || beyond.NextOffset != nil {
		t.Errorf("%+v", beyond)
	}
}

func TestCuttingRefuses(t *testing.T) {
	for name, tc := range map[string]struct {
		cutting   Cutting
		parameter string
	}{
		"unknown field":       {Cutting{Fields: []string{publication.Title, "abstract"}}, "fields.1"},
		"width of no field":   {Cutting{Fields: []string{publication.Title}, Chars: map[string]int{publication.Abst: 10}}, "per_field_chars.abst"},
		"unknown width":       {Cutting{Chars: map[string]int{"body": 10}}, "per_field_chars.body"},
		"budget of nothing":   {Cutting{BudgetBytes: new(Bytes)}, "budget_bytes"},
		"budget of one byte":  {Cutting{BudgetBytes: pointer(1)}, "budget_bytes"},
		"budget of fifty":     {Cutting{BudgetBytes: pointer(50)}, "budget_bytes"},
		"budget below zero":   {Cutting{BudgetBytes: pointer(-5)}, "budget_bytes"},
		"budget, nothing cut": {Cutting{Fields: []string{}, BudgetBytes: pointer(20)}, "budget_bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			d := testEngine(t, t.TempDir(), cells())
			run := keep(t, d, "fulltext", "JP1", "JP2")
			_, err := d.Peek(t.Context(), PeekRequest{RunID: run, Limit: 5, Cutting: tc.cutting})
			refused(t, err, toolset.InvalidRRFCall, tc.parameter)
			_, err = d.Snippets(t.Context(), SnippetsRequest{PubIDs: []string{"JP1"}, Cutting: tc.cutting})
			refused(t, err, toolset.InvalidRRFCall, tc.parameter)
		})
	}
}

func TestABudgetOfAnEmptyRunSpeaksOfNoRow(t *testing.T) {
	d := testEngine(t, t.TempDir(), cells())
	for says, run := range map[string]string{"no rows": keep(t, d, "fulltext_none"), "one row": keep(t, d, "fulltext", "JP1")} {
		_, err := d.Peek(t.Context(), PeekRequest{RunID: run, Limit: 5, Cutting: Cutting{BudgetBytes: pointer(1)}})
		if bad := refused(t, err, toolset.InvalidRRFCall, "budget_bytes"); !strings.Contains(bad.Message, says) {
			t.Errorf("%s, want %s", bad.Message, says)
		}
	}
}

func pointer(n int) *Bytes { return new(Bytes(n)) }

// TestBudgetsOnJapanese holds a budget of any size against what is promised: the
// answer fits or the least that would is named, rows follow each other without a
// gap, and texts shrink before rows drop.
func TestBudgetsOnJapanese(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		s, docs := &memory{print: "v1", pubs: map[string]*publication.Publication{}}, []string{}
		for i := range rapid.IntRange(1, 8).Draw(rt, "publications") {
			id := fmt.Sprintf("JP%d", i)
			docs = append(docs, id)
			s.pubs[id] = &publication.Publication{PubID: id, Title: japanese.Draw(rt, "title"), Abst: strings.Repeat(japanese.Draw(rt, "abst"), 9), Claim: japanese.Draw(rt, "claim")}
		}
		d := testEngine(t, dir, s)
		run, limit := keep(t, d, "fulltext", docs...), rapid.IntRange(1, 9).Draw(rt, "limit")
		budget := rapid.IntRange(0, 3000).Draw(rt, "budget")
		for offset, seen := 0, []string{}; ; {
			req := PeekRequest{RunID: run, Offset: offset, Limit: limit, Cutting: Cutting{BudgetBytes: pointer(budget)}}
			out, err := d.Peek(t.Context(), req)
			if err != nil {
				least := toolset.AsError(err).Details["minimum"].(int)
				if least <= budget {
					rt.Fatalf("%d bytes are too few, but %d would do", budget, least)
				}
				req.BudgetBytes = pointer(least)
				if one := peek(t, d, req); one.Returned != 1 || bytesOf(one) != least {
					rt.Fatalf("the least answer has %d rows and %d bytes instead of %d", one.Returned, bytesOf(one), least)
				}
				return
			}
			if n := bytesOf(out); n > budget {
				rt.Fatalf("%d bytes for a budget of %d", n, budget)
			}
			if dropped := out.Returned < min(limit, len(docs)-offset); dropped {
				req.Limit, req.BudgetBytes = out.Returned+1, nil
				req.Chars = map[string]int{publication.Title: narrowest, publication.Abst: narrowest, publication.Claim: narrowest}
				if n := bytesOf(peek(t, d, req)); n < budget-20 {
					rt.Fatalf("a row was dropped although it fits at the narrowest: %d of %d bytes", n, budget)
				}
			}
			for i, row := range out.Snippets {
				seen = append(seen, row.PubID)
				if row.Rank != offset+i+1 || !strings.HasPrefix(s.pubs[row.PubID].Abst, *row.Abst) {
					rt.Fatalf("row %+v at place %d", row, offset+i)
				}
			}
			if out.NextOffset == nil {
				if diff := cmp.Diff(docs, seen); diff != "" {
					rt.Fatal(diff)
				}
				return
			}
			offset = *out.NextOffset
		}
	})
}

func TestTextsShrinkEvenly(t *testing.T) {
	s := cells()
	for _, p := range s.pubs {
		p.Title, p.Abst, p.Claim = strings.Repeat("題", 200), strings.Repeat("要", 500), strings.Repeat("項", 400)
	}
	d := testEngine(t, t.TempDir(), s)
	run := keep(t, d, "fulltext", "JP1", "JP2", "JP3")
	full := peek(t, d, PeekRequest{RunID: run})
	half := bytesOf(full) / 2
	got := peek(t, d, PeekRequest{RunID: run, Cutting: Cutting{BudgetBytes: pointer(half)}})
	if got.Returned != 3 || !got.Truncated || bytesOf(got) < half*9/10 {
		t.Fatalf("%d rows in %d of %d bytes", got.Returned, bytesOf(got), half)
	}
	for _, row := range got.Snippets {
		for field, text := range map[string]string{publication.Title: *row.Title, publication.Abst: *row.Abst, publication.Claim: *row.Claim} {
			share := float64(utf8.RuneCountInString(text)) / float64(defaultChars()[field])
			if share < 0.4 || share > 0.6 {
				t.Errorf("%s keeps %.2f of its width", field, share)
			}
		}
	}
}

func TestSnippetsInTheOrderAsked(t *testing.T) {
	d := testEngine(t, t.TempDir(), cells())
	run := keep(t, d, "fulltext", "JP1", "JP2", "JP3")
	got, err := d.Snippets(t.Context(), SnippetsRequest{RunID: run, PubIDs: []string{"JP3", "JP99", "JP9", "JP1"}})
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, s := range got.Snippets {
		order = append(order, fmt.Sprintf("%s%d %v", s.PubID, s.Rank, s.Score != nil))
	}
	if diff := cmp.Diff([]string{"JP33 true", "JP90 false", "JP11 true"}, order); diff != "" {
		t.Error(diff)
	}
	if !slices.Equal(got.Missing, []string{"JP99"}) || got.NextOffset != nil || got.Returned != 3 {
		t.Errorf("%+v", got)
	}
	least := 0
	_, err = d.Snippets(t.Context(), SnippetsRequest{PubIDs: []string{"JP99", "JP9", "JP1"}, Cutting: Cutting{BudgetBytes: pointer(least)}})
	least = refused(t, err, toolset.InvalidRRFCall, "budget_bytes").Details["minimum"].(int)
	few, err := d.Snippets(t.Context(), SnippetsRequest{PubIDs: []string{"JP99", "JP9", "JP1"}, Cutting: Cutting{BudgetBytes: pointer(least)}})
	if err != nil || few.Returned != 1 || *few.NextOffset != 2 {
		t.Errorf("%+v, %v", few, err)
	}
	if last, err := d.Snippets(t.Context(), SnippetsRequest{PubIDs: []string{"JP1", "JP99"}}); err != nil || last.NextOffset != nil {
		t.Errorf("what is missing is offered again: %+v, %v", last, err)
	}
	_, err = d.Snippets(t.Context(), SnippetsRequest{})
	refused(t, err, toolset.InvalidRRFCall, "pub_ids")
	_, err = d.Snippets(t.Context(), SnippetsRequest{RunID: "x", PubIDs: []string{"JP1"}})
	refused(t, err, toolset.RunNotFound, "run_id")
}

func TestPublication(t *testing.T) {
	s := cells()
	s.pubs["JP2"].Applicants, s.pubs["JP2"].Country = []string{"青葉電機"}, "JP"
	d := testEngine(t, t.TempDir(), s)
	got, err := d.Publication(t.Context(), PublicationRequest{ID: "特願2023-000002", IDType: "app_id", Chars: map[string]int{publication.Abst: 11}})
	if err != nil {
		t.Fatal(err)
	}
	want := &Record{
		PubID: "JP2", AppID: "特願2023-000002", Shown: Shown{&s.pubs["JP2"].Title, saying("セルの電圧を測る。"), &s.pubs["JP2"].Claim, saying("")}, Truncated: []string{publication.Abst},
		Metadata: map[string]any{"fi": []string{"H01M10/48@Z", "H02J7/00"}, "ft": []string{}, "ipc": []string{}, "cpc": []string{}, "country": "JP", "applicants": []string{"青葉電機"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got, err = d.Publication(t.Context(), PublicationRequest{ID: "JP2", IDType: "pub_id", Fields: []string{publication.Title}}); err != nil || got.Abst != nil || got.Title == nil {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = d.Publication(t.Context(), PublicationRequest{ID: "JP99", IDType: "pub_id"})
	refused(t, err, toolset.InvalidRRFCall, "id")
	_, err = d.Publication(t.Context(), PublicationRequest{ID: "JP1", IDType: "pub_id", Fields: []string{"body"}})
	refused(t, err, toolset.InvalidRRFCall, "fields.0")
}

func saying(s string) *string { return &s }

func TestKeywordsOutOfSightAreShownInContext(t *testing.T) {
	s := cells()
	s.pubs["JP1"].Desc = strings.Repeat("背景。", 50) + "電池パックを充電器に載せ、\nＢＭＳが監視する。" + strings.Repeat("以上。", 50)
	s.pubs["JP2"].Abst, s.pubs["JP2"].Claim = "", ""
	d := testEngine(t, t.TempDir(), s)
	r := keepAsked(t, d, Request{Lane: "fulltext", LaneName: "fulltext", Query: `(電池 OR bms) AND 充電器 AND *N20"パック 載せ" NOT 監視`, TopK: 10}, "JP1", "JP2")
	got := peek(t, d, PeekRequest{RunID: r, Cutting: Cutting{Context: true}}).Snippets
	var texts []string
	for _, k := range got[0].Keywords {
		before, after, _ := strings.Cut(k.Text, "«")
		word, after, _ := strings.Cut(after, "»")
		if k.Field != "desc" || !strings.HasPrefix(before, "…") || !strings.HasSuffix(after, "…") || utf8.RuneCountInString(before) > contextWidth+1 {
			t.Errorf("%+v", k)
		}
		texts = append(texts, word)
	}
	if diff := cmp.Diff([]string{"ＢＭＳ", "充電器", "パックを充電器に載せ"}, texts); diff != "" {
		t.Error(diff)
	}
	if len(got[1].Keywords) > 0 {
		t.Errorf("what is not there is shown: %+v", got[1].Keywords)
	}
	for name, cutting := range map[string]Cutting{"shown": {Context: true, Fields: publication.Texts(), Chars: Chars{"desc": 900}}, "not wanted": {}} {
		if none := peek(t, d, PeekRequest{RunID: r, Cutting: cutting}).Snippets[0].Keywords; len(none) > 0 {
			t.Errorf("%s: %+v", name, none)
		}
	}
	// A facet term that is one of the query's, too, is shown once.
	one := keepAsked(t, d, Request{Lane: "fulltext", LaneName: "fulltext", Query: "充電器", TopK: 10}, "JP1")
	fusedOne := blend(t, d, tuned(), one)
	twice := peek(t, d, PeekRequest{RunID: fusedOne.RunID, Cutting: Cutting{Context: true}}).Snippets[0].Keywords
	if len(twice) != 1 {
		t.Errorf("shown: %+v", twice)
	}
	fused := blend(t, d, tuned(), r)
	byID, err := d.Snippets(t.Context(), SnippetsRequest{RunID: fused.RunID, PubIDs: []string{"JP1"}, Cutting: Cutting{Context: true}})
	if err != nil || len(byID.Snippets[0].Keywords) != mostContexts {
		t.Errorf("%+v, %v", byID, err)
	}
}

func TestOpening(t *testing.T) {
	for title, want := range map[string]string{
		"Spoke": "Spoke",
		"Face authentication device with occlusion estimator": "Face authentication device with",
		strings.Repeat("顔", 50):                               strings.Repeat("顔", 40),
	} {
		if got := opening(title); got != want {
			t.Errorf("%s: %q, want %q", title, got, want)
		}
	}
}
