package judge

import (
	"testing"

	"github.com/sagasu-search/sagasu/sdk/text"
)

func TestWhatIsAsked(t *testing.T) {
	for _, tc := range []struct {
		query     string
		amount    bool
		dimension string
		whether   bool
	}{
		{"返却は何日以内ですか", true, "time", false},
		{"一度に何冊借りられますか", true, "冊", false},
		{"開館したのは何年ですか", true, "date", false},
		{"延滞料はいくらですか", true, "", false},
		{"保証期間を教えて", true, "", false},
		{"館内で写真を撮れますか", false, "", true},
		{"当日券の有無", false, "", true},
		{"なぜ点滅しますか", false, "", false},
		{"ペットと泊まれるのはどこですか", false, "", true},
		{"How many weeks of notice are needed?", true, "time", false},
		{"how many seats", true, "", false},
		{"Is the pool heated?", false, "", true},
		{"can you tell me who runs it", false, "", false},
		{"I lost my badge, can I borrow one", false, "", true},
		{"whether smoking is allowed", false, "", true},
		{"who repairs the lift", false, "", false},
	} {
		q := question{norm: text.Fold(tc.query)}
		if got := q.asksAmount(); got != tc.amount {
			t.Errorf("%q asks for an amount: %t", tc.query, got)
		}
		if got := q.dimension(); got != tc.dimension {
			t.Errorf("%q counts %q, want %q", tc.query, got, tc.dimension)
		}
		if got := q.asksWhether(); got != tc.whether {
			t.Errorf("%q asks for yes or no: %t", tc.query, got)
		}
	}
}
