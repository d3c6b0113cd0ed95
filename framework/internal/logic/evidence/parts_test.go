package evidence

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

func items(priority repo.Kind, from string, relevances ...float64) (all []item) {
	for i, r := range relevances {
		all = append(all, item{hit{Section: snapshot.Section{Path: fmt.Sprint(from, i)}}, r, priority})
	}
	return all
}

func TestChoose(t *testing.T) {
	code, specs := items(1, "c", .9, .8, .7, .6, .5), items(3, "s", .9, .4, .3)
	change := items(2, "o", .5)
	tests := []struct {
		name        string
		code, specs []item
		most        int
		want        string
	}{
		{"a third is kept", code, specs, 6, "c0 c1 c2 c3 s0 s1"},
		{"rounded up", code, specs, 4, "c0 c1 s0 s1"},
		{"one item is code", code, specs, 1, "c0"},
		{"one item without code", nil, specs, 1, "s0"},
		{"of two one is a specification", code, specs, 2, "c0 s0"},
		{"of three one", code, specs, 3, "c0 c1 s0"},
		{"of four two", code, specs, 4, "c0 c1 s0 s1"},
		{"no more than there are", code, specs[:1], 6, "c0 c1 c2 c3 c4 s0"},
		{"code leaves room", code[:1], specs, 6, "c0 s0 s1 s2"},
		{"no specifications", code, nil, 3, "c0 c1 c2"},
		{"changes come first", nil, append(slices.Clone(specs), change...), 9, "o0 s0 s1 s2"},
		{"nothing", nil, nil, 5, ""},
	}
	for _, tt := range tests {
		var got []string
		for _, x := range choose(tt.code, tt.specs, tt.most) {
			got = append(got, x.Path)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %q, want %s", tt.name, got, tt.want)
		}
	}
}

func TestOtherFilesComeBeforeMoreOfTheSame(t *testing.T) {
	all := items(1, "same", .9, .85, .84)
	all[1].Path = all[0].Path
	got := spread(all, 2)
	if got[0].Path != "same0" || got[1].Path != "same2" {
		t.Errorf("%+v", got)
	}
}

func TestRelevanceKeepsTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOfN(rapid.Float64Range(0, 3), 1, 30).Draw(t, "scores")
		slices.SortFunc(scores, func(a, b float64) int { return cmp.Compare(b, a) })
		hits := make([]hit, len(scores))
		for i, s := range scores {
			hits[i] = hit{score: s, coverage: rapid.Float64Range(0, 1).Draw(t, "coverage")}
		}
		for _, c := range []curve{codeCurve, specCurve} {
			last := 1.0
			for _, x := range c.items(hits, repo.Globs{}) {
				if x.relevance > last || x.relevance < leastRelevance {
					t.Fatalf("relevance %v behind %v", x.relevance, last)
				}
				last = x.relevance
			}
		}
	})
}

