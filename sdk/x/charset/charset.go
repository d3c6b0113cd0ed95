package charset

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"github.com/sagasu-search/sagasu/sdk/x/charset/doublebyte"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// UTF8 is the name of the encoding that every text is decoded to.
const UTF8 = "utf-8"

// charset is an encoding with what is known about texts in it.
type charset struct {
	name   string
	decode func(src []byte) []byte
	// labels are other names that texts declare.
	labels string
	// languages lists the languages that use the encoding, by the codes of their models; * means any. An encoding
	// without languages is never guessed.
	languages string
	// bits is the prior cost of the encoding: rarer encodings cost more.
	bits float64
}

// Languages that several encodings share.
const (
	western  = "en de fr es ca gl oc pt it nl af sv da nb fi is eu ga br sq"
	central  = "pl cs sk hu ro sl hr"
	baltic   = "lt lv et"
	cyrillic = "ru uk bg mk sr be"
)

// charsets lists all supported encodings by their IANA names, with the labels of the Encoding Standard.
var charsets = []charset{
	{UTF8, valid, "utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8 us-ascii ascii ansi_x3.4-1968",
		"*", 0},
	{"shift_jis", doublebyte.Decoder(doublebyte.ShiftJIS).Text,
		"sjis x-sjis shift-jis windows-31j cp932 ms932 ms_kanji csshiftjis", "ja", 1},
	{"euc-jp", doublebyte.Decoder(doublebyte.EUCJP).Text, "eucjp x-euc-jp ujis cseucpkdfmtjapanese", "ja", 2},
	{"iso-2022-jp", doublebyte.ISO2022JP, "junet csiso2022jp", "", 0},
	{"gb18030", doublebyte.Decoder(doublebyte.GB18030).Text, "gbk gb2312 gb_2312 gb_2312-80 x-gbk cp936 windows-936 " +
		"euc-cn chinese csgb2312 csiso58gb231280 iso-ir-58", "zh_cn", 8},
	{"hz-gb-2312", doublebyte.HZ, "hz", "", 0},
	{"big5", doublebyte.Decoder(doublebyte.BigFive).Text, "big5-hkscs cn-big5 csbig5 x-x-big5 cp950 windows-950",
		"zh_tw", 9},
	{"euc-kr", doublebyte.Decoder(doublebyte.EUCKR).Text, "ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 cseuckr " +
		"csksc56011987 iso-ir-149 korean windows-949 cp949 uhc", "ko", 9},
	{"utf-16le", by(unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)),
		"utf-16 utf16 unicode csunicode iso-10646-ucs-2 ucs-2 unicodefeff", "*", 48},
	{"utf-16be", by(unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)), "unicodefffe", "*", 50},
	{"utf-32le", by(utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)), "utf-32 utf32 iso-10646-ucs-4 ucs-4", "*", 50},
	{"utf-32be", by(utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)), "", "*", 52},
	{"windows-1252", single(charmap.Windows1252), "iso-8859-1 latin1 iso_8859-1 iso_8859-1:1987 iso8859-1 iso88591 " +
		"iso-ir-100 l1 cp1252 x-cp1252 cp819 ibm819 csisolatin1", western, 2},
	{"iso-8859-15", single(charmap.ISO8859_15), "latin9 iso_8859-15 iso8859-15 iso885915 l9 csisolatin9", western, 12},
	{"windows-1250", single(charmap.Windows1250), "cp1250 x-cp1250", central, 5},
	{"iso-8859-2", single(charmap.ISO8859_2), "latin2 iso_8859-2 iso_8859-2:1987 iso8859-2 iso88592 iso-ir-101 l2 " +
		"csisolatin2", central, 5},
	{"iso-8859-16", single(charmap.ISO8859_16), "latin10 iso8859-16", "ro", 14},
	{"windows-1251", single(charmap.Windows1251), "cp1251 x-cp1251", cyrillic, 4},
	{"koi8-r", single(charmap.KOI8R), "koi koi8 koi8_r cskoi8r", "ru", 5},
	{"koi8-u", single(charmap.KOI8U), "koi8-ru", "ru uk", 7},
	{"ibm866", single(charmap.CodePage866), "cp866 866 csibm866", "ru be", 8},
	{"iso-8859-5", single(charmap.ISO8859_5), "iso_8859-5 iso_8859-5:1988 iso8859-5 iso88595 iso-ir-144 cyrillic " +
		"csisolatincyrillic", cyrillic, 8},
	{"x-mac-cyrillic", single(charmap.MacintoshCyrillic), "x-mac-ukrainian", "ru uk", 14},
	{"ibm855", single(charmap.CodePage855), "cp855", "ru bg", 16},
	{"windows-1253", single(charmap.Windows1253), "cp1253 x-cp1253", "el", 6},
	{"iso-8859-7", single(charmap.ISO8859_7), "iso_8859-7 iso_8859-7:1987 iso8859-7 iso88597 iso-ir-126 ecma-118 " +
		"elot_928 greek greek8 sun_eu_greek csisolatingreek", "el", 7},
	{"windows-1254", single(charmap.Windows1254), "iso-8859-9 latin5 iso_8859-9 iso_8859-9:1989 iso8859-9 iso88599 " +
		"iso-ir-148 l5 cp1254 x-cp1254 csisolatin5", "tr", 6},
	{"windows-1255", single(charmap.Windows1255), "cp1255 x-cp1255", "he", 6},
	{"iso-8859-8", single(charmap.ISO8859_8), "iso_8859-8 iso_8859-8:1988 iso_8859-8-e iso_8859-8-i iso-8859-8-e " +
		"iso-8859-8-i iso8859-8 iso88598 iso-ir-138 hebrew logical visual csisolatinhebrew csiso88598e " +
		"csiso88598i", "he", 7},
	{"ibm862", single(charmap.CodePage862), "cp862", "he", 16},
	{"windows-1256", single(charmap.Windows1256), "cp1256 x-cp1256", "ar fa", 6},
	{"iso-8859-6", single(charmap.ISO8859_6), "iso_8859-6 iso_8859-6:1987 iso_8859-6-e iso_8859-6-i " +
		"iso-8859-6-e iso-8859-6-i iso8859-6 iso88596 iso-ir-127 arabic asmo-708 ecma-114 csisolatinarabic " +
		"csiso88596e csiso88596i", "ar", 8},
	{"windows-874", single(charmap.Windows874), "tis-620 iso-8859-11 iso8859-11 iso885911 dos-874 cp874", "th", 6},
	{"windows-1257", single(charmap.Windows1257), "cp1257 x-cp1257", baltic, 7},
	{"iso-8859-13", single(charmap.ISO8859_13), "latin7 iso8859-13 iso885913", baltic, 8},
	{"iso-8859-4", single(charmap.ISO8859_4), "latin4 iso_8859-4 iso_8859-4:1988 iso8859-4 iso88594 iso-ir-110 l4 " +
		"csisolatin4", baltic, 12},
	{"windows-1258", single(charmap.Windows1258), "cp1258 x-cp1258", "vi", 8},
	{"iso-8859-3", single(charmap.ISO8859_3), "latin3 iso_8859-3 iso_8859-3:1988 iso8859-3 iso88593 iso-ir-109 l3 " +
		"csisolatin3", "eo", 12},
	{"iso-8859-10", single(charmap.ISO8859_10), "latin6 iso8859-10 iso885910 iso-ir-157 l6 csisolatin6", "", 0},
	{"iso-8859-14", single(charmap.ISO8859_14), "latin8 iso8859-14 iso885914", "cy", 14},
	{"macintosh", single(charmap.Macintosh), "mac x-mac-roman csmacintosh", western, 14},
	{"ibm850", single(charmap.CodePage850), "cp850 850", western, 14},
	{"ibm437", single(charmap.CodePage437), "cp437 437", western, 14},
	{"ibm852", single(charmap.CodePage852), "cp852 852", central, 14},
	{"ibm00858", single(charmap.CodePage858), "cp858 858", "", 0},
	{"ibm860", single(charmap.CodePage860), "cp860", "", 0},
	{"ibm863", single(charmap.CodePage863), "cp863", "", 0},
	{"ibm865", single(charmap.CodePage865), "cp865", "", 0},
	{"ibm037", single(charmap.CodePage037), "cp037", "", 0},
	{"ibm1047", single(charmap.CodePage1047), "cp1047", "", 0},
	{"ibm01140", single(charmap.CodePage1140), "cp1140", "", 0},
}

