package dict

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestFind(t *testing.T) {
	file := "# made by hand\nbase class\t基底クラス\nbased\t基づく; 基\nclass\tクラス\n保険\tinsurance; guarantee\n"
	b, err := OpenBilingual(strings.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]struct {
		values []string
		longer bool
	}{
		"base":       {nil, true},
		"base class": {[]string{"基底クラス"}, false},
		"based":      {[]string{"基づく", "基"}, false},
		"保":          {nil, true},
		"保険":         {[]string{"insurance", "guarantee"}, false},
		"a":          {nil, false},
		"龘":          {nil, false},
		"":           {nil, true},
	} {
		values, longer := b.Find(key)
		if !cmp.Equal(values, want.values) || longer != want.longer {
			t.Errorf("%q: %q, %v", key, values, longer)
		}
	}
}

func TestFileOfManyBlocksFindsEachKey(t *testing.T) {
	word := rapid.StringMatching(`[a-z]{1,8}( [a-z]{1,8})?|[一-十ァ-タ]{1,5}`)
	rapid.Check(t, func(t *rapid.T) {
		all := Translations{}
		for i, w := range rapid.SliceOfN(word, 1, 60).Draw(t, "words") {
			all[w] = []string{strings.Repeat(w, 1+i%50), fmt.Sprint(i)}
		}
		var out strings.Builder
		if err := all.Write(&out, ""); err != nil {
			t.Fatal(err)
		}
		b, err := OpenBilingual(strings.NewReader(out.String()), int64(out.Len()))
		if err != nil {
			t.Fatal(err)
		}
		for key := range all {
			for end := range len(key) {
				if _, longer := b.Find(key[:end]); !longer {
					t.Fatalf("%q is not known to begin %q", key[:end], key)
				}
			}
			if got, _ := b.Find(key); !cmp.Equal(got, all[key]) {
				t.Fatalf("%q: %q", key, got)
			}
		}
	})
}

// torn is a file that can no longer be read.
type torn struct{ io.ReaderAt }

func (t *torn) ReadAt([]byte, int64) (int, error) { return 0, errors.New("torn") }

func TestTornFile(t *testing.T) {
	if _, err := OpenBilingual(&torn{}, 10); err == nil {
		t.Error("no error")
	}
	if _, err := OpenBilingual(strings.NewReader(""), MaxBilingualBytes+1); err == nil {
		t.Error("a file of any size opens")
	}
	const file = "a\tb\n"
	b, err := OpenBilingual(strings.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	b.file = &torn{}
	if got, longer := b.Find("a"); got != nil || longer {
		t.Errorf("%q, %v", got, longer)
	}
}

func TestCheckBilingual(t *testing.T) {
	for src, want := range map[string]string{
		"# a comment\na\tb; c\nb\td\n":     "",
		"a b\n":                            "f:1: not a word",
		"a\t\n":                            "f:1: not a word",
		"a\tb\n\xff\tc\n":                  "f:2: not a word",
		"b\tc\na\tb\n":                     `f:2: "a" does not come behind "b"`,
		"a\tb\na\tc\n":                     `f:2: "a" does not come behind "a"`,
		"a\t" + strings.Repeat("b", 1<<20): "f:1: cannot be read",
	} {
		_, err := CheckBilingual("f", strings.NewReader(src))
		if got := fmt.Sprint(err); want == "" && err != nil || !strings.Contains(got, want) {
			t.Errorf("%.20q: %v", src, err)
		}
	}
}

func TestPairs(t *testing.T) {
	got := Pairs([]Entry{
		{To: []string{"返金", "払い戻し", "refund"}},
		{From: []string{"paid leave"}, To: []string{"有給休暇", "holiday"}},
	})
	want := Translations{"返金": {"refund"}, "払い戻し": {"refund"}, "refund": {"返金", "払い戻し"}, "paid leav": {"有給休暇"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