func TestScopesNameWhatIsSearched(t *testing.T) {
	files := []string{
		"backend/a.go", "backend/x/b.go", "openspec/changes/one/specs/a/spec.md", "openspec/changes/two/specs/a.md", "openspec/changes/two/specs/b.md",
	}
	want := []string{"backend/**", "openspec/changes/one/specs/**", "openspec/changes/two/specs/**"}
	if diff := gocmp.Diff(want, scopes(repo.DefaultGlobs(), files)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	odd := repo.Globs{Code: []string{"**/*.go", "main.py", "cmd/*/main.go"}}
	want = []string{"**/*.go", "main.py", "cmd/a/main.go"}
	if diff := gocmp.Diff(want, scopes(odd, []string{"main.py", "cmd/a/main.go", "x.go"})); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestPathsInProseNameFiles(t *testing.T) {
	l := &lexicon{files: map[string][]string{
		"order.go": {"backend/order.go", "backend/old/order.go"}, "mail.py": {"app/mail.py"},
	}}
	for mention, want := range map[string]string{
		"/backend/order.go": "backend/order.go", "old/order.go": "backend/old/order.go", "./mail.py": "app/mail.py",
		"service/app/mail.py": "app/mail.py", "email.py": "", "er.go": "",
		"order.go": "", "../order.go": "", // several are called this
	} {
		if got, ok := l.named(mention); got != want || ok != (want != "") {
			t.Errorf("%s means %q, want %q", mention, got, want)
		}
	}
	const line = "| `/backend/app/leads.py` | 一覧（order.go、v1.2 と README）|"
	if diff := gocmp.Diff([]string{"/backend/app/leads.py", "order.go"}, mentions().FindAllString(line, -1)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestExcerptsAreLinesOfTheirUnit(t *testing.T) {
	q := &question{ideas: []idea{{forms: []string{"refund"}, slot: 0}}}
	q.Share = []float64{1}
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{
			"", "  ", "if refund > 3 {", "\treturn nil", "}", "x := refund(order)", strings.Repeat("返金 refund ", 40), "é́" + strings.Repeat("a", 300),
		}), 1, 30).Draw(t, "lines")
		first := rapid.IntRange(1, 50).Draw(t, "first")
		got, line := q.excerpt([]passage{{lines: lines, first: first, decl: first}})
		if utf8.RuneCountInString(got) > MaxExcerpt {
			t.Fatalf("%d characters", utf8.RuneCountInString(got))
		}
		all := strings.Join(lines, "\n")
		if strings.TrimSpace(all) == "" {
			if got != "" {
				t.Fatalf("%q of nothing", got)
			}
			return
		}
		rest := strings.Join(lines[line-first:], "\n")
		if got == "" || !strings.HasPrefix(strings.TrimSpace(rest), strings.TrimSuffix(got, "…")) || strings.TrimSpace(lines[line-first]) == "" {
			t.Fatalf("%q does not start at line %d of %q", got, line, lines)
		}
	})
}

func TestExcerptsShowWhatDecides(t *testing.T) {
	q := &question{ideas: []idea{{forms: []string{"refund"}, slot: 0}}}
	q.Share = []float64{1}
	unit := strings.Split(strings.Repeat("// what a customer gets back\n", 12)+"func Refund(o Order) error {\n\tif o.Refund > MaxRefund {\n\t\treturn errTooLarge\n\t}\n"+
		strings.Repeat("\tlog.Print(o.Name, o.Address, o.Mail)\n", 12)+"}", "\n")
	got, line := q.excerpt([]passage{{lines: unit, first: 100, decl: 112}})
	if line > 112 || !strings.Contains(got, "o.Refund > MaxRefund") {
		t.Errorf("line %d: %q", line, got)
	}
}

func TestQuestionsCallUnitsByAnyName(t *testing.T) {
	_, snap := openSample(t, samples+"/repo")
	q := read(snap, newLexicon(snap, repo.DefaultGlobs()), "Where is maxSessions set?")
	for names, want := range map[string]bool{"maxItems\nmaxSessions": true, "maxSessions": true, "maxItems": false, "": false} {
		if q.calls(names) != want {
			t.Errorf("%q: %t", names, !want)
		}
	}
}

func TestIdeasOfAQuestion(t *testing.T) {
	_, snap := openSample(t, samples+"/repo")
	l := newLexicon(snap, repo.DefaultGlobs())
	tests := []struct {
		question string
		terms    []string // expected among the searched terms
	}{
		{"ログインに失敗した回数", []string{"login", "fail"}},
		{"セッションタイムアウト", []string{"session", "timeout"}},
		{"キャンセルの期限", []string{"cancel", "window", "期限"}},
		{"checkFileSizeの上限", []string{"checkfiles", "file", "size", "上限"}},
		{"Which orders are shipped?", []string{"order", "ship", "出荷"}},
		{"ウェブフックのペイロード", []string{"payload"}},
		{"パスワードは何文字以上", []string{"password", "length", "charact"}},
		{"代引きの上限額", []string{"cash", "deliv", "limit"}},
		{"最大サイズ", []string{"max", "size"}},
		{"重すぎる小包", []string{"weight", "parcel"}},
	}
	for _, tt := range tests {
		q := read(snap, l, tt.question)
		for _, want := range tt.terms {
			if !slices.ContainsFunc(q.ideas, func(i idea) bool {
				for _, term := range slices.Concat(i.own, i.others) {
					if term.Text == want {
						return true
					}
				}
				return false
			}) {
				t.Errorf("%s: %s is not searched: %+v", tt.question, want, q.Terms)
			}
		}
		sum := 0.
		for _, share := range q.Share {
			sum += share
		}
		if sum < .999 || sum > 1.001 {
			t.Errorf("%s: the shares sum to %v", tt.question, sum)
		}
	}
}
