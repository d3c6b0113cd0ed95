package embedding

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

const (
	// mostPieces is the maximum number of pieces of a section; later pieces have no vector.
	mostPieces = 64
	// mostHeading is the maximum number of characters of headings before a piece.
	mostHeading = 200
)

// form identifies how texts are made, apart from the model.
func (s *Strategy) form() string {
	return fmt.Sprintf("pieces 1 %d %q", s.config.MaxChars, s.config.Document)
}

// pieces returns the texts of a section: its own text in pieces, each after the names of the file and the headings. A
// deleted section has none.
func (s *Strategy) pieces(snap *snapshot.Snapshot, id uint32) (out []string) {
	if !snap.Live().Contains(id) {
		return nil
	}
	heading := snap.Source(id, snapshot.FieldHeading)
	if path := snap.Source(id, snapshot.FieldPath); path != "" {
		heading = path + " > " + heading
	}
	heading = s.config.Document + text.CutRunes(heading, mostHeading) + "\n"
	rest := strings.TrimSpace(snap.Source(id, snapshot.FieldBody))
	for {
		var piece string
		piece, rest = cut(rest, s.config.MaxChars)
		if out = append(out, heading+piece); rest == "" || len(out) == mostPieces {
			return out
		}
	}
}

// cut splits a text after at most most characters: in the second half of these, after the last line, sentence or word,
// in this order of preference.
func cut(s string, most int) (piece, rest string) {
	end := len(text.CutRunes(s, most))
	if end == len(s) {
		return s, ""
	}
	for _, ends := range [][]string{{"\n"}, {"。", ". "}, {" ", "、"}} {
		last := 0
		for _, mark := range ends {
			if at := strings.LastIndex(s[:end], mark); at >= 0 {
				last = max(last, at+len(mark))
			}
		}
		if last > end/2 {
			end = last
			break
		}
	}
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end], strings.TrimSpace(s[end:])
}
