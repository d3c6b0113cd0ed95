package text

import (
	"strings"
	"testing"
)

func TestSource(t *testing.T) {
	for _, tc := range []struct{ src, find, want string }{
		{"第三条の二", "3", "三"},
		{"第三条の二", "第3条", "第三条"},
		{"新しいサーバーへ", "サーバ", "サーバー"},
		{"ＡＢＣ", "b", "Ｂ"},
		{"a  \n b", "a b", "a  \n b"},
		{"a  \n b", " ", "  \n "},
		{"  x  ", "x", "x"},
		{"計1,000円", "1000", "1,000"},
		{"計1,000円", "00", "1,000"},
		{"10㎏未満", "k", "㎏"},
		{"cafe\u0301!", "e", "e\u0301"},
		{"Übergröße", "o", "ö"},
		{"q\u0304x", "q", "q\u0304"},
		{"soft\u00ADware", "software", "soft\u00ADware"},
		{"ヴァイオリン", "バ", "ヴァ"},
		{"ｶﾞｽ", "ガ", "ｶﾞ"},
		{"３ヶ月", "3か月", "３ヶ月"},
		{"１，００㋀の", "月", "１，００㋀"},
	} {
		n := Normalize(tc.src)
		i := strings.Index(n.Norm, tc.find)
		if i < 0 {
			t.Errorf("%q does not hold %q", n.Norm, tc.find)
			continue
		}
		if a, b := n.Source(i, i+len(tc.find)); tc.src[a:b] != tc.want {
			t.Errorf("source of %q in %q is %q, want %q", tc.find, tc.src, tc.src[a:b], tc.want)
		}
	}
}

func TestSourceOfNothing(t *testing.T) {
	n := Normalize("  ab")
	for _, at := range []int{0, 1, 2} {
		if a, b := n.Source(at, at); a != b || a != at+2 {
			t.Errorf("Source(%d, %d) = %d, %d", at, at, a, b)
		}
	}
	if a, b := n.Source(2, 1); a != 4 || b != 4 {
		t.Errorf("Source(2, 1) = %d, %d", a, b)
	}
	empty := Normalize("")
	if a, b := empty.Source(0, 0); a != 0 || b != 0 {
		t.Errorf("source of nothing is %d, %d", a, b)
	}
}

func TestSourceInsideCharacter(t *testing.T) {
	n := Normalize("Ａ日本")
	if a, b := n.Source(2, 5); a != 3 || b != 9 {
		t.Errorf("Source(2, 5) = %d, %d, want whole characters 3, 9", a, b)
	}
}
