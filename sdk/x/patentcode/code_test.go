package patentcode

import "testing"

func TestNormCodes(t *testing.T) {
	for in, want := range map[string]string{
		"G06V10/82": "G06V10/82", "g06v 10/82": "G06V10/82", "G06V  10/82 (2022.01)": "G06V10/82",
		"G06V  10/82        20220101AFI20220101BHJP": "G06V10/82",
		"G06V0010820000": "G06V10/82", "A61K0009000000": "A61K9/00", "H01L0021020000": "H01L21/02",
		"G06V": "G06V", "G06": "G06", "G": "G", "Y02E 10/50": "Y02E10/50", "B60B 1/041": "B60B1/041", "G06V10": "G06V10",
		"zeolite": "ZEOLITE", "": "",
	} {
		if got := NormIPC(in); got != want {
			t.Errorf("NormIPC(%q) = %q, want %q", in, got, want)
		}
		if again := NormIPC(NormIPC(in)); again != NormIPC(in) {
			t.Errorf("NormIPC(%q) = %q, of that %q", in, NormIPC(in), again)
		}
	}
	for in, want := range map[string]string{
		"5B089AA01": "5B089AA01", "５ｂ０８９ ａａ０１": "5B089AA01", "5B089/AA01": "5B089AA01", "5B089 AA 01 .A": "5B089AA01A",
		"5B089": "5B089", "5B089AA": "5B089AA", "5B08": "5B08",
	} {
		if got := NormFTerm(in); got != want {
			t.Errorf("NormFTerm(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestUnder(t *testing.T) {
	for _, c := range []struct {
		code, above string
		want        bool
	}{
		{"G06V10/82", "G06V10/82", true}, {"G06V10/82", "G06V10", true}, {"G06V10/82", "G06V", true}, {"G06V10/82", "G", true},
		{"G06V10/82", "G06V10/00", true}, {"G06V10/82", "G06V1", false}, {"G06V100/1", "G06V10", false}, {"G06V10", "G06V10/00", true},
		{"G06F3/017", "G06F3/01", true}, {"G06F3/041,330@A", "G06F3/041,330", true}, {"G06F3/041,330@A", "G06F3/041", true},
		{"G06F3/041", "G06F3/041,330", false}, {"H04N5/232", "G06V", false},
	} {
		if got := Under(c.code, c.above); got != c.want {
			t.Errorf("Under(%s, %s) = %v", c.code, c.above, got)
		}
	}
}
