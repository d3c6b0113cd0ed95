package charset

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
)

// UTF8 is the name of what every text is decoded to.
const UTF8 = "utf-8"

// charset is an encoding and what is known of the texts in it.
type charset struct {
	name    string
	decoder encoding.Encoding // nil for UTF-8
	// labels are other names that texts declare.
	labels []string
	// bits are what the encoding costs in advance: the rarer, the more. Declared ones have no limit.
	bits float64
	// letters are the small letters beyond ASCII of the languages that are written in it, the most usual first.
	letters []string
}

// The letters of languages, see [charset].
var (
	western = []string{"äüößé", "éèàêçùôîâûëïœ", "óíáéñúü", "èàòùéì", "ãçéáóêíõúàâôü", "öäåé", "øæåé", "ëéïüöè",
		"áíéóúöæðþý"}
	central  = []string{"ęłóżąśćńź", "íáéěčřžšýůúťóďň", "éáöóíőüúű", "ăîâşţ", "čšžćđ", "áíéčšžýúľťôňä"}
	baltic   = []string{"ąčęėįšųūž", "āēģīķļņšūž", "õäöüšž"}
	cyrillic = []string{"оеаинтрсвлкмдпуязыьбчгйжхшюцщэфёъ", "оаниетрвслкмпдуязбічйьгжхїюфцщшєґ"}
	greek    = []string{"αεοτιρνσηπμίλκςυγδάχωέήόφθύώβξζψϊϋ"}
)

// charsets are all that is decoded, by their names in the registry of IANA. Chinese and Korean ones are left out for
// the size of their tables.
var charsets = []charset{
	{name: UTF8, labels: []string{"utf8", "us-ascii", "ascii"}},
	{name: "shift_jis", decoder: japanese.ShiftJIS, bits: 1,
		labels: []string{"sjis", "x-sjis", "shift-jis", "windows-31j", "cp932", "ms_kanji"}},
	{name: "euc-jp", decoder: japanese.EUCJP, bits: 2, labels: []string{"eucjp", "x-euc-jp", "ujis"}},
	{name: "iso-2022-jp", decoder: japanese.ISO2022JP, bits: never, labels: []string{"junet", "csiso2022jp"}},
	{name: "utf-16le", decoder: unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), bits: 48,
		labels: []string{"utf-16", "utf16", "unicode"}},
	{name: "utf-16be", decoder: unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), bits: 50},
	{name: "windows-1252", decoder: charmap.Windows1252, bits: 2, letters: western,
		labels: []string{"iso-8859-1", "latin1", "iso_8859-1", "cp1252"}},
	{name: "iso-8859-15", decoder: charmap.ISO8859_15, bits: 12, letters: western,
		labels: []string{"latin9", "iso_8859-15"}},
	{name: "windows-1250", decoder: charmap.Windows1250, bits: 5, letters: central,
		labels: []string{"cp1250"}},
	{name: "iso-8859-2", decoder: charmap.ISO8859_2, bits: 5, letters: central,
		labels: []string{"latin2", "iso_8859-2"}},
	{name: "windows-1251", decoder: charmap.Windows1251, bits: 4, letters: cyrillic,
		labels: []string{"cp1251"}},
	{name: "koi8-r", decoder: charmap.KOI8R, bits: 5, letters: cyrillic[:1]},
	{name: "koi8-u", decoder: charmap.KOI8U, bits: 7, letters: cyrillic},
	{name: "ibm866", decoder: charmap.CodePage866, bits: 8, letters: cyrillic[:1],
		labels: []string{"cp866"}},
	{name: "iso-8859-5", decoder: charmap.ISO8859_5, bits: 8, letters: cyrillic},
	{name: "windows-1253", decoder: charmap.Windows1253, bits: 6, letters: greek,
		labels: []string{"cp1253"}},
	{name: "iso-8859-7", decoder: charmap.ISO8859_7, bits: 7, letters: greek},
	{name: "windows-1254", decoder: charmap.Windows1254, bits: 6, letters: []string{"ıçşüğöâîû"},
		labels: []string{"iso-8859-9", "latin5", "cp1254"}},
	{name: "windows-1257", decoder: charmap.Windows1257, bits: 8, letters: baltic,
		labels: []string{"cp1257"}},
	{name: "macintosh", decoder: charmap.Macintosh, bits: 14, letters: western,
		labels: []string{"mac"}},
}

// never keeps an encoding from being guessed.
const never = 1e9

// find returns the encoding of a name or a label.
func find(label string) (*charset, bool) {
	label = strings.ToLower(strings.TrimSpace(label))
	for i := range charsets {
		c := &charsets[i]
		if c.name == label {
			return c, true
		}
		for _, l := range c.labels {
			if l == label {
				return c, true
			}
		}
	}
	return nil, false
}

// Name returns the name of the encoding of a label, "" for one that is not known.
func Name(label string) string {
	if c, ok := find(label); ok {
		return c.name
	}
	return ""
}

// Decode returns a text of an encoding, by its name or a label, as UTF-8 without byte order mark. What the encoding
// cannot mean becomes U+FFFD. It fails for an encoding that is not known.
func Decode(src []byte, label string) ([]byte, error) {
	c, ok := find(label)
	if !ok {
		return nil, fmt.Errorf("the encoding %.40q is not known", label)
	}
	text, err := c.decode(src)
	if err != nil {
		return nil, err
	}
	return bytes.TrimPrefix(text, []byte("\uFEFF")), nil
}

func (c *charset) decode(src []byte) ([]byte, error) {
	if c.decoder == nil {
		return bytes.ToValidUTF8(src, []byte("\uFFFD")), nil
	}
	return c.decoder.NewDecoder().Bytes(src)
}

// marks are the byte order marks.
var marks = []struct{ mark, name string }{
	{"\xEF\xBB\xBF", UTF8}, {"\xFF\xFE", "utf-16le"}, {"\xFE\xFF", "utf-16be"},
}

// marked returns the encoding of which a text says by its bytes that it is.
func marked(src []byte) string {
	for _, m := range marks {
		if bytes.HasPrefix(src, []byte(m.mark)) {
			return m.name
		}
	}
	if bytes.Contains(src, []byte("\x1b$B")) || bytes.Contains(src, []byte("\x1b$@")) {
		for _, b := range src {
			if b >= utf8.RuneSelf {
				return ""
			}
		}
		return "iso-2022-jp"
	}
	return ""
}

// declaration matches how XML, HTML, CSS and editors name the encoding of a text at its start.
var declaration = regexp.MustCompile(
	`(?i)(?:<\?xml[^>]*\bencoding\s*=\s*|<meta[^>]*\bcharset\s*=\s*|@charset\s*|coding\s*[:=]\s*)["']?([\w.:-]+)`)

// declared returns the encoding that a text declares in its first bytes, "" for none that is known.
func declared(src []byte) string {
	const head = 2048
	if m := declaration.FindSubmatch(src[:min(len(src), head)]); m != nil {
		return Name(string(m[1]))
	}
	return ""
}
