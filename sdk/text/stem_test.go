package text

import "testing"

func TestStem(t *testing.T) {
	for piece, want := range map[string]string{"Running": "run", "loans and books": "loan", "貸出": "貸出", "": "", "--": "--"} {
		if got := Stem(piece); got != want {
			t.Errorf("%q gave %q, want %q", piece, got, want)
		}
	}
}
