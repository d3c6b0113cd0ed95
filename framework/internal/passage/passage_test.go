package passage

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// wordsOf returns the tokens of a query, each worth 1.
func wordsOf(query string) Words {
	norm := text.Normalize(query)
	var z text.Tokenizer
	out := Words{}
	for t := range z.Tokens(&norm) {
		out[t.Term] = 1
	}
	return out
}

func TestChoose(t *testing.T) {
	filler := strings.Repeat("Nothing of note here. ", 4)
	table := "| item | days |\n|---|---|\n" + strings.Repeat("| other | 9 |\n", 5) + "| disk | 30 |\n" + strings.Repeat("| other | 9 |\n", 5)
	const faq = "**Does the tape fail?**\n\nNo.\n\n**Why does it fail?**\n\nDust.\n\n**When does the disk fail?**\n\nIn June.\n\n**Who knows?**\n\nWe."
	const broken = "Nothing of note is said here, and it goes on until the line has no room left\n" +
		"for more. The disk of the unit may fail at any time, and its light turns red\nthat does not blink. No more."
	for _, tc := range []struct {
		name, source, query string
		limit               int
		want                Passage
	}{
		{"all of a short text", "One.\nTwo.\n\n", "two", 100, Passage{"One.\nTwo.", 0, 1, true}},
		{"the sentence with the words", filler + "The disk fails. " + filler, "disk", 20, Passage{"The disk fails.", 0, 0, false}},
		{"what follows it, then what is before", "Before. The disk fails. After that. More.", "disk", 27, Passage{"The disk fails. After that.", 0, 0, false}},
		{"a question with its answer", faq, "when does the disk fail", 54, Passage{"Dust.\n\n**When does the disk fail?**\n\nIn June.", 6, 10, false}},
		{"a table below its heading", "The fee rises. The fee of a disk falls:\n\n| fee |\n|---|\n| 3 |", "fee disk", 42, Passage{"The fee of a disk falls:\n\n| fee |\n|---|\n| 3 |", 0, 4, false}},
		{"Japanese sentences", "前置きです。保証期間は二年です。「はい。」と言う。終わり。", "保証期間", 12, Passage{"保証期間は二年です。", 0, 0, false}},
		{"most of the words", "A disk. A raid. Far away from here. A disk and raid. Far.", "disk raid", 16, Passage{"A disk. A raid.", 0, 0, false}},
		{"a row with its header", table, "disk", 15, Passage{"| item | days |\n|---|---|\n…\n| disk | 30 |", 7, 7, false}},
		{"a row right below its header", "text\n\n| item | days |\n|---|---|\n| disk | 30 |\n| x | 1 |", "disk", 15, Passage{"| item | days |\n|---|---|\n| disk | 30 |", 2, 4, false}},
		{"CR LF", "A disk.\r\nA raid.\r\nNo.", "disk raid", 18, Passage{"A disk.\nA raid.\nNo.", 0, 2, true}},
		{"an item with its lead", "We do not pay for:\n\n- wear\n- rust\n- floods", "floods", 10, Passage{"We do not pay for:\n…\n- floods", 4, 4, false}},
		{"a line after a no-break space", "\u00a0The disk fails.\n\u00a0ここは、", "fails", 99, Passage{"The disk fails.\n\u00a0ここは、", 0, 1, true}},
		{"a block of code whole", filler + "\n\nRun:\n\n```sh\nsagasu find\nsagasu mcp\n```\n\n" + filler, "mcp", 40, Passage{"Run:\n\n```sh\nsagasu find\nsagasu mcp\n```", 2, 7, false}},
		{"a unit that is too long is cut", strings.Repeat("disk ", 50), "disk", 12, Passage{"disk disk…", 0, 0, false}},
		{"around its words", "It has one of many words after another, and the raid of a disk that fails, and more of them", "raid disk", 40, Passage{"…and the raid of a disk that fails, and…", 0, 0, false}},
		{"of characters without spaces", strings.Repeat("あいう", 20) + "保証期間" + strings.Repeat("かきく", 20), "保証期間", 14, Passage{"…いう保証期間かきくかきく…", 0, 0, false}},
		{"of a row with its header", "| item | days |\n|---|---|\n| other | 9 |\n| " + strings.Repeat("one and ", 9) + "a disk |", "disk", 20, Passage{"| item | days |\n|---|---|\n…\n…one and a disk |", 3, 3, false}},
		{"without a word of the query", strings.Repeat("one and ", 9), "disk", 10, Passage{"one and…", 0, 0, false}},
		{"of one word", strings.Repeat("か\u3099", 30), "disk", 7, Passage{strings.Repeat("か\u3099", 2) + "…", 0, 0, false}},
		{"no word of the query", "One. Two. Three.", "absent", 9, Passage{"One. Two.", 0, 0, false}},
		{"behind a short topic sentence", "Care. " + filler + "The disk fails. " + filler, "disk", 25, Passage{"Care.\n…\nThe disk fails.", 0, 0, false}},
		{"without one that is long", "Care. " + filler + "The disk fails. " + filler, "disk", 24, Passage{"The disk fails.", 0, 0, false}},
		{"a member of JSON is no topic", "\"max\": 1,\n\"least\": 22222222222,\n\"most\": 33333333333,\n\"disk\": 4", "disk", 45, Passage{"\"most\": 33333333333,\n\"disk\": 4", 2, 3, false}},
		{"nor is a brace", "{\n" + filler + "The disk fails. " + filler, "disk", 40, Passage{"The disk fails. Nothing of note here.", 1, 1, false}},
		{"nor is a mark", "!!!\n" + filler + "The disk fails. " + filler, "disk", 40, Passage{"The disk fails. Nothing of note here.", 1, 1, false}},
		{"a header is no topic", "| a |\n|---|\n| b |\n\n" + filler + "The disk fails.", "disk", 56, Passage{"Nothing of note here. The disk fails.", 4, 4, false}},
		{"a row has its header, no topic", "Care.\n\n" + filler + "\n\n" + table, "disk", 25, Passage{"| item | days |\n|---|---|\n…\n| disk | 30 |", 11, 11, false}},
		{"nor where room for one leaves only the row", "Care.\n\n" + filler + "\n\nAbc.\n\n| i |\n|-----|\n| disk |", "disk", 25, Passage{"| i |\n|-----|\n| disk |", 6, 8, false}},
		{"a sentence of lines that are broken to a width", broken, "disk", 90, Passage{"The disk of the unit may fail at any time, and its light turns red\nthat does not blink.", 1, 2, false}},
		{"an item of such lines", "Call us when\n\n- " + broken + "\n- it is hot.\n\n|" + strings.Repeat(" a |", 22), "blink", 90, Passage{"Call us when\n…\nThe disk of the unit may fail at any time, and its light turns red\nthat does not blink.", 3, 4, false}},
		{"Japanese lines broken to a width", "前置きはここに書かれ、この行がいっぱいになるまで続いていて、まだ終わりません\nでした。保証期間はお買い上げの日から数えて二年間であり、部品の保証もこれに含\nまれます。以上です。", "部品", 60, Passage{"保証期間はお買い上げの日から数えて二年間であり、部品の保証もこれに含\nまれます。以上です。", 1, 2, false}},
		{"lines that end early are no sentence", "Name of the owner of the unit that was bought in the shop\nDisk\nRaid", "disk", 5, Passage{"Disk", 1, 1, false}},
		{"nor are words below each other", "raid\ndisk\nfan", "disk", 5, Passage{"disk", 1, 1, false}},
		{"nor are keys", "place: on the left\ndisk: two of them\nfan: one", "disk", 20, Passage{"disk: two of them", 1, 1, false}},
		{"a line that no capital follows", "The light says that\nthe disk of the unit\nhas failed. Call us.", "disk", 60, Passage{"The light says that\nthe disk of the unit\nhas failed. Call us.", 0, 2, true}},
		{"a sentence of a quotation", "> Note that the light of the\n> disk does not blink.\n>\n> Call us.", "blink", 99, Passage{"> Note that the light of the\n> disk does not blink.\n>\n> Call us.", 0, 3, true}},
		{"a width that one long line exceeds", broken + "\nSee " + strings.Repeat("x", 99) + ".\n" + broken, "fail", 90, Passage{"The disk of the unit may fail at any time, and its light turns red\nthat does not blink.", 1, 2, false}},
		{"a term with what explains it", "Parts:\n\n- `Disk`\n\n  It turns. It wears.\n- `Tape`\n\n  It waits.", "disk", 21, Passage{"Parts:\n\n- `Disk`\n\n  It turns.", 0, 4, false}},
		{"addresses of links take no room", "Far off. See [the disk](https://example.com/a/very/long/address). No more.", "disk", 24, Passage{"See [the disk](https://example.com/a/very/long/address). No more.", 0, 0, false}},
		{"markup without a text takes no room", "Care.\n\n<dl>\n<dt class=\"wide\">\ndisk\n</dt>\n<dd>\n30 days\n</dd>\n</dl>\n" + filler, "disk", 12, Passage{"disk\n</dt>\n<dd>\n30 days", 4, 7, false}},
		{"and is not shown at an end", "<p><img src=\"a.png\" alt=\"\"></p>\n\nThe disk.\n\n![](b.png)\n<!-- more -->", "disk", 99, Passage{"The disk.", 2, 2, true}},
		{"nor as a topic", "<hr>\n" + filler + "The disk fails. " + filler, "disk", 25, Passage{"The disk fails.", 1, 1, false}},
		{"an image does not count for its description", "![A disk](a.png)\n\n" + filler + "The disk. " + filler, "disk", 12, Passage{"The disk.", 2, 2, false}},
		{"nor does an import", "import Disk from '@/disk'\nimport { Raid }\n  from \"@/raid\";\n\n" + filler + "The disk. " + filler, "disk raid", 12, Passage{"The disk.", 4, 4, false}},
		{"a block of code that is cut keeps its fence", "Run:\n\n  ````sh\none two\nthree disk four\nfive six\nseven eight\n  ````\nEnd.", "disk", 22, Passage{"Run:\n\n  ````sh\n…disk four\nfive…\n````", 4, 5, false}},
		{"at its beginning", "Run:\n\n  ````sh\none two\nthree disk four\nfive six\nseven eight\n  ````\nEnd.", "one", 16, Passage{"Run:\n\n  ````sh\none two…\n````", 0, 3, false}},
		{"at its end", "Run:\n\n  ````sh\none two\nthree disk four\nfive six\nseven eight\n  ````\nEnd.", "eight", 16, Passage{"Run:\n\n  ````sh\n…eight\n  ````", 6, 7, false}},
		{"an unclosed fence", "```\na\nb", "b", 100, Passage{"```\na\nb", 0, 2, true}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, ok := Read(tc.source, wordsOf(tc.query)).Choose(tc.limit)
			if diff := cmp.Diff(tc.want, got); diff != "" || !ok {
				t.Errorf("%t (-want +got):\n%s", ok, diff)
			}
		})
	}
	for _, source := range []string{" \n\n", "<hr>\n![](disk.png)", "![A disk](a.png) ![A raid](b.png)", "import Disk from '@/disk'"} {
		if p, ok := Read(source, wordsOf("disk")).Choose(100); ok {
			t.Errorf("%q has %+v", source, p)
		}
	}
}

