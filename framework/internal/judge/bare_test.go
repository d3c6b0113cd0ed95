package judge

import (
	"testing"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/text"
)

func TestBareQueries(t *testing.T) {
	for query, want := range map[string]bool{
		"5,000円": true, "100万円": true, "30 days": true, "別表１": true, "第7条": true, "Appendix Z": true, "": true,
		"1回の事故": false, "30日以内の返品": false, "別表1の限度額": false, "days": false, "2 plans of travel": false, "返品": false,
	} {
		norm := text.Fold(query)
		q := question{norm: norm, things: thingsOf(&sdk.Query{}, norm)}
		if got := q.bare(); got != want {
			t.Errorf("%s: %t", query, got)
		}
	}
}

func TestABareAmountHasNothingToDisagreeOn(t *testing.T) {
	texts := []string{"The deposit for a locker is 20 dollars.", "The deposit for a locker is 30 dollars."}
	for conflicts, query := range [][]string{{"20 dollars", "20", "dollars"}, {"deposit for a locker", "deposit", "locker"}} {
		if g := graphOf(nil, query, texts...); len(g.Conflicts) != conflicts {
			t.Errorf("%s: %+v", query[0], g.Conflicts)
		}
	}
}
