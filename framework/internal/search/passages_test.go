package search

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

// diskShelf holds a long section and two short ones on disks.
func diskShelf() []sdktest.Section {
	long := strings.Repeat("Nothing of note stands here.\n", 60)
	return []sdktest.Section{
		{Manual: "m", Path: "a.md", Line: 1, Heading: "Guide > Disks", Body: long + "A disk of two years is replaced.\n" + long},
		{Manual: "m", Path: "a.md", Line: 200, Heading: "Guide > Spare", Body: "A disk waits.\n"},
		{Manual: "m", Path: "b.md", Line: 1, Heading: "Notes", Body: "The disk is blue.\n"},
		{Manual: "m", Path: "c.md", Line: 1, Heading: "Empty disk", Body: ""},
		{Manual: "m", Path: "d.md", Line: 1, Heading: "Paper", Body: "No word of it.\n"},
	}
}

func TestPassages(t *testing.T) {
	e := engine(t, diskShelf(), fakes{list: []words{exact}})
	req := request("disk two years")
	req.Passages, req.MaxTokens = 3, 1200
	answer, err := find(t, e, req)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range answer.Passages {
		got = append(got, fmt.Sprintf("%s:%s %s %t %t", p.Path, p.Lines, p.Breadcrumb, strings.Contains(p.Text, "isk"), p.Whole))
	}
	want := []string{"a.md:50-75 Guide > Disks true false", "a.md:201-201 Guide > Spare true true", "b.md:2-2 Notes true true"}
	if diff := cmp.Diff(want, got); diff != "" || answer.TruncatedReason != "" {
		t.Errorf("%s, truncated %q", diff, answer.TruncatedReason)
	}
}

func TestWhatPassagesShowIsNotProposed(t *testing.T) {
	for _, query := range []string{"disk two years", "disk tapestry"} { // the second has a gap
		e := engine(t, diskShelf(), fakes{list: []words{exact}})
		req := request(query)
		req.Passages, req.MaxTokens = 3, 1200
		answer, err := find(t, e, req)
		if err != nil {
			t.Fatal(err)
		}
		long := false
		for _, a := range answer.NextActions {
			ref, _ := a.Params["ref"].(map[string]any)
			if ref["path"] == "b.md" {
				t.Errorf("%s: what a passage shows whole is proposed: %+v", query, a)
			}
			long = long || ref["start_line"] == 1
		}
		if !long {
			t.Errorf("%s: the long section is not among %+v", query, answer.NextActions)
		}
	}
}

