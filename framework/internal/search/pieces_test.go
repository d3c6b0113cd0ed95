package search

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/judge/section"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

// Passages of JSON files are chosen among all their pieces, with what stands above each, and the judgement reads the
// same pieces.
func TestPassagesOfJSONFiles(t *testing.T) {
	filler := strings.Repeat("Nothing. ", 180)
	faq := func(answers ...string) string {
		var entries []string
		for i, a := range answers {
			entries = append(entries, fmt.Sprintf("{\n\"id\": %d,\n\"answer\": %q,\n\"rest\": %q\n}", i, a, filler))
		}
		return "[\n" + strings.Join(entries, ",\n") + "\n]\n"
	}
	paths := fmt.Sprintf("{\n\"/herons\": {\n\"intro\": %q,\n\"text\": \"The fee is four.\"},\n\"/gulls\": {\n\"intro\": %q,\n\"text\": \"The fee is nine.\"\n}\n}\n", filler, filler)
	for name, tc := range map[string]struct {
		files    map[string]string
		query    string
		passages int
		want     []string // what each passage and the evidence hold
		above    string   // in the heading of the first evidence
	}{
		"several of one file": {
			map[string]string{"a.json": faq("heron fee", "gull", "heron fee and bond", "owl")}, "heron fee bond", 3,
			[]string{"heron fee and bond", "heron fee"}, "",
		},
		"of the file that answers better": {
			map[string]string{"a.json": faq("heron fee bond", "heron fee"), "b.json": faq("heron")}, "heron fee bond", 2,
			[]string{"heron fee bond", "heron fee"}, "",
		},
		"what stands above counts": {map[string]string{"a.json": paths}, "gulls fee", 1, []string{"nine"}, "> /gulls"},
		"a file that is no JSON":   {map[string]string{"a.json": "{ heron fee, oops\n"}, "heron fee", 1, []string{"heron fee, oops"}, ""},
		"one line": {
			map[string]string{"a.json": strings.ReplaceAll(faq("owl", "gull", "heron fee", "owl"), "\n", "")}, "heron fee", 1,
			[]string{"heron fee"}, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var shelf []sdktest.Section
			for path, body := range tc.files {
				shelf = append(shelf, sdktest.Section{Manual: "m", Path: path, Line: 1, Heading: path, Body: body})
			}
			req := request(tc.query)
			req.Passages = tc.passages
			e := engine(t, shelf, fakes{list: []words{exact}})
			var read []section.Section
			e.build = func(ctx context.Context, in judge.Input) (*judge.Graph, error) {
				read = in.Evidences
				return judge.Build(ctx, in)
			}
			answer, err := find(t, e, req)
			if err != nil {
				t.Fatal(err)
			}
			for i, s := range read {
				first, _, _ := strings.Cut(s.Text, "\n")
				if !strings.Contains(strings.Split(tc.files[s.Path], "\n")[s.TextLine-1], first) {
					t.Errorf("evidence %d is not on line %d", i, s.TextLine)
				}
				if i > 0 && s.Score > read[i-1].Score {
					t.Errorf("evidence %d has the score %f after %f", i, s.Score, read[i-1].Score)
				}
			}
			if !strings.Contains(read[0].Heading, tc.above) {
				t.Errorf("read under %q", read[0].Heading)
			}
			var got []string
			for i, p := range answer.Passages {
				if i < len(tc.want) && strings.Contains(p.Text, tc.want[i]) && strings.Contains(read[i].Text, tc.want[i]) {
					got = append(got, tc.want[i])
				} else {
					got = append(got, p.Lines+" "+p.Text)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Passages of one file do not repeat each other.
func TestPassagesOfAJSONFileDoNotOverlap(t *testing.T) {
	var lines []string
	for i := range 200 {
		lines = append(lines, fmt.Sprintf("%q", fmt.Sprintf("heron %d", i)))
	}
	body := "[\n" + strings.Join(lines, ",\n") + "\n]\n"
	req := request("heron")
	req.Passages = 9
	shelf := []sdktest.Section{{Manual: "m", Path: "a.json", Line: 1, Heading: "a", Body: body}}
	answer, err := find(t, engine(t, shelf, fakes{list: []words{exact}}), req)
	if err != nil || len(answer.Passages) < 2 {
		t.Fatal(answer, err)
	}
	shown := map[string]bool{}
	for _, p := range answer.Passages {
		for l := range strings.Lines(p.Text) {
			if l = strings.TrimSpace(l); strings.Contains(l, "heron") && shown[l] {
				t.Errorf("%s is shown again on lines %s", l, p.Lines)
			}
			shown[l] = true
		}
	}
}

// A long JSON file of which a part is shown does not show everything.
func TestAPartOfAJSONFileIsNotAll(t *testing.T) {
	entry := `"every disk is listed here"`
	for body, want := range map[string]string{
		"[" + entry + "]": "ready",
		"[" + entry + strings.Repeat(",\n"+entry, 500) + "]": "needs_followup",
	} {
		req := request("every disk")
		req.Passages, req.ExpandScope = 3, false
		shelf := []sdktest.Section{{Manual: "m", Path: "a.json", Line: 1, Heading: "a", Body: body}}
		answer, err := find(t, engine(t, shelf, fakes{list: []words{exact}}), req)
		if err != nil || answer.Summary.IntegrationStatus != want {
			t.Errorf("%d bytes: %+v, %v", len(body), answer.Summary, err)
		}
	}
}

// Passages of long sections are chosen among all their pieces, and say where they stand in the file.
func TestPassagesOfLongSections(t *testing.T) {
	filler := strings.Repeat("Nothing.\n", 400)
	faq := func(answers ...string) string {
		return filler + strings.Join(answers, "\n"+filler) + "\n" + filler + filler
	}
	for name, tc := range map[string]struct {
		shelf []sdktest.Section
		query string
		want  []string // line and text of each passage that holds a word of the query
	}{
		"several of one section": {
			[]sdktest.Section{{Path: "a.md", Heading: "a", Body: faq("A heron fee.", "A gull.", "A heron fee and a bond.")}},
			"heron fee bond", []string{"a.md:1204 A heron fee and a bond.", "a.md:402 A heron fee."},
		},
		"of the section that answers better": {
			[]sdktest.Section{
				{Path: "a.md", Heading: "a", Body: faq("A heron, a fee, a bond.", "A heron fee.")},
				{Path: "b.md", Heading: "b", Body: faq("A heron.")},
			},
			"heron fee bond", []string{"a.md:402 A heron, a fee, a bond.", "a.md:803 A heron fee.", "b.md:402 A heron."},
		},
		"the heading counts": {
			[]sdktest.Section{
				{Path: "a.md", Heading: "Gulls", Body: faq("The fee is four.")},
				{Path: "b.md", Heading: "Herons", Body: faq("The fee is nine.")},
			},
			"herons fee", []string{"b.md:402 The fee is nine.", "a.md:402 The fee is four."},
		},
		"beside short sections": {
			[]sdktest.Section{
				{Path: "a.md", Heading: "a", Body: faq("A heron fee and a bond.")},
				{Path: "b.md", Heading: "b", Body: "A heron fee and a bond are due.\n"},
			},
			"heron fee bond", []string{"a.md:402 A heron fee and a bond.", "b.md:2 A heron fee and a bond are due."},
		},
		"behind front matter": {
			[]sdktest.Section{{Path: "a.md", Heading: "", Body: "---\nx: heron fee\n---\n" + faq("A gull.", "A heron fee.")}},
			"heron fee", []string{"a.md:805 A heron fee."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			for i := range tc.shelf {
				tc.shelf[i].Manual, tc.shelf[i].Line = "m", 1
			}
			req := request(tc.query)
			req.Passages = 3
			answer, err := find(t, engine(t, tc.shelf, fakes{list: []words{exact}}), req)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range answer.Passages {
				first := 0
				if _, err := fmt.Sscanf(p.Lines, "%d-", &first); err != nil {
					t.Fatal(err)
				}
				for i, l := range strings.Split(p.Text, "\n") {
					if l != "Nothing." {
						got = append(got, fmt.Sprintf("%s:%d %s", p.Path, first+i, l))
					}
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