// valid returns a UTF-8 text with each invalid byte replaced by U+FFFD.
func valid(src []byte) []byte { return []byte(string([]rune(string(src)))) }

// by returns a decoder for an encoding that maps all bytes to a character or U+FFFD.
func by(e encoding.Encoding) func([]byte) []byte {
	return func(src []byte) []byte {
		text, err := e.NewDecoder().Bytes(src)
		if err != nil {
			return []byte("\uFFFD")
		}
		return text
	}
}

// single returns a decoder for an encoding with one byte per character.
func single(m *charmap.Charmap) func([]byte) []byte {
	return func(src []byte) []byte {
		out := make([]byte, 0, 2*len(src))
		for _, b := range src {
			out = utf8.AppendRune(out, m.DecodeByte(b))
		}
		return out
	}
}

// labels maps all names and labels to their encodings.
var labels = sync.OnceValue(func() map[string]*charset {
	out := map[string]*charset{}
	for i := range charsets {
		out[charsets[i].name] = &charsets[i]
		for label := range strings.FieldsSeq(charsets[i].labels) {
			out[label] = &charsets[i]
		}
	}
	return out
})

// find returns the encoding with a name or a label.
func find(label string) (*charset, bool) {
	c, ok := labels()[strings.ToLower(strings.TrimSpace(label))]
	return c, ok
}