// A text that occurs in several sections is shown once, with its other places.
func TestPassagesNameCopies(t *testing.T) {
	body := "A disk of two years is replaced.\n"
	shelf := []sdktest.Section{
		{Manual: "m", Path: "new.md", Line: 1, Heading: "Disks", Body: "A disk of two years is replaced by 3.\n"},
		{Manual: "m", Path: "tape.md", Line: 1, Heading: "Tapes", Body: "The tape lasts for years.\n"},
	}
	for i, path := range []string{"a.md", "b.md"} {
		shelf = append(shelf, sdktest.Section{Manual: "m", Path: path, Line: 1 + 10*i, Heading: "Disks", Body: body})
	}
	for _, path := range []string{"a.md", "b.md", "c.md"} {
		shelf = append(shelf, sdktest.Section{Manual: "n", Path: path, Line: 1, Heading: "Disks", Body: body})
	}
	req := request("disk two years")
	req.Passages, req.MaxTokens = 3, 5000
	answer, err := find(t, engine(t, shelf, fakes{list: []words{exact}}), req)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range answer.Passages {
		got = append(got, fmt.Sprint(p.ManualID, "/", p.Path, ":", p.Lines, p.Also))
	}
	want := []string{"m/a.md:2-2[{ b.md 12-12 11 12} {n a.md 2-2 1 2} {n b.md 2-2 1 2}]", "m/new.md:2-2[]", "m/tape.md:2-2[]"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestPassagesFitTheirTokens(t *testing.T) {
	e := engine(t, diskShelf(), fakes{list: []words{exact}})
	req := request("disk two years")
	req.Passages, req.MaxTokens = 20, 50_000
	whole, err := find(t, e, req)
	if err != nil || whole.TruncatedReason != "" {
		t.Fatalf("%+v, %v", whole, err)
	}
	req.Passages = 0
	none, err := find(t, e, req)
	if err != nil || none.Passages != nil || none.TruncatedReason != "" {
		t.Fatalf("%+v, %v", none, err)
	}
	least := none.tokens()
	req.Passages = 20
	for most := whole.tokens() - 1; most > least+20; most -= 7 { // room for truncated_reason
		req.MaxTokens = most
		answer, err := find(t, e, req)
		if err != nil {
			t.Fatal(err)
		}
		want := none.Summary
		if answer.AnsweredBy == nil {
			want.IntegrationStatus, want.StatusReasons = "needs_followup", []string{statusNothing}
		}
		if n := answer.tokens(); n > most || answer.TruncatedReason != reasonTokens || !cmp.Equal(answer.Summary, want) {
			t.Errorf("%d tokens of %d: %+v", n, most, answer)
		}
	}
	req.Passages, req.MaxTokens = 0, least-1
	_, err = find(t, e, req)
	if bad, ok := errors.AsType[*toolset.Error](err); !ok || bad.Details["expected"] != fmt.Sprintf("%d or more for this reply", least) {
		t.Errorf("too few tokens: %v", err)
	}
}

// Words of the headings apply to the whole section, and do not choose a part of it.
func TestPassageHoldsWhatItsHeadingsLack(t *testing.T) {
	long := strings.Repeat("Nothing of note stands here.\n", 60)
	e := engine(t, []sdktest.Section{
		{Manual: "m", Path: "a.md", Line: 1, Heading: "Disk > Failures", Body: long + "Disk failures were counted.\n" + long + "Wear.\n" + long},
		{Manual: "m", Path: "b.md", Line: 1, Heading: "Paper", Body: "Wear of paper."},
	}, fakes{list: []words{exact}})
	req := request("disk failures wear")
	req.Passages, req.MaxTokens = 1, 1200
	answer, err := find(t, e, req)
	if err != nil {
		t.Fatal(err)
	}
	if p := answer.Passages[0]; p.Path != "a.md" || !strings.Contains(p.Text, "Wear.") {
		t.Errorf("%+v", p)
	}
}

func TestFirstPassageIsTheLongest(t *testing.T) {
	long := strings.Repeat("Nothing of note stands here.\n", 60)
	var shelf []sdktest.Section
	for _, name := range []string{"a", "b", "c"} {
		shelf = append(shelf, sdktest.Section{
			Manual: "m", Path: name + ".md", Line: 1, Heading: name, Body: long + "A disk waits.\n" + long + name,
		})
	}
	e := engine(t, shelf, fakes{list: []words{exact}})
	req := request("disk")
	req.Passages = 3
	lengths := map[[3]bool]bool{} // which passages are long; a key is present if it was seen
	for most := 1200; most > 300; most -= 10 {
		req.MaxTokens = most
		answer, err := find(t, e, req)
		if err != nil {
			t.Fatal(err)
		}
		if len(answer.Passages) < 3 {
			break
		}
		var full [3]bool
		for i, p := range answer.Passages {
			full[i] = len(p.Text) > passageLengths[behind-1]
		}
		lengths[full] = true
		if first, last := len(answer.Passages[0].Text), len(answer.Passages[2].Text); first < last {
			t.Errorf("at %d the first passage has %d characters, the last %d", most, first, last)
		}
	}
	want := map[[3]bool]bool{{true, false, false}: true, {false, false, false}: true}
	if diff := cmp.Diff(want, lengths); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestQueriesAreSearchedAtOnce(t *testing.T) {
	rows := []sdktest.Section{
		{Manual: "m", Path: "a.md", Line: 1, Heading: "A", Body: "the disk fails"},
		{Manual: "m", Path: "b.md", Line: 1, Heading: "B", Body: "a drive breaks"},
		{Manual: "m", Path: "c.md", Line: 1, Heading: "C", Body: "a disk or drive"},
		{Manual: "m", Path: "d.md", Line: 1, Heading: "D", Body: "paper"},
	}
	e := engine(t, rows, fakes{list: []words{exact}})
	req := request("")
	req.Queries = []string{"disk", "drive"}
	answer, err := find(t, e, req)
	if err != nil {
		t.Fatal(err)
	}
	hits, err := e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: "candidates", Limit: 9})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]int{}
	for _, row := range hits.Items {
		got[row.Ref.Path] = row.Queries
	}
	want := map[string][]int{"a.md": {0}, "b.md": {1}, "c.md": {0, 1}}
	if diff := cmp.Diff(want, got); diff != "" || hits.Items[0].Ref.Path != "c.md" {
		t.Errorf("%s, first %s", diff, hits.Items[0].Ref.Path)
	}
	if answer.Summary.GapCount != 0 || answer.Summary.Matched != 3 {
		t.Errorf("%+v", answer.Summary)
	}
	single := request("disk")
	alone, err := find(t, e, single)
	if err != nil {
		t.Fatal(err)
	}
	req.Queries = []string{"disk"}
	one, err := find(t, e, req)
	if diff := cmp.Diff(alone, one, cmpopts.IgnoreFields(Answer{}, "TraceID"), cmpopts.IgnoreUnexported(Passage{})); diff != "" || err != nil {
		t.Errorf("one of queries is not as the query (-query +queries): %v\n%s", err, diff)
	}
}

