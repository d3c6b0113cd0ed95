package passage

import "testing"

func TestIsItem(t *testing.T) {
	for line, want := range map[string]bool{
		"- a": true, "1. a": true, "・火災": true, "①火災": true, "(1) 戦争": true, "（２）地震": true, "(12)地震": true,
		"-a": false, "2024 was": false, "(注) 火災": false, "(1": false, "（": false, "(1a) x": false, "": false,
	} {
		if got := IsItem(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}
