package text

import (
	"strings"
	"testing"
)

// samples are texts of about 64 KiB, each in one style.
var samples = []struct{ name, text string }{
	{"ascii", repeat("The policy does not cover damage caused by wear and tear, unless the insured has paid\nthe additional premium. See getUserName() in section 3.5 for E1234 and foo-bar.\n\n")},
	{"japanese", repeat("第三条 保険契約者は、契約の締結に際し、危険に関する重要な事項のうち当社が告知を求めたものについて、\n事実の告知をしなければならない。ただし、サーバーの障害による場合はこの限りでない。\n")},
	{"mixed", repeat("## ３．ＡＰＩの設定（必須）\n\n「Retry-After」ヘッダーを 1,000 ms に設定し、`config.json` の timeout を確認してください。\n\n- エラー E1234：接続できない\n")},
	{"latin", repeat("Le café où l’été s’achève – « déjà vu » naïve Übergröße straße señor mañana.\n")},
}

func repeat(s string) string { return strings.Repeat(s, 1<<16/len(s)) }

func BenchmarkNormalize(b *testing.B) {
	for _, s := range samples {
		b.Run(s.name, func(b *testing.B) {
			b.SetBytes(int64(len(s.text)))
			b.ReportAllocs()
			for b.Loop() {
				Normalize(s.text)
			}
		})
	}
}

func BenchmarkFold(b *testing.B) {
	for _, s := range samples {
		b.Run(s.name, func(b *testing.B) {
			b.SetBytes(int64(len(s.text)))
			b.ReportAllocs()
			for b.Loop() {
				Fold(s.text)
			}
		})
	}
}

func BenchmarkTokens(b *testing.B) {
	for _, s := range samples {
		b.Run(s.name, func(b *testing.B) {
			var z Tokenizer
			n := Normalize(s.text)
			b.SetBytes(int64(len(s.text)))
			b.ReportAllocs()
			for b.Loop() {
				for range z.Tokens(&n) {
				}
			}
		})
	}
}

func BenchmarkSkeleton(b *testing.B) {
	for _, s := range samples {
		b.Run(s.name, func(b *testing.B) {
			norm := Fold(s.text)
			b.SetBytes(int64(len(norm)))
			for b.Loop() {
				Skeleton(norm)
			}
		})
	}
}

func BenchmarkRuns(b *testing.B) {
	for _, s := range samples {
		b.Run(s.name, func(b *testing.B) {
			n := Normalize(s.text)
			b.SetBytes(int64(len(s.text)))
			for b.Loop() {
				for range Runs(&n) {
				}
			}
		})
	}
}

func BenchmarkIndexLoose(b *testing.B) {
	for _, s := range samples {
		b.Run(s.name, func(b *testing.B) {
			norm := Fold(s.text) + "。損害-填補 の 範囲"
			b.SetBytes(int64(len(norm)))
			for b.Loop() {
				IndexLoose(norm, "損害填補の範囲")
			}
		})
	}
}
