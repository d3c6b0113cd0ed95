package dict

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestSudachi(t *testing.T) {
	want := []Entry{
		{To: []string{"返金", "払い戻し"}},
		{From: []string{"返金", "払い戻し"}, To: []string{"返し金"}},
		{From: []string{"約束"}, To: []string{"取り決め"}},
	}
	for name, src := range map[string]string{
		"csv": "900001,1,0,1,0,0,0,(),返金,,\n900001,1,0,2,0,0,0,(),払い戻し,,\n900001,1,1,3,0,0,0,(),返し金,,\n900001,1,2,3,0,0,0,(),変金,,\n\n" +
			"900002,1,0,1,0,0,0,(),約束,,\n900002,1,1,2,0,0,0,(),取り決め,,\n\n900003,1,,1,0,0,0,(),#9,,\n",
		"json": `[{"id":"900001","items":[{"expandControl":0,"midashi":"返金"},{"expandControl":0,"midashi":"払い戻し"},
			{"expandControl":1,"midashi":"返し金"},{"expandControl":2,"midashi":"変金"}]},
			{"id":"900002","items":[{"midashi":"約束"},{"expandControl":1,"midashi":"取り決め"}]},{"id":"900003","items":[{"midashi":"#9"}]}]`,
	} {
		got, skipped, err := Sudachi(strings.NewReader(src))
		if diff := cmp.Diff(want, got); err != nil || diff != "" || skipped != 1 {
			t.Errorf("%s: %v, %d skipped\n%s", name, err, skipped, diff)
		}
	}
}

func TestSudachiMistakes(t *testing.T) {
	for src, want := range map[string]string{
		"1,1,0\n": "line 1: 3 columns",
		"1,1,0,1,0,0,0,(),a,,\n1,1,x,1,0,0,0,(),b,,\n": `line 2: column 3 is "x"`,
		`[{"items":[]}, {"items":3}]`:                  "group 2",
		`[{"items":[]}`:                                "after group 1",
	} {
		if _, _, err := Sudachi(strings.NewReader(src)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", src, err)
		}
	}
}

// wordNet returns a database with one more line in its noun file.
func wordNet(noun string) fstest.MapFS {
	const licence = "  1 A licence stands here.\n"
	return fstest.MapFS{
		"data.noun": {Data: []byte(licence + "00000010 04 n 02 car 0 motor_car 0 000 | a vehicle\n00000020 04 n 01 tree 0 000 | a plant\n" + noun)},
		"data.verb": {Data: []byte(licence + "00000010 30 v 02 repair 0 mend 1 001 @ 00000020 v 0000 01 + 08 00 | put right\n")},
		"data.adj":  {Data: []byte(licence + "00000010 00 a 02 awake(p) 0 wide-awake 0 000 | not asleep\n")},
		"data.adv":  {Data: []byte(licence)},
	}
}

func TestWordNet(t *testing.T) {
	got, skipped, err := WordNet(wordNet(""))
	want := []Entry{{To: []string{"car", "motor car"}}, {To: []string{"repair", "mend"}}, {To: []string{"awake", "wide-awake"}}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" || skipped != 0 {
		t.Errorf("%v, %d skipped\n%s", err, skipped, diff)
	}
}

func TestWordNetMistakes(t *testing.T) {
	for _, line := range []string{"nonsense\n", "1 2 n zz a 0\n", "1 2 n 09 a 0\n", "1 2 n 00\n"} {
		if _, _, err := WordNet(wordNet(line)); err == nil || !strings.Contains(err.Error(), "data.noun:4: not a line") {
			t.Errorf("%q: %v", line, err)
		}
	}
	missing := wordNet("")
	delete(missing, "data.adv")
	if _, _, err := WordNet(missing); err == nil || !strings.Contains(err.Error(), "data.adv") {
		t.Error(err)
	}
}

func FuzzImports(f *testing.F) {
	f.Add([]byte("1,1,0,1,0,0,0,(),a,,\n1,1,1,1,0,0,0,(),b,,\n"))
	f.Add([]byte(`[{"items":[{"midashi":"a"},{"midashi":"b"}]}]`))
	f.Add([]byte("00000010 04 n 02 a 0 b 0 000 | gloss\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		fromSudachi, _, _ := Sudachi(strings.NewReader(string(src)))
		fromWordNet, _, _ := WordNet(fstest.MapFS{"data.noun": {Data: src}, "data.verb": {}, "data.adj": {}, "data.adv": {}})
		for _, entries := range [][]Entry{fromSudachi, fromWordNet} {
			var out strings.Builder
			if err := WriteSynonyms(&out, "", entries); err != nil {
				t.Fatal(err)
			}
			if got, err := ParseSynonyms("f.txt", []byte(out.String())); err != nil || len(got) != len(entries) {
				t.Errorf("what was imported cannot be read: %v", err)
			}
		}
	})
}
