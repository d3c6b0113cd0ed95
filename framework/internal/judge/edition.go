package judge

import (
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// editions are the marks of a version or of a date in a place: a path or a heading.
var editions = lazyregexp.New(`\bv(?:er\.?|ersion)? ?\d+(?:\.\d+)*|第\d+版|(?:^|[^0-9])((?:19|20)\d\d)(?:[^0-9]|$)|令和\d+|平成\d+|旧|改定前|改訂前|廃止` +
	`|\b(?:old|legacy|deprecated|archive[ds]?|obsolete|previous|former|changelog|release[ -]notes|history)\b|変更履歴|改定の履歴|リリースノート|更新履歴|\d+\.\d+(?:\.\d+)+`)

// undated are the marks without a number.
var undated = [...]string{"旧", "改定", "改訂", "廃止", "履歴", "リリースノート", "old", "legacy", "deprecated", "archive", "obsolete", "previous", "former", "changelog", "release", "history"}

// placeMarks parts the names in a path.
var placeMarks = strings.NewReplacer("/", " ", "_", " ", ".md", " ", ".json", " ")

// edition names the edition that a text belongs to, "" where its place says
// nothing. Texts of different editions may differ and both be right.
func (e *Evidence) edition() string {
	place := text.Fold(placeMarks.Replace(e.ManualID + " " + e.Path + " " + e.Heading))
	place = strings.ReplaceAll(place, "復旧", "")
	if !numbersEdition(place) && !containsAny(place, undated[:]) {
		return ""
	}
	found := editions().FindAllString(place, -1)
	for i := range found {
		found[i] = strings.Trim(found[i], " -()")
	}
	slices.Sort(found)
	return strings.Join(slices.Compact(found), " ")
}

// numbersEdition reports whether a place has a number that may be one of an edition.
func numbersEdition(place string) bool {
	for i := 0; i < len(place); i++ {
		if !isDigit(place[i]) {
			continue
		}
		start := i
		for i < len(place) && isDigit(place[i]) {
			i++
		}
		year := i-start == len("2000") && startsWith(place[start:], []string{"19", "20"})
		part := i+1 < len(place) && place[i] == '.' && isDigit(place[i+1])
		if year || part || endsIn(strings.TrimSuffix(place[:start], " "), []string{"v", "ver", "ver.", "version", "第", "令和", "平成"}) {
			return true
		}
	}
	return false
}
