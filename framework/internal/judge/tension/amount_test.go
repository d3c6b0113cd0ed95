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
