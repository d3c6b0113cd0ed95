package archive

import (
	"archive/zip"
	"encoding/binary"
	"hash/crc32"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/sagasu-search/sagasu/sdk/x/charset"
)

// FileNames returns the names of an archive's files as UTF-8. If the format's flag and field for Unicode do not
// determine the encoding, it is detected from all names together.
func FileNames(files []*zip.File) []string {
	names := make([]string, len(files))
	var unsure []int
	var together []string
	for i, f := range files {
		names[i] = f.Name
		if name, ok := unicodeName(f); ok {
			names[i] = name
		} else if f.NonUTF8 {
			unsure, together = append(unsure, i), append(together, f.Name)
		}
	}
	if all := strings.Join(together, "\n"); !utf8.ValidString(all) {
		decode := nameDecoder(all)
		for _, i := range unsure {
			names[i] = decode(names[i])
		}
	}
	return names
}

// surelyEastern is the minimum probability at which names are decoded as East Asian although they are words in code
// page 437.
const surelyEastern = 0.95

// eastern are the encodings of East Asia.
var eastern = []string{"shift_jis", "euc-jp", "iso-2022-jp", "gb18030", "big5", "euc-kr"}

// nameDecoder returns a decoder for names in one encoding: the one that [charset.Detect] finds, or code page 437, which
// the format prescribes and which only names use.
func nameDecoder(names string) func(string) string {
	dos := func(s string) string {
		out, _ := charmap.CodePage437.NewDecoder().String(s) // it has a character for every byte
		return out
	}
	guess := charset.Detect([]byte(names))
	notLatin := func(r rune) bool { return r == '\\' || r >= utf8.RuneSelf && !unicode.Is(unicode.Latin, r) }
	words := !strings.ContainsFunc(dos(names), notLatin)
	if guess.Name == "" || words && !(slices.Contains(eastern, guess.Name) && guess.Probability >= surelyEastern) {
		return dos
	}
	return func(s string) string {
		if out, err := charset.Decode([]byte(s), guess.Name); err == nil {
			return string(out)
		}
		return dos(s)
	}
}

// unicodeName returns the name in the Unicode field of a file, unless the other name was changed afterwards.
func unicodeName(f *zip.File) (name string, ok bool) {
	const id, head = 0x7075, 5 // the version, and the checksum of the other name
	for extra := f.Extra; len(extra) >= 4; {
		kind, size := binary.LittleEndian.Uint16(extra), int(binary.LittleEndian.Uint16(extra[2:]))
		if extra = extra[4:]; size > len(extra) {
			break
		}
		if kind == id && size > head && extra[0] == 1 &&
			binary.LittleEndian.Uint32(extra[1:]) == crc32.ChecksumIEEE([]byte(f.Name)) {
			name = string(extra[head:size])
			return name, utf8.ValidString(name)
		}
		extra = extra[size:]
	}
	return "", false
}
