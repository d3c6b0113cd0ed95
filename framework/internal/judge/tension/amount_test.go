package tension

import "testing"

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
		{"5 days instead of 3 days", "5 days", false, true},
	} {
		a, b := amounts(tt.a), amounts(tt.b)
		for range 2 {
			differs, _, agrees := compareAmounts(a, b)
			if differs != tt.differs || agrees != tt.agrees {
				t.Errorf("%s, %s: differs %v, agrees %v", tt.a, tt.b, differs, agrees)
			}
			a, b = b, a
		}
	}
}

func TestTurned(t *testing.T) {
	of := func(s string) *read { return &read{sentence: &sentence{}, cues: cuesOf(s), amounts: amounts(s)} }
	for _, tt := range []struct {
		query, a, b string
		want        bool
	}{
		{"are dogs allowed", "dogs are allowed", "dogs are not allowed", true},
		{"what do dogs eat", "dogs eat fish", "dogs do not eat at night", false},
		{"what do dogs cost", "dogs cost $5", "dogs cost $7", true},
		{"do dogs cost $5", "dogs cost $5", "dogs cost $7", true},
		{"犬は入れますか", "犬は入れる", "犬は入れない", true},
		{"犬は何を食べますか", "犬は魚を食べる", "犬は夜は食べない", false},
	} {
		r := reading{whether: asksWhether(tt.query)}
		if p := r.pair(of(tt.a), of(tt.b)); p.turned() != tt.want {
			t.Errorf("%s: %q and %q: turned %v", tt.query, tt.a, tt.b, !tt.want)
		}
	}
}
