package testbed

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// leastOverlap is the minimum mean share of the first ten sections that two ways to write a query must have in common.
const leastOverlap = 0.9

// formPair is a line of testdata/forms.tsv: the same thing written in two ways.
type formPair struct{ class, a, b string }

func formPairs(t *testing.T) (pairs []formPair) {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(repository(t), "testdata", "forms.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(src)) {
		if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) == 3 && f[0][0] != '#' {
			pairs = append(pairs, formPair{f[0], f[1], f[2]})
		}
	}
	return pairs
}

// The text around a form in the texts and in the queries, by the script of the form.
var (
	japaneseAround = [][2]string{{"担当者は", "の期限を毎朝点検します。"}, {"次の窓口で", "について相談してください。"}}
	englishAround  = [][2]string{{"Operators check the ", " window every morning."}, {"Ask the desk about the ", " rules first."}}
)

// linesOfForm is the number of lines in the section of a form.
const linesOfForm = 4

// manualOfForms writes a manual in which every form has a section of its own, besides a copy of the sample.
func manualOfForms(t *testing.T, pairs []formPair) string {
	t.Helper()
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS(filepath.Join(sample(t), "manuals"))); err != nil {
		t.Fatal(err)
	}
	var md strings.Builder
	for i, p := range pairs {
		around := englishAround
		if text.HasCJK(p.a + p.b) {
			around = japaneseAround
		}
		for k, form := range []string{p.a, p.b} {
			fmt.Fprintf(&md, "# %04d-%c\n\n%s%s%s\n\n", i, 'a'+k, around[k][0], form, around[k][1])
		}
	}
	if err := os.MkdirAll(filepath.Join(root, "forms"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "forms", "forms.md"), []byte(md.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return root
}

// Both forms of a query find the sections of both forms, and nine of their first ten sections are the same.
func TestFormsFindTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("searches several hundred times")
	}
	pairs := formPairs(t)
	if len(pairs) < 200 {
		t.Fatalf("%d pairs", len(pairs))
	}
	find := finder(t, manualOfForms(t, pairs))
	first := func(query string) []string { return first(find(query), 10) }
	overlaps := map[string][]float64{}
	for i, p := range pairs {
		a, z := first(p.a), first(p.b)
		overlap := overlap(a, z)
		overlaps[p.class], overlaps[""] = append(overlaps[p.class], overlap), append(overlaps[""], overlap)
		var lost []string
		for k, form := range []string{p.a, p.b} {
			section := fmt.Sprintf("forms.md:%d", 1+linesOfForm*(2*i+k))
			if !slices.Contains(a, section) {
				lost = append(lost, p.a+" does not find "+form)
			}
			if !slices.Contains(z, section) {
				lost = append(lost, p.b+" does not find "+form)
			}
		}
		if overlap < leastOverlap || lost != nil {
			t.Logf("%s: %s and %s share %.2f; %s", p.class, p.a, p.b, overlap, strings.Join(lost, ", "))
		}
	}
	for _, class := range slices.Sorted(maps.Keys(overlaps)) {
		if got := mean(overlaps[class]); got < leastOverlap {
			t.Errorf("%q: the mean overlap of %d pairs is %.3f", class, len(overlaps[class]), got)
		} else {
			t.Logf("%q: the mean overlap of %d pairs is %.3f", class, len(overlaps[class]), got)
		}
	}
}

// finder returns a search of a folder of manuals that returns whole rankings as path:line.
func finder(t *testing.T, manuals string) func(query string) []string {
	t.Helper()
	b := localTestbed(t, manuals)
	find := searchBy(t, b, usual(t, b), false)
	return func(query string) (found []string) {
		ranked, err := find(t.Context(), query, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range ranked.Ranking {
			found = append(found, fmt.Sprintf("%s:%d", at.Path, at.StartLine))
		}
		return found
	}
}

func first(found []string, n int) []string { return found[:min(n, len(found))] }

// Queries rank first what they name, and find nothing if there is nothing.
func TestQueriesLeadWithWhatTheyName(t *testing.T) {
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS(filepath.Join(sample(t), "manuals"))); err != nil {
		t.Fatal(err)
	}
	for name, md := range map[string]string{
		"ryohi.md":    "# 旅費\n\n## 交通費\n\n電車とバスは実費を支払います。\n\n## 交通費とタクシー\n\n深夜だけ支払います。\n",
		"versions.md": "# Protocols\n\n## New\n\nZigbee3.0 is on.\n\n## Old\n\nZigbee 1.2 is off.\n",
	} {
		if err := os.WriteFile(filepath.Join(root, "minato-runbook", name), []byte(md), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	find := finder(t, root)
	for _, tc := range []struct {
		query string
		first []string // path:line, or a prefix of it
	}{
		{"第3条 免責", []string{"07-tokuyaku-jishin.md:13"}}, // in 第3条, and about 免責
		{"rollback steps", []string{"04-rollback.md", "04-rollback.md", "04-rollback.md"}},
		{"How do I file a claim", []string{"en/claims-guide.md", "en/claims-guide.md", "en/claims-guide.md"}},
		{"SEV 1", []string{"01-oncall.md:18", "ja/15-yougo.md:3"}},
		{"SEV1", []string{"01-oncall.md:18", "ja/15-yougo.md:3"}},
		{"Zigbee 3.0", []string{"versions.md:3"}},
		{"Zigbee 1.2", []string{"versions.md:7"}},
		{"交通費", []string{"ryohi.md", "ryohi.md"}},
		{"交通費 -タクシー", []string{"ryohi.md:3"}},
	} {
		found := find(tc.query)
		leads := len(found) >= len(tc.first)
		for i, want := range tc.first {
			leads = leads && strings.HasPrefix(found[i], want)
		}
		if !leads {
			t.Errorf("%s leads with %v, want %v", tc.query, first(found, len(tc.first)), tc.first)
		}
	}
	if found := find("交通費 -タクシー"); slices.Contains(found, "ryohi.md:7") {
		t.Error("a section is found that holds the word which speaks against it")
	}
	for _, query := range []string{"ペンギン", "キャラバン"} {
		if found := find(query); len(found) > 0 {
			t.Errorf("%s finds %d sections", query, len(found))
		}
	}
}

// overlap returns the share of two rankings that is in both.
func overlap(a, b []string) float64 {
	n := 0
	for _, x := range a {
		if slices.Contains(b, x) {
			n++
		}
	}
	return float64(n) / float64(max(1, len(a), len(b)))
}

func mean(of []float64) (sum float64) {
	for _, x := range of {
		sum += x / float64(len(of))
	}
	return sum
}
