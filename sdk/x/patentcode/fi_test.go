package patentcode

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestNormFI(t *testing.T) {
	for _, tc := range []struct {
		code       string
		norm, full string
	}{
		{"G06V10/82", "G06V10/82", "G06V10/82"},
		{"G06V10/82A", "G06V10/82", "G06V10/82A"},
		{"H04N5/232 Z", "H04N5/232", "H04N5/232@Z"},
		{"H04N5/232@Z", "H04N5/232", "H04N5/232@Z"},
		{"H04N5/232A@Z", "H04N5/232", "H04N5/232A@Z"},
		{"G06F3/041,330A", "G06F3/041,330", "G06F3/041,330A"},
		{"G06F  3/041  330 B", "G06F3/041,330", "G06F3/041,330@B"},
		{" ｇ０６ｖ４０／１６ ", "G06V40/16", "G06V40/16"},
		{"G06V", "G06V", "G06V"},
	} {
		t.Run(tc.code, func(t *testing.T) {
			norm, full := NormFI(tc.code)
			if norm != tc.norm || full != tc.full {
				t.Errorf("NormFI = %q, %q, want %q, %q", norm, full, tc.norm, tc.full)
			}
		})
	}
}

func TestTwinFI(t *testing.T) {
	for code, want := range map[string]string{
		"H05K7/20B": "H05K7/20@B", "H05K7/20@B": "H05K7/20B", "G06T7/00,350C": "G06T7/00,350@C", "G06T7/00,350@C": "G06T7/00,350C",
		"H05K7/20": "", "H05K7/20A@B": "", "H05K": "", "5B089AA01": "",
	} {
		if got := TwinFI(code); got != want {
			t.Errorf("TwinFI(%s) = %q, want %q", code, got, want)
		}
	}
}

func TestWhatIsNoFIStaysWhole(t *testing.T) {
	for code, want := range map[string]string{"": "", "G06": "G06", "5B089AA01": "5B089AA01", "g06v10/": "G06V10/", "G06V10/82AB": "G06V10/82AB", "Z99Z1/00": "Z99Z1/00"} {
		if norm, full := NormFI(code); norm != want || full != want {
			t.Errorf("NormFI(%q) = %q, %q", code, norm, full)
		}
	}
}

func TestNormIsItsOwnNorm(t *testing.T) {
	code := rapid.StringMatching(`[A-H][0-9]{2}[A-Z]( ?[0-9]{1,3}/[0-9]{2,4}(,[0-9]{3})?[A-Z]?(@[A-Z]| [A-Z])?)?`)
	rapid.Check(t, func(t *rapid.T) {
		fi, full := NormFI(code.Draw(t, "code"))
		if strings.Contains(full, " ") {
			t.Fatalf("%q was not read", full)
		}
		if norm, again := NormFI(full); norm != fi || again != full {
			t.Fatalf("%s was read as %s, its norm as %s and not %s", full, again, norm, fi)
		}
		if norm, again := NormFI(fi); norm != fi || again != fi {
			t.Fatalf("the norm of %s is %s and its full form %s", fi, norm, again)
		}
	})
}

func FuzzNormFI(f *testing.F) {
	for _, seed := range []string{"G06V10/82A", "G06F3/041,330@B", "", "\xff", "Ｇ０６Ｖ"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, code string) {
		norm, full := NormFI(code)
		if n, _ := NormFI(full); n != norm {
			t.Errorf("the norm of %q is %q, of its full form %q it is %q", code, norm, full, n)
		}
	})
}
