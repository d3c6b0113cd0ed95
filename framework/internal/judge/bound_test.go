package judge

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/sdk/text"
)

func folded(in string) *sentence {
	s := &sentence{norm: text.Fold(in)}
	s.sift()
	return s
}

func TestAmounts(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"営業時間：10時～18時", "clock 600-1080"},
		{"breakfast from 7 to 10 a.m.", "clock 420-600"},
		{"by 31 March", "date 331"},
		{"締め切りは10月31日です", "date 1031"},
		{"closed on Mondays", "weekday 1"},
		{"Python 3.11 or later", "version 3011"},
		{"listens on port 8080.", "number 8080"},
		{"試用期間は半年です", "time 15759360"},
		{"sent quarterly", "time 7879680"},
		{"half of the price", "percent 50"},
		{"2℃から8℃で保管", "celsius 2-8"},
		{"error 404 on page 3", ""},
	} {
		var got []string
		for _, q := range folded(tc.in).amounts() {
			a := fmt.Sprintf("%s %.0f", q.unit.dimension, q.value*q.unit.factor)
			if q.role == span {
				a += fmt.Sprintf("-%.0f", q.high)
			}
			got = append(got, a)
		}
		if s := strings.Join(got, "; "); s != tc.want {
			t.Errorf("%s: %q, want %q", tc.in, s, tc.want)
		}
	}
}

// A number beyond which something is refused is a bound; in a condition it is none.
func TestBoundsOfRefusals(t *testing.T) {
	for _, tc := range []struct {
		in   string
		want role
	}{
		{"20MBを超えると送信できません", most}, {"損害が200万円を超えたとき", loose}, {"10歳未満は参加できません", least},
		{"Files larger than 25 MB are rejected", most}, {"If it takes more than 3 days, call us", loose}, {"Never put more than 15 kg on it", most},
		{"約3時間", about}, {"平均3日", loose}, {"The link expires after 24 hours", exact},
	} {
		found := folded(tc.in).amounts()
		if len(found) != 1 || found[0].role != tc.want {
			t.Errorf("%s: %+v, want role %d", tc.in, found, tc.want)
		}
	}
}

func TestPoles(t *testing.T) {
	for _, tc := range []struct {
		in   string
		want int
	}{
		{"送料は無料です", -1}, {"送料は500円です", 1}, {"送料はかかりません", -1}, {"月曜日は休館です", -2}, {"telemetry is not enabled by default", -3},
		{"the option is disabled by default", -3}, {"朝食が含まれます", 4}, {"税抜で表示", -4}, {"breakfast is not included", -4}, {"押します", 0},
	} {
		s := folded(tc.in)
		if got := polarity(s, &stance{text: s.norm}); got != tc.want {
			t.Errorf("%s: pole %d, want %d", tc.in, got, tc.want)
		}
	}
}

func TestSentencesThatLead(t *testing.T) {
	for in, want := range map[string]bool{"次のいずれかに該当する場合、支払います。": true, "We pay in the following cases": true, "You need:": true, "支払います。": false} {
		if folded(in).leads() != want {
			t.Errorf("%s: leads %v", in, !want)
		}
	}
}
