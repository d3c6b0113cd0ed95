package answer

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// best returns the chosen unit, whether it is reported or not.
func best(t testing.TB, in *Input) (shown string, line int) {
	t.Helper()
	r, err := read(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	c := r.choose(&weights().Sentence)
	if c.unit < 0 {
		return "", 0
	}
	return r.excerpt(c.unit), r.units[c.unit].line
}

func TestLongUnitsAreCutAroundTheQuery(t *testing.T) {
	far := strings.Repeat("and many other acronyms that nobody asks for, ", 4)
	for _, tc := range []struct{ name, query, body, want string }{
		{"as it is", "acronym of Verliebt", "The acronym of Verliebt is ViB.", "The acronym of Verliebt is ViB."},
		{"the start", "acronym of Verliebt", "The acronym of Verliebt is ViB, " + far + "end.", "The acronym of Verliebt is ViB"},
		{"the end", "acronym of Verliebt", "Some prefer, " + far + "and the acronym of Verliebt is ViB.", "acronym of Verliebt is ViB."},
		{"the middle", "acronym of Verliebt", "Some, " + far + "the acronym of Verliebt is ViB, " + far + "end.", "acronym of Verliebt is ViB, and"},
		{"the end of the sentence before", "how far did the combine go in one day",
			"The farmers, " + far + "had the combine. It did go forty acres in one day.", "had the combine. It did go forty acres in one day."},
	} {
		got, _ := best(t, input(tc.query, "Names | "+tc.body))
		if n := utf8.RuneCountInString(got); n > longestAnswer || !strings.Contains(got, tc.want) {
			t.Errorf("%s: %d characters without %q: %s", tc.name, n, tc.want, got)
		}
		before, after, ok := strings.Cut(tc.body, got)
		if !ok || before != "" && !strings.HasSuffix(before, " ") || after != "" && !strings.ContainsAny(after[:1], " ,.") {
			t.Errorf("%s: no whole words of the text: %s", tc.name, got)
		}
	}
}

func TestBestUnit(t *testing.T) {
	for _, tc := range []struct {
		name, query string
		sections    []string
		want        string
		line        int
	}{
		{"no rule of dashes", "AB-240", []string{"AB-240 manual | ---\ntitle: AB-240 manual\n---\n\nThis manual describes it.",
			"x | y"}, "title: AB-240 manual", 5},
		{"a sentence with the amount", "ゴルフバッグの料金はいくらですか",
			[]string{"手荷物 | 自転車は1台1,500円です。ゴルフバッグは1個500円です。カバーを掛けてください。"}, "ゴルフバッグは1個500円です。", 4},
		{"a row of a table", "What is the deposit for a roll cage?",
			[]string{"Deposits | | Carrier | Deposit |\n|---|---|\n| Pallet | $14 |\n| Roll cage | $120 |"}, "| Roll cage | $120 |", 7},
		{"not the header of a table", "RAIDの方式",
			[]string{"RAID | | RAIDの方式 | 台数 |\n|---|---|\n| 0 | 2 |\n| RAID 5 | 3 |"}, "| RAID 5 | 3 |", 7},
		{"an item of a list", "How do I reset the router?",
			[]string{"Router | Care:\n- Dust the case monthly.\n- To reset the router, hold the button for ten seconds."}, "- To reset the router, hold the button for ten seconds.", 6},
		{"a setting", "retry_limit の値は何ですか",
			[]string{"設定 | timeout: 30\nretry_limit: 5\n"}, "retry_limit: 5", 5},
		{"no question", "Is wireless internet free?",
			[]string{"FAQ | Is wireless internet free?\n\nWireless internet is free of charge."}, "Wireless internet is free of charge.", 6},
		{"with the one before that it points to", "Who founded the harbour museum?",
			[]string{"Museum | The harbour museum opened in 1911. It was founded by the shipowner, who loved the harbour museum."},
			"The harbour museum opened in 1911. It was founded by the shipowner, who loved the harbour museum.", 4},
		{"without the code before", "What does the harbour command list?",
			[]string{"Commands | Run it:\n\n```sh\nharbour ls\n```\n\nThis harbour command lists all ships."},
			"This harbour command lists all ships.", 10},
		{"nothing to choose", "What is it?", []string{"FAQ | Is it here?"}, "", 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, line := best(t, input(tc.query, tc.sections...))
			if got != tc.want || line != tc.line {
				t.Errorf("line %d %q, want %d %q", line, got, tc.line, tc.want)
			}
		})
	}
}

func TestAPartBeginsWithAWholeWord(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{
		{"one two three", 5, "three"},
		{"「sanitized」（無害化）", 4, "」（無害化）"},
		{"定員は20名です", 3, "20名です"},
		{`a <span class="x y">b</span> c`, 8, `b</span> c`},
		{`a</span> b`, 5, ` b`},
		{"a < b and c > d", 5, "and c > d"},
		{"abc", 2, ""},
	} {
		if got := after(c.text, c.n); got != c.want {
			t.Errorf("%q from %d: %q, want %q", c.text, c.n, got, c.want)
		}
	}
}
