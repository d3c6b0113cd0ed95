package text

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSkeleton(t *testing.T) {
	for norm, want := range map[string]string{
		"払い戻しの手続き": "払戻の手続", "払戻": "払戻", "打ち合わせ済み": "打合済", "駅に行く": "駅に行く", "見て来る": "見て来る",
		"立て替え": "立替", "確認し実行": "確認し実行", "話し合い": "話合", "適用され次第": "適用され次第", "い戻": "い戻", "": "",
		"abcし戻": "abcし戻", "乗り換え・乗換え": "乗換・乗換", "東京の空": "東京の空", "支払われない": "支払われない", "戻しの": "戻しの",
		"連れて宿泊": "連れて宿泊", "初めて人類": "初めて人類", "音が出ない場合": "音が出ない場合", "組み立て方": "組立方",
	} {
		if got := Skeleton(norm); got != want {
			t.Errorf("%s gave %s, want %s", norm, got, want)
		}
	}
}

// A skeleton only leaves out hiragana, and the skeleton of a skeleton is the same.
func TestSkeletonLeavesOutKana(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		norm := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"払", "い", "戻", "し", "わ", "せ", "て", "の", "ア", "a", " "})).Draw(t, "norm"), "")
		kana := func(s string) string { return strings.Trim(strings.Map(dropHiragana, s), "") }
		if s := Skeleton(norm); kana(s) != kana(norm) || len(s) > len(norm) {
			t.Errorf("%q gave %q", norm, s)
		}
	})
}

func dropHiragana(r rune) rune {
	if IsHiragana(string(r)) {
		return -1
	}
	return r
}

// Callers find the words of a family by their first letters.
func TestFamiliesBeginAlike(t *testing.T) {
	for other, stem := range families() {
		shared := min(2, len(stem)-1)
		if len(stem) <= 3 {
			shared = 1
		}
		if !strings.HasPrefix(other, stem[:shared]) || families()[stem] != "" {
			t.Errorf("%s is counted as %s", other, stem)
		}
	}
	for word, want := range map[string]string{"suspensions": "suspend", "revoking": "revok", "revocation": "revok", "children": "child"} {
		if got := Stem(word); got != want {
			t.Errorf("%s has the stem %s, want %s", word, got, want)
		}
	}
}