func TestQueriesFaults(t *testing.T) {
	e := engine(t, manyRows(3), fakes{list: []words{exact}})
	for _, tc := range []struct {
		query     string
		queries   []string
		parameter string
	}{
		{"", []string{"disk", " "}, "queries[1]"},
		{"", []string{"\xff"}, "queries[0]"},
		{"", nil, "query"},
	} {
		req := request(tc.query)
		req.Queries = tc.queries
		_, err := find(t, e, req)
		if bad, ok := errors.AsType[*toolset.Error](err); !ok || bad.Code != toolset.InvalidParameter || bad.Details["parameter"] != tc.parameter {
			t.Errorf("%q, %q: %v", tc.query, tc.queries, err)
		}
	}
}

// A JSON file of one long line is shown and read around the matched words.
func TestPassagesOfAJSONLine(t *testing.T) {
	var entries []string
	for i := range 3000 {
		entries = append(entries, fmt.Sprintf(`{"id":"Q-%d","msg":"quail error %d of the coop"}`, i, i))
	}
	for name, tc := range map[string]struct {
		body string
		line int // of the entry
	}{
		"one line": {`{"codes":[` + strings.Join(entries, ",") + `]}`, 1},
		"lines":    {`{"codes":[` + strings.Join(entries, ",\n") + "\n]}", 2501},
	} {
		t.Run(name, func(t *testing.T) {
			shelf := []sdktest.Section{{Manual: "m", Path: "codes.json", Line: 1, Heading: "codes", Body: tc.body}}
			e := engine(t, shelf, fakes{list: []words{exact}})
			req := request("quail error 2500")
			req.Passages, req.MaxTokens = 1, 1200
			answer, err := find(t, e, req)
			if err != nil {
				t.Fatal(err)
			}
			if p := answer.Passages[0]; !strings.Contains(p.Text, "quail error 2500") || p.Breadcrumb != "codes > codes" ||
				!strings.HasPrefix(p.Text, "…") && name == "one line" {
				t.Errorf("%+v", p)
			}
			proposed := slices.ContainsFunc(answer.NextActions, func(a toolset.Action) bool {
				ref, ok := a.Params["ref"].(map[string]any)
				return ok && ref["json_path"] == "/codes/2500" && ref["start_line"] == tc.line
			})
			if !proposed {
				t.Errorf("%+v", answer.NextActions)
			}
		})
	}
}

// A passage of a long section is chosen from all of it: a document without headings is one section.
func TestPassagesOfALongSection(t *testing.T) {
	page := strings.Repeat("Nothing of note stands on this line.\n", 100)
	body := page + "The kingfisher surcharge is 4 percent.\n" + strings.Repeat(page, 20) + "The heron surcharge is 22 percent.\n" + page
	shelf := []sdktest.Section{{Manual: "m", Path: "fees.md", Line: 1, Heading: "Fees", Body: body}}
	req := request("heron surcharge")
	req.Passages, req.MaxTokens = 1, 1200
	e := engine(t, shelf, fakes{list: []words{exact}})
	answer, err := find(t, e, req)
	if err != nil {
		t.Fatal(err)
	}
	line := 2 + strings.Count(body[:strings.Index(body, "The heron")], "\n")
	var first, last int
	_, err = fmt.Sscanf(answer.Passages[0].Lines, "%d-%d", &first, &last)
	if p := answer.Passages[0]; err != nil || !strings.Contains(p.Text, "heron surcharge is 22") || first > line || last < line {
		t.Errorf("line %d is not in %+v", line, p)
	}
	want := map[string]any{
		"ref":   map[string]any{"manual_id": "m", "path": "fees.md", "start_line": line},
		"scope": "snippet", "expand": map[string]any{"before_chars": beforePeak, "after_chars": afterPeak},
	}
	if !slices.ContainsFunc(answer.NextActions, func(a toolset.Action) bool { return cmp.Equal(a.Params, want) }) {
		t.Errorf("no proposal %v in %+v", want, answer.NextActions)
	}
	snippets, err := e.Snippets(t.Context(), answer.TraceID, 1, 200)
	if err != nil || !strings.Contains(snippets[0].Text, "heron") {
		t.Errorf("%+v, %v", snippets, err)
	}
}

func TestRememberedPassagesAreThoseOfASearch(t *testing.T) {
	_, find := remembering(t, diskShelf(), off)
	never := false
	ask := func(passages, most int, query string) Request {
		req := request(query)
		req.Passages, req.MaxTokens = passages, most
		return req
	}
	first, _ := find(ask(3, 50_000, "disk two years"))
	shorter := first.tokens() - 20
	for _, req := range []Request{
		ask(3, 50_000, "disk two years"), ask(3, shorter, "disk two years"), ask(3, shorter-50, "disk two years"),
		ask(1, 50_000, "disk two years"), ask(3, 50_000, "Disk two years, please"),
	} {
		again, hit := find(req)
		req.UseCache = &never
		fresh, _ := find(req)
		sees := cmp.AllowUnexported(Passage{})
		if diff := cmp.Diff(fresh.Passages, again.Passages, sees); diff != "" || !hit || len(again.Passages) == 0 {
			t.Errorf("%q, %d tokens, hit %t: %s", req.Query, req.MaxTokens, hit, diff)
		}
	}
}
