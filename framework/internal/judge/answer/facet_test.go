package answer

import (
	"slices"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/sdk/text"
)

func TestFacets(t *testing.T) {
	for query, want := range map[string]string{
		"料金はいくらですか": "amount", "提出はいつまでですか": "period date", "How wide is the door?": "size",
		"the feedback center": "", "手続きの方法を教えてください": "procedure", "何合目ですか": "limit", "What fee do I pay?": "amount",
		"料金を払った人": "", "What is the name for the cost of a policy?": "", "What is the cost of a policy?": "amount",
		"How do influenza viruses escape?": "", "how do i escape": "procedure", "復元はどれくらいの時間で終わりますか": "period",
		"Which forecasts show higher skill?": "",
	} {
		var got []string
		for _, f := range asked(text.Fold(query)) {
			got = append(got, f.name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q asks for %q, want %q", query, got, want)
		}
	}
	period := facets()[0]
	for s, want := range map[string]bool{
		"30日以内": true, "within twenty minutes": true, "room 12 is free": false, "it costs $ 3.50": false, "随時": true,
	} {
		if got := period.given(text.Fold(s)); got != want {
			t.Errorf("%q gives a period: %t", s, got)
		}
	}
	for _, tc := range []struct{ query, said, want string }{
		{"How often is it cleaned?", "Once after each tour.", "period"},
		{"How long does it take?", "Once it is deleted it is gone.", ""},
		{"What is the phone number?", "Dial 555-0172.", "contact"},
		{"What is the phone number?", "Open 13:00-15:00.", ""},
		{"When are files restored?", "Deleted files may be retrieved.", ""},
		{"When are files restored?", "Files are restored in May.", "date"},
		{"When is it due?", "Payment is due on May 3.", "date"},
		{"How do I stop it?", "Turn the lever.", "procedure"},
		{"How do I stop it?", "Levers do not turn by themselves.", ""},
	} {
		if got := KindOf(tc.query, tc.said); got != tc.want {
			t.Errorf("%q to %q gives %q, want %q", tc.said, tc.query, got, tc.want)
		}
	}
}

func TestAWordForAFacetIsNoThing(t *testing.T) {
	for _, g := range judge(t, input("停電したときの連絡先の電話番号を知りたい", "停電 | 停電したときは、懐中電灯をお使いください。")).Gaps {
		if slices.Contains(g.Terms, "連絡先") {
			t.Errorf("missing %v", g.Terms)
		}
	}
}
