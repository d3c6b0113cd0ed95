package patentcode

import "testing"

func TestNormName(t *testing.T) {
	for name, want := range map[string]string{
		"山田　花子": "山田花子", " 株式会社 アオゾラ 視覚 ": "株式会社アオゾラ視覚", "Jane  DOE": "jane doe", "ＡＣＭＥ 株式会社": "acme 株式会社", "": "",
	} {
		if got := NormName(name); got != want {
			t.Errorf("NormName(%q) = %q, want %q", name, got, want)
		}
	}
}
