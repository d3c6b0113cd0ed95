package loanword

import "testing"

func TestLoanwordsSoundLikeTheirOrigins(t *testing.T) {
	tests := []struct{ kana, english string }{
		{"リード", "lead"}, {"テンプレート", "template"}, {"レポート", "report"}, {"エクスポート", "export"}, {"ステータス", "status"},
		{"アセスメント", "assessment"}, {"アナリティクス", "analytics"}, {"サービス", "service"}, {"ユーザー", "user"}, {"エラー", "error"},
		{"サーバー", "server"}, {"データ", "data"}, {"プロンプト", "prompt"}, {"テナント", "tenant"}, {"ダッシュボード", "dashboard"},
		{"インテグレーション", "integration"}, {"トラッキング", "tracking"}, {"コンポーネント", "component"}, {"メッセージ", "message"},
		{"ページ", "page"}, {"ファイル", "file"}, {"テーブル", "table"}, {"モデル", "model"}, {"イベント", "event"}, {"メール", "mail"},
		{"チケット", "ticket"}, {"クエリ", "query"}, {"オーダー", "order"}, {"ロギング", "logging"}, {"ビジネス", "business"},
		{"フィールド", "field"}, {"スコア", "score"}, {"システム", "system"}, {"スキーマ", "schema"}, {"ウェブ", "web"},
	}
	for _, tt := range tests {
		jp, en := OfKana(tt.kana), OfEnglish(tt.english)
		if jp.Key != en.Key {
			t.Errorf("%s %+v, %s %+v", tt.kana, jp, tt.english, en)
		}
	}
}

func TestVowelsTellShortWordsApart(t *testing.T) {
	const least = .5
	lead := OfKana("リード")
	for word, want := range map[string]bool{"lead": true, "read": true, "road": false, "loud": false} {
		if said := OfEnglish(word); said.Key != lead.Key || (lead.Alike(said) >= least) != want {
			t.Errorf("%s %+v: alike %v", word, said, lead.Alike(said))
		}
	}
}

func TestTheLastVowelIsSpokenWhereItIsLong(t *testing.T) {
	for _, tt := range []struct{ kana, same, other string }{
		{"タクシー", "taxi", "tax"}, {"タクシ", "taxi", "tax"}, {"ポリシ", "policy", "polls"}, {"ティ", "tea", "at"},
	} {
		said := OfKana(tt.kana)
		if same := OfEnglish(tt.same); said != same {
			t.Errorf("%s %+v, %s %+v", tt.kana, said, tt.same, same)
		}
		if other := OfEnglish(tt.other); said.Key == other.Key && said.Near(other) > 0.5 {
			t.Errorf("%s %+v is near %s %+v", tt.kana, said, tt.other, other)
		}
	}
	for kana, english := range map[string]string{"ページ": "page", "ベンチ": "bench", "ケーキ": "cake"} {
		if said, same := OfKana(kana), OfEnglish(english); said != same {
			t.Errorf("%s %+v, %s %+v", kana, said, english, same)
		}
	}
}

func TestOtherWritingHasNoSound(t *testing.T) {
	for _, word := range []string{"", "漢字", "ひらがな", "リード文", "abc"} {
		if s := OfKana(word); s.Key != "" {
			t.Errorf("%s %+v", word, s)
		}
	}
}
