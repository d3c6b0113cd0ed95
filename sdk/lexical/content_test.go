package lexical_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

// The terms that score are those of the snapshot, in whatever form the query has them.
func TestBagOfForms(t *testing.T) {
	snap := sdktest.Snapshot(t, sdktest.Section{Heading: "RAID 1", Body: "RAID5 を 引っ越し 取付けの サーバルームの クシ タクト A 4 revoked raid"})
	for _, tc := range []struct {
		name, query string
		want        []string
	}{
		{"a name with its number", "raid1", []string{"raid", "raid1"}},
		{"okurigana", "引っ越し", []string{"引", "引越", "越"}},
		{"no okurigana", "引越", []string{"引", "引越", "越"}},
		{"okurigana at the end", "取り付け", []string{"付", "取", "取付"}},
		{"a particle between words", "raid の raid", []string{"raid"}},
		{"a particle by itself", "の", []string{"の"}},
		{"katakana of no text", "タクシー", nil},
		{"prolonged sounds", "ーーーー", nil},
		{"katakana of a text", "サーバークライアント", []string{"ク", "サ", "サー", "ト", "バ", "ー", "ーバ"}},
		{"a family", "revocation", []string{"revok"}},
	} {
		var got []string
		for _, term := range lexical.NewBag(snap, &sdk.Query{Text: tc.query}, lexical.Weights{CommonKana: 1}).Terms {
			got = append(got, term.Text)
		}
		slices.Sort(got)
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}

func TestALoneKatakanaWordNeedsMoreThanAPiece(t *testing.T) {
	body := "ジャンプ中のストーリー、カスタムトランジションとコンポーネント、スイッチとライフサイクルとリセット用のボタンとサーバルーム"
	snap := sdktest.Snapshot(t, sdktest.Section{Heading: "raid", Body: body})
	for query, want := range map[string]bool{
		"シャンプー": false, "ストーブ": false, "マンション": false, "サンドイッチ": false,
		"シャンプー raid": true,                                                    // other words may be found
		"ライフサイク":     true, "トランジッション": true, "コンポネント": true, "ライスサイクル": true, // typos
		"ボタン": true, "リセットボタン": true, "ボタンクリック": true, "サーバークライアント": true, // parts
	} {
		bag := lexical.NewBag(snap, &sdk.Query{Text: query}, lexical.Weights{CommonKana: 1})
		if got := len(bag.Terms) > 0; got != want {
			t.Errorf("%s: has terms %v, want %v", query, got, want)
		}
	}
}