// Name returns the name of the encoding with a label, or "" if the label is unknown.
func Name(label string) string {
	if c, ok := find(label); ok {
		return c.name
	}
	return ""
}

// Decode decodes a text in an encoding, given by its name or a label, to UTF-8 without byte order mark. Invalid
// bytes become U+FFFD. It fails if the encoding is unknown.
func Decode(src []byte, label string) ([]byte, error) {
	c, ok := find(label)
	if !ok {
		return nil, fmt.Errorf("the encoding %.40q is not known", label)
	}
	return bytes.TrimPrefix(c.decode(src), []byte("\uFEFF")), nil
}

// marks lists the byte order marks. One may be a prefix of another.
var marks = []struct{ mark, name string }{
	{"\xEF\xBB\xBF", UTF8}, {"\xFF\xFE\x00\x00", "utf-32le"}, {"\x00\x00\xFE\xFF", "utf-32be"},
	{"\xFF\xFE", "utf-16le"}, {"\xFE\xFF", "utf-16be"}, {"\x84\x31\x95\x33", "gb18030"},
}

// marked returns the encoding that a text's byte order mark or escape sequences identify, or "".
func marked(src []byte) string {
	for _, m := range marks {
		if bytes.HasPrefix(src, []byte(m.mark)) {
			return m.name
		}
	}
	switch {
	case bytes.Contains(src, []byte("\x1b$B")), bytes.Contains(src, []byte("\x1b$@")):
		if ascii(src) {
			return "iso-2022-jp"
		}
	case shifted().Match(src) && ascii(src) && !bytes.ContainsRune(doublebyte.HZ(src), utf8.RuneError):
		return "hz-gb-2312"
	}
	return ""
}

// shifted matches text between the shifts of HZ: at least two characters of two bytes each.
var shifted = lazyregexp.New(`~\{(?:[!-w][!-~]){2,}~\}`)

func ascii(src []byte) bool {
	return !bytes.ContainsFunc(src, func(r rune) bool { return r >= utf8.RuneSelf })
}

// declaration matches the declarations of an encoding at the start of a text that XML, HTML, CSS and editors use.
var declaration = lazyregexp.New(
	`(?i)(?:<\?xml[^>]*\bencoding\s*=\s*|<meta[^>]*\bcharset\s*=\s*|@charset\s*|coding\s*[:=]\s*)["']?([\w.:-]+)`)

// declared returns the encoding that a text declares in its first bytes, or "" if it declares none that is known.
func declared(src []byte) string {
	const head = 2048
	if m := declaration().FindSubmatch(src[:min(len(src), head)]); m != nil {
		return Name(string(m[1]))
	}
	return ""
}
