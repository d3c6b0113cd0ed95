package tension

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk/text"
)

func TestAmounts(t *testing.T) {
	type want []amount
	for src, w := range map[string]want{
		"Keep it for 2 weeks.":         {{"time", 14 * 86400}},
		"Keep it for fourteen days.":   {{"time", 14 * 86400}},
		"料金は1,200円、3割引です。":             {{"money", 1200}, {"percent", 30}},
		"It costs $3.50.":              {{"money", 3.5}},
		"午後6時半から2時間":                   {{"clock", 18*60 + 30}, {"time", 7200}},
		"Open 9:30 to 5 p.m.":          {{"clock", 570}, {"clock", 1020}},
		"due on 31 October":            {{"date", 1031}},
		"due on March 3rd":             {{"date", 303}},
		"10月5日まで":                      {{"date", 1005}},
		"since 1999":                   {{"year", 1999}},
		"2023年の規程 第12条":                {{"year", 2023}},
		"two hundred people in 3 rows": {{"people", 200}, {"count row", 3}},
		"no number":                    nil,
	} {
		if diff := cmp.Diff(w, want(amounts(text.Fold(src))), cmp.AllowUnexported(amount{})); diff != "" {
			t.Errorf("%s:\n%s", src, diff)
		}
	}
}

func TestCompareAmounts(t *testing.T) {
	for _, tt := range []struct {
		a, b            string
		differs, agrees bool
	}{
		{"within 5 days", "within 3 days", true, false},
		{"within 14 days", "within two weeks", false, true},
		{"5 days", "5 kg", false, false},
		{"5 days and 3 kg", "5 days and 4 kg", true, true},
		{"$5", "nothing", false, false},
	} {
		a, b := amounts(tt.a), amounts(tt.b)
		for range 2 {
			differs, agrees, _ := compareAmounts(a, b)
			if differs != tt.differs || agrees != tt.agrees {
				t.Errorf("%s, %s: differs %v, agrees %v", tt.a, tt.b, differs, agrees)
			}
			a, b = b, a
		}
	}
}
