package evidence

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
		jp, en := soundOfKana(tt.kana), soundOfEnglish(tt.english)
		if jp.key != en.key {
			t.Errorf("%s %+v, %s %+v", tt.kana, jp, tt.english, en)
		} else {
			t.Logf("%s %s %+v %+v %.2f", tt.kana, tt.english, jp, en, jp.alike(en))
		}
	}
}
