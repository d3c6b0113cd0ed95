package publication

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestParseFI(t *testing.T) {
	for _, tc := range []struct {
		code       string
		want       FI
		norm, full string
	}{
		{"G06V10/82", FI{Subclass: "G06V", MainGroup: "10", Subgroup: "82"}, "G06V10/82", "G06V10/82"},
		{"G06V10/82A", FI{Subclass: "G06V", MainGroup: "10", Subgroup: "82", Edition: "A"}, "G06V10/82", "G06V10/82A"},
		{"H04N5/232 Z", FI{Subclass: "H04N", MainGroup: "5", Subgroup: "232", Split: "Z"}, "H04N5/232", "H04N5/232@Z"},
		{"H04N5/232@Z", FI{Subclass: "H04N", MainGroup: "5", Subgroup: "232", Split: "Z"}, "H04N5/232", "H04N5/232@Z"},
		{"H04N5/232A@Z", FI{Subclass: "H04N", MainGroup: "5", Subgroup: "232", Edition: "A", Split: "Z"}, "H04N5/232", "H04N5/232A@Z"},
		{"G06F3/041,330A", FI{Subclass: "G06F", MainGroup: "3", Subgroup: "041", Expansion: "330", Edition: "A"}, "G06F3/041,330", "G06F3/041,330A"},
		{"G06F  3/041  330 B", FI{Subclass: "G06F", MainGroup: "3", Subgroup: "041", Expansion: "330", Split: "B"}, "G06F3/041,330", "G06F3/041,330@B"},
		{" ｇ０６ｖ４０／１６ ", FI{Subclass: "G06V", MainGroup: "40", Subgroup: "16"}, "G06V40/16", "G06V40/16"},
		{"G06V", FI{Subclass: "G06V"}, "G06V", "G06V"},
	} {
		t.Run(tc.code, func(t *testing.T) {
			got, ok := ParseFI(tc.code)
			if diff := cmp.Diff(tc.want, got); !ok || diff != "" {
				t.Errorf("ok %v: %s", ok, diff)
			}
			norm, full := NormFI(tc.code)
			if norm != tc.norm || full != tc.full {
				t.Errorf("NormFI = %q, %q, want %q, %q", norm, full, tc.norm, tc.full)
			}
		})
	}
}

func TestWhatIsNoFIStaysWhole(t *testing.T) {
	for code, want := range map[string]string{"": "", "G06": "G06", "5B089AA01": "5B089AA01", "g06v10/": "G06V10/", "G06V10/82AB": "G06V10/82AB", "Z99Z1/00": "Z99Z1/00"} {
		if fi, ok := ParseFI(code); ok {
			t.Errorf("%q was read as %+v", code, fi)
		}
		if norm, full := NormFI(code); norm != want || full != want {
			t.Errorf("NormFI(%q) = %q, %q", code, norm, full)
		}
	}
}

func TestNormIsItsOwnNorm(t *testing.T) {
	code := rapid.StringMatching(`[A-H][0-9]{2}[A-Z]( ?[0-9]{1,3}/[0-9]{2,4}(,[0-9]{3})?[A-Z]?(@[A-Z]| [A-Z])?)?`)
	rapid.Check(t, func(t *rapid.T) {
		fi, ok := ParseFI(code.Draw(t, "code"))
		if !ok {
			t.Fatal("not read")
		}
		if again, ok := ParseFI(fi.String()); !ok || again != fi {
			t.Fatalf("%v was written %s and read as %v", fi, fi, again)
		}
		if norm, full := NormFI(fi.Norm()); norm != fi.Norm() || full != norm {
			t.Fatalf("the norm of %s is %s and its full form %s", fi.Norm(), norm, full)
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
