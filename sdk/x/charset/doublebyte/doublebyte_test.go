package doublebyte

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// encodings are all decoded encodings, each with its counterpart in golang.org/x/text.
var encodings = map[string]struct {
	text func([]byte) []byte
	want encoding.Encoding
}{
	"Shift_JIS":   {Decoder(ShiftJIS).Text, japanese.ShiftJIS},
	"EUC-JP":      {Decoder(EUCJP).Text, japanese.EUCJP},
	"ISO-2022-JP": {ISO2022JP, japanese.ISO2022JP},
	"GB18030":     {Decoder(GB18030).Text, simplifiedchinese.GB18030},
	"HZ":          {HZ, simplifiedchinese.HZGB2312},
	"EUC-KR":      {Decoder(EUCKR).Text, korean.EUCKR},
	"Big5":        {Decoder(BigFive).Text, traditionalchinese.Big5},
}

// TestEveryCharacterReadsAsInText encodes each character that golang.org/x/text can encode, a few at a time.
func TestEveryCharacterReadsAsInText(t *testing.T) {
	for name, e := range encodings {
		t.Run(name, func(t *testing.T) {
			seen := 0
			for r := rune(' '); r <= utf8.MaxRune; r++ {
				raw, err := e.want.NewEncoder().Bytes([]byte("a" + string(r) + "z\n"))
				if err != nil || !utf8.ValidRune(r) || r == utf8.RuneError {
					continue
				}
				want, err := e.want.NewDecoder().Bytes(raw)
				if err != nil {
					t.Fatal(err)
				}
				seen++
				if got := e.text(raw); string(got) != string(want) {
					t.Fatalf("%x: got %q, want %q", raw, got, want)
				}
				if r == 0x3ffff && name == "GB18030" {
					r = utf8.MaxRune - 0xffff // the planes in between are empty
				}
			}
			if seen < 7000 {
				t.Errorf("%d characters were compared", seen)
			}
		})
	}
}

// TestPairsReadAsInText decodes pairs of bytes. Some have the same meaning as another pair.
func TestPairsReadAsInText(t *testing.T) {
	for name, e := range encodings {
		if name == "HZ" || name == "ISO-2022-JP" {
			continue // these have seven bits
		}
		t.Run(name, func(t *testing.T) {
			for lead := 0x81; lead <= 0xff; lead++ {
				for trail := 0x40; trail <= 0xff; trail++ {
					raw := []byte{byte(lead), byte(trail), 'z', '\n'}
					want, err := e.want.NewDecoder().Bytes(raw)
					if err != nil || bytes.ContainsRune(want, utf8.RuneError) {
						want = nil
					}
					got := e.text(raw)
					if bytes.ContainsRune(got, utf8.RuneError) {
						got = nil
					}
					// Four codes of Big5 are a letter and a mark; the mark is omitted.
					if string(got) != string(want) && !(name == "Big5" && utf8.RuneCount(want) == 4) {
						t.Errorf("%x: got %q, want %q", raw, got, want)
					}
				}
			}
		})
	}
}

func TestAnyBytesDecode(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, e := range encodings {
		t.Run(name, func(t *testing.T) {
			for range 20_000 {
				src := make([]byte, random.IntN(9))
				for i := range src {
					src[i] = byte(random.Uint32() >> (random.IntN(2) * 25))
				}
				if got := e.text(src); !utf8.Valid(got) {
					t.Fatalf("%x: %q", src, got)
				}
			}
		})
	}
}

func TestPackedTablesAreTheSame(t *testing.T) {
	want := []rune{0, 0, '一', '丁', 0, 'a', '\U0002000b', 0}
	got, rest := unpack(append(Pack(nil, want), 7))
	if string(got) != string(want) || len(rest) != 1 {
		t.Errorf("got %q and %d bytes", got, len(rest))
	}
}
