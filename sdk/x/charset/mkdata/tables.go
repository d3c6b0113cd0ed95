package main

import (
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"

	"github.com/sagasu-search/sagasu/sdk/x/charset/doublebyte"
)

// tables returns the tables for package doublebyte.
func tables() (out []byte) {
	pairs := func(e encoding.Encoding, prefix ...byte) []rune {
		var table []rune
		for lead := 0x81; lead <= 0xfe; lead++ {
			for trail := 0x40; trail <= 0xfe; trail++ {
				table = append(table, character(e, append(prefix, byte(lead), byte(trail))))
			}
		}
		return table
	}
	for _, table := range [doublebyte.Sets][]rune{
		doublebyte.GBK:     pairs(simplifiedchinese.GB18030),
		doublebyte.KSX1001: pairs(korean.EUCKR),
		doublebyte.Big5:    pairs(traditionalchinese.Big5),
		doublebyte.JIS:     pairs(japanese.ShiftJIS),
		doublebyte.JIS0212: pairs(japanese.EUCJP, 0x8f),
	} {
		out = doublebyte.Pack(out, table)
	}
	var four []rune
	for n := range 39_420 { // the codes of the basic plane
		code := []byte{byte(n/12_600) + 0x81, byte(n/1260%10) + '0', byte(n/10%126) + 0x81, byte(n%10) + '0'}
		four = append(four, character(simplifiedchinese.GB18030, code))
	}
	return doublebyte.Pack(out, four)
}

// character returns the character of a code, or 0 if it means none or several.
func character(e encoding.Encoding, code []byte) rune {
	text, err := e.NewDecoder().Bytes(code)
	if err != nil {
		return 0
	}
	r, size := utf8.DecodeRune(text)
	if r == utf8.RuneError || size != len(text) {
		return 0
	}
	return r
}
