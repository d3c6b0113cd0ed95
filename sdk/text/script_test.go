package text

import "testing"

func TestHasCJK(t *testing.T) {
	for query, want := range map[string]bool{"": false, "disk failure": false, "café 2": false, "disk の故障": true, "サーバ": true, "디스크": true} {
		if HasCJK(query) != want {
			t.Errorf("%q: %v", query, !want)
		}
	}
}
