package dict

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/japanese"
)

// smallEDICT is written in the format of EDICT.
const smallEDICT = `　？？？ /A header/Created: today/
保険 [ほけん] /(n,adj-no) (1) insurance/(2) guarantee/(P)/EntL1234567X/
保証;保證(oK) [ほしょう] /(n,vs) (1) guarantee/(2) (arch) pledge/warranty (written) {law}/
払う [はらう] /(v5u,vt) (1) (See 支払う) to pay (e.g. money)/(P)/
蜜柑 [みかん] /(n) (uk) mandarin orange/(P)/
々 /(unc) "々"/
長い文 /(exp) this gloss holds more words than any text would say in one breath/
`

func TestEDICT(t *testing.T) {
	eucJP, err := japanese.EUCJP.NewEncoder().String(smallEDICT)
	if err != nil {
		t.Fatal(err)
	}
	want := Translations{
		"保険": {"insurance", "guarantee"}, "保証": {"guarantee"}, "保證": {"guarantee"}, "払う": {"pay"},
		"蜜柑": {"mandarin orange"}, "みかん": {"mandarin orange"},
		"insur": {"保険"}, "guarante": {"保険", "保証", "保證"}, "pay": {"払う"}, "mandarin orang": {"蜜柑", "みかん"},
	}
	for name, src := range map[string]string{
		"UTF-8": smallEDICT, "EUC-JP": eucJP, "with a byte order mark": "\uFEFF" + smallEDICT,
		"without a header": smallEDICT[strings.Index(smallEDICT, "\n")+1:],
		"with CRLF":        strings.ReplaceAll(smallEDICT, "\n", "\r\n"),
	} {
		got, skipped, err := EDICT(strings.NewReader(src))
		if diff := cmp.Diff(want, got); err != nil || diff != "" || skipped != 2 {
			t.Errorf("%s: %v, %d skipped\n%s", name, err, skipped, diff)
		}
	}
}

func TestEDICTMistakes(t *testing.T) {
	for src, want := range map[string]string{
		"":                           "no word",
		"保険 [ほけん]\n":                 "line 1 is not",
		smallEDICT + "nonsense\n":    "line 8 is not",
		"保険 /(n) insurance/\n\xff\n": "neither UTF-8 nor EUC-JP",
		"保険 /(n) insurance/\n々 /mar": "line 2 is not",
	} {
		_, _, err := EDICT(strings.NewReader(src))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", src, err)
		}
	}
}

func TestEDICTEntriesWithoutGloss(t *testing.T) { // Debian's file has some
	src := "保険 /(n) insurance/\n４° [しど] /\n々 /\n"
	if _, skipped, err := EDICT(strings.NewReader(src)); err != nil || skipped != 2 {
		t.Errorf("%d skipped, %v", skipped, err)
	}
}

func FuzzEDICT(f *testing.F) {
	f.Add([]byte(smallEDICT))
	f.Add([]byte("#犬;猫；　b [x] /(n) dog/cat; b/\n犬 /dog/\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		all, _, err := EDICT(bytes.NewReader(src))
		if err != nil {
			return
		}
		reads(t, all)
	})
}

// reads checks that a translation file reads back as it was written.
func reads(t *testing.T, all Translations) {
	t.Helper()
	var out bytes.Buffer
	if err := all.Write(&out, "a comment\nof two lines"); err != nil {
		t.Fatal(err)
	}
	if n, err := CheckBilingual("f", bytes.NewReader(out.Bytes())); err != nil || n != len(all) {
		t.Fatalf("%d of %d keys, %v", n, len(all), err)
	}
	b, err := OpenBilingual(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range all {
		if got, _ := b.Find(key); !cmp.Equal(want, got) {
			t.Fatalf("%q: %q instead of %q", key, got, want)
		}
	}
}
