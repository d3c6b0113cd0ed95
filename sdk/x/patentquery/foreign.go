package patentquery

import (
	"fmt"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// foreignFields are the names that other systems give to fields, with ours.
var foreignFields = map[string]string{
	"ti": "title", "ttl": "title",
	"ab": "abst", "abs": "abst",
	"cl": "claim", "clm": "claim", "clms": "claim", "aclm": "claim",
	"de": "desc", "des": "desc", "spec": "desc",
	"ic": "ipc", "icl": "ipc", "cpcl": "cpc",
	"pa": "applicant", "ap": "applicant", "as": "applicant", "assignee": "applicant", "asgn": "applicant",
	"in": "inventor", "inv": "inventor",
}

// numberFields are the names that other systems give to the number of a publication.
var numberFields = map[string]bool{"pn": true, "pub_id": true, "pub": true, "publication": true, "number": true}

const (
	fieldsExpected = `title, abst, claim, desc, fi, ft, ipc, cpc, applicant or inventor; put a term with a colon in quotes`
	numberExpected = `words: a number is found by a filter, ` +
		`{"lop": "and", "field": "pub_id", "op": "in", "value": [NUMBER]}`
)

// ourField is the name here of a field, written in any case as anybody would.
func ourField(name string) (string, bool) {
	name = strings.ToLower(asciiOf(name))
	if f, ok := ParseField(name); ok {
		return string(f), true
	}
	for _, kind := range CodeKinds {
		if name == kind {
			return kind, true
		}
	}
	ours, ok := foreignFields[name]
	return ours, ok
}

// unknownField refuses the name of a field and its colon, or what stands for a colon.
func (l *lexer) unknownField(t token) *failure {
	found := "the field " + excerpt(t.text)
	if ours, ok := ourField(t.text); ok {
		return l.fail(t.at, found, ours+":", fix{t.at, t.stop - t.at, ours + ":"})
	}
	if numberFields[strings.ToLower(t.text)] {
		return l.fail(t.at, found, numberExpected, t.blank())
	}
	return l.fail(t.at, found, fieldsExpected, t.blank())
}

// foreignNear is a proximity that other systems read between two terms.
var foreignNear = lazyregexp.New(`^(?i:(w|n|pre|onear)/([0-9]{1,4}))$`)

// foreign refuses a word that other systems read as an operator or as a field behind its term. It would be searched
// for, and nothing found.
func (l *lexer) foreign(t token) *failure {
	written := asciiOf(t.text)
	if m := foreignNear().FindStringSubmatch(written); m != nil {
		ours := "NEAR" + m[2]
		if o := strings.ToLower(m[1]); o == "pre" || o == "onear" {
			ours = "ADJ" + m[2]
		}
		return l.fail(t.at, "the operator "+excerpt(t.text), fmt.Sprintf("%s, with words between, in this order ADJ%s",
			ours, m[2]), fix{t.at, t.stop - t.at, ours})
	}
	if name, ok := strings.CutPrefix(written, "/"); ok {
		if ours, ok := ourField(name); ok {
			return l.fail(t.at, "the field "+excerpt(t.text)+" after its term",
				fmt.Sprintf(`the field before it, such as %s:"heat sink"`, ours), t.blank())
		}
	}
	return nil
}