func TestBeyond(t *testing.T) {
	words := wordsOf("disks of the raid")
	if diff := cmp.Diff(wordsOf("of the"), words.Beyond("Raid > Disks")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(wordsOf("disks of the raid"), words); diff != "" {
		t.Errorf("the words have changed:\n%s", diff)
	}
}

func TestUnits(t *testing.T) {
	got := Units("Care:\n- Dust it. Dry it.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
	want := []Unit{
		{"Care:", 0, -1}, {"- Dust it.", 1, 0}, {"Dry it.", 1, 0}, {"| a | b |\n|---|---|", 3, -1}, {"| 1 | 2 |", 5, 3},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Readers of a page do not see its comments.
func TestCommentsAreNoUnits(t *testing.T) {
	got := Units("<!-- one\n\n24 V\n-->\nTwo.\n  <!-- three --> \nFour.\n<!-- five --> six\n<!-- no end\n")
	want := []Unit{
		{"Two.", 4, -1}, {"Four.", 6, -1}, {"<!-- five --> six", 7, -1}, {"<!-- no end", 8, -1},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestRowsOfHTML(t *testing.T) {
	const head = "<tr>\n<th>item</th>\n<th>days</th>\n</tr>"
	const one = "<tr><td>disk</td>\n\n  <td align=\"right\">30<br/>or 31</td></tr>"
	units := Units("Care.\n<table>\n<thead>\n" + head + "\n</thead>\n" + one + "\n<TR class=x>\n<td><b>tape</b></td>\n<td></td>\n</TR>\n" +
		"</table>\n<tr><td>a</td></tr> b\n<tr><td>" + strings.Repeat("long ", 500) + "\n</td></tr>\n<tr>\n<td>\n```\nc\n```\n</td>\n</tr>\n<tr>\nno end")
	var got []string
	for _, u := range units {
		got = append(got, fmt.Sprintf("%d %d %t %s", u.Line, u.Over, u.Row(), u.Sentence()))
	}
	want := []string{
		"0 -1 false Care.", "1 -1 false <table>", "2 -1 false <thead>", "3 -1 true | item | days |", "7 -1 false </thead>",
		"8 3 true | disk | 30 or 31 |", "11 3 true | tape | |", "15 -1 false </table>", "16 -1 false <tr><td>a</td></tr> b",
		"17 -1 false <tr><td>" + strings.TrimSpace(strings.Repeat("long ", 500)), "18 -1 false </td></tr>",
		"19 -1 false <tr>", "20 -1 false <td>", "21 12 false ```\nc\n```", "24 -1 false </td>", "25 -1 false </tr>", "26 -1 false <tr>",
		"27 -1 false no end",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	p, _ := Read("<table>\n"+head+"\n"+strings.Repeat("<tr><td>no</td><td>1</td></tr>\n", 9)+one+"\n</table>", wordsOf("disk")).Choose(14)
	if diff := cmp.Diff(Passage{head + "\n…\n" + one, 14, 16, false}, p); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestRowsOfHTMLAreCutBetweenTags(t *testing.T) {
	const row = "<tr>\n<td width=\"100\">one two three four</td>\n<td align=\"right\">disk five</td>\n<td class=\"no\">six seven</td>\n</tr>"
	for limit := range 40 {
		p, _ := Read(row, wordsOf("disk")).Choose(limit + 1)
		open, closed := strings.Count(p.Text, "<"), strings.Count(p.Text, ">")
		if !strings.Contains(p.Text, "disk") || open != closed || strings.HasPrefix(strings.Trim(p.Text, gap), "/") {
			t.Errorf("%d: %q", limit+1, p.Text)
		}
	}
}

func TestLinesOfJSONAreNoSentence(t *testing.T) {
	source := `{
  "fees": [
    {"code": "F-1", "amount": 2},
    {"code": "F-2", "amount": 5}
  ],
  "note" : "Fees are due,",
  "limit" : 3
}
He said, and she wrote,
"pay later" in the book.
`
	var got []string
	for _, u := range Units(source) {
		got = append(got, u.Sentence())
	}
	want := []string{"{", `"fees": [`, `{"code": "F-1", "amount": 2},`, `{"code": "F-2", "amount": 5}`, "],",
		`"note" : "Fees are due,",`, `"limit" : 3`, "}", `He said, and she wrote, "pay later" in the book.`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestPeak(t *testing.T) {
	source := strings.Repeat("a disk, ", 40) + "a raid disk. " + strings.Repeat("a disk, ", 40)
	if at, _, ok := Read(source, wordsOf("disk raid")).Peak(20); !ok || !strings.HasPrefix(source[at:], "raid") {
		t.Errorf("%d, %t", at, ok)
	}
	if _, _, ok := Read(source, wordsOf("absent")).Peak(20); ok {
		t.Error("a text without the words has a peak")
	}
	source = "A raid disk.\n\nNo.\nA raid.\nA disk.\nThe disk raid."
	part := Cut(source).Part(strings.Index(source, "No."), strings.Index(source, "The disk"), wordsOf("disk raid"))
	if at, line, ok := part.Peak(20); at != len("No.\nA raid.\nA ") || line != 2 || !ok {
		t.Errorf("of a part: %d, %d, %t", at, line, ok)
	}
}

func TestSentenceEnd(t *testing.T) {
	for line, want := range map[string]string{
		"One. Two.":               "One.",
		"e.g. this. That.":        "e.g. this.",
		"v1.2 is new. Old.":       "v1.2 is new.",
		"「終わり。」と言う。次。":            "「終わり。」と言う。",
		"（注。）本文。次。":               "（注。）本文。",
		"no end":                  "no end",
		"Really? Yes.":            "Really?",
		"閉じない「括弧。 次。":             "閉じない「括弧。 次。",
		"Mr. Smith came. He left": "Mr. Smith came.",
		"**一つ。二つ。**":              "**一つ。",
		"二つ。**":                   "二つ。**",
		`"key": "一つ。",`:           `"key": "一つ。",`,
		"一つ。**二つ**":               "一つ。",
	} {
		if got := line[:sentenceEnd(line, lastWord(line))]; got != want {
			t.Errorf("%q ends as %q, want %q", line, got, want)
		}
	}
}

// pieces are the parts of generated texts.
var pieces = []string{"disk ", "raid。", "One. ", "\n", "\n\n", "```\n", "~~~", "| a | b |\n", "|---|\n", "- item\n", "1. step\n", "「", "」", "（", ")", "\r\n", "保証", "\xff", "　", "か\u3099"}

// A passage is valid text of its source, within its limit, on the lines that it names.
func TestPassagesAreOfTheirSource(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source := strings.Join(rapid.SliceOf(rapid.SampledFrom(pieces)).Draw(t, "pieces"), "")
		check(t, source, rapid.IntRange(1, 60).Draw(t, "limit"))
	})
}

func FuzzChoose(f *testing.F) {
	f.Add("# A\n\n| a |\n|---|\n| disk |\n", 10)
	f.Add("```\nraid", 1)
	f.Fuzz(func(t *testing.T, source string, limit int) { check(t, source, max(1, limit)) })
}

func check(t interface{ Fatalf(string, ...any) }, source string, limit int) {
	p, ok := Read(source, wordsOf("disk raid 保証")).Choose(limit)
	if !ok {
		if strings.TrimSpace(source) != "" {
			t.Fatalf("nothing of %q", source)
		}
		return
	}
	source = strings.ReplaceAll(source, "\r\n", "\n")
	lines := strings.SplitAfter(source, "\n")
	if p.First < 0 || p.Last < p.First || p.Last >= len(lines) {
		t.Fatalf("%q: lines %d to %d of %d", source, p.First, p.Last, len(lines))
	}
	for piece := range strings.SplitSeq(p.Text, gap) {
		if !strings.Contains(source, strings.Trim(piece, "\n")) {
			t.Fatalf("%q does not hold %q", source, piece)
		}
	}
	if p.Whole && utf8.ValidString(source) && len(p.Text) > len(source) {
		t.Fatalf("the whole of %q is %q", source, p.Text)
	}
}

func TestSentences(t *testing.T) {
	source := "Nothing. The disk of the raid fails. A disk.\n- a raid disk\n\n| disk | raid |\n|---|---|\n| 1 | raid |\n"
	var got []string
	for _, p := range Read(source, wordsOf("disk raid")).Sentences(3, 100, 0.9) {
		got = append(got, p.Text)
	}
	if diff := cmp.Diff([]string{"The disk of the raid fails.", "- a raid disk", "| disk | raid |\n|---|---|"}, got); diff != "" {
		t.Error(diff)
	}
	if got := Read(source, wordsOf("disk raid")).Sentences(1, 100, 0); len(got) != 1 {
		t.Errorf("%d sentences, want the best", len(got))
	}
	if got := Read(" ", nil).Sentences(3, 100, 0); got != nil {
		t.Errorf("an empty text has %v", got)
	}
}

// A part has passages of its own units, with the header or lead that stands before it.
func TestPassagesOfAPart(t *testing.T) {
	source := "A topic on disks.\n\n| disk | fee |\n|---|---|\n| a | one |\n| b | two |\n\nSo:\n```\nraid one\nraid two\n```\n\nThe last disk.\n"
	text := Cut(source)
	starts := text.Starts(30)
	var got []string
	for i, from := range starts {
		to := len(source)
		if i+1 < len(starts) {
			to = starts[i+1]
		}
		p, ok := text.Part(from, to, wordsOf("disk raid")).Choose(60)
		first := strings.Count(source[:from], "\n")
		got = append(got, fmt.Sprintf("%d-%d %q %t %t", first+p.First, first+p.Last, p.Text, p.Whole, ok))
	}
	want := []string{
		`0-0 "A topic on disks." false true`,
		`2-3 "| disk | fee |\n|---|---|" false true`,
		`2-7 "| disk | fee |\n|---|---|\n| a | one |\n| b | two |\n\nSo:" false true`,
		"7-11 \"So:\\n```\\nraid one\\nraid two\\n```\" false true",
		`13-13 "The last disk." false true`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if p, ok := text.Part(len(source), len(source), wordsOf("disk")).Choose(60); ok {
		t.Errorf("an empty part has %+v", p)
	}
	if whole := text.Part(0, len(source), wordsOf("disk")); !cmp.Equal(whole, Read(source, wordsOf("disk")), cmp.AllowUnexported(Text{}, unit{})) {
		t.Error("all is not what is read")
	}
}
