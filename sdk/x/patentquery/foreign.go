package patentquery

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// foreignFields maps field names of other systems to ours.
var foreignFields = map[string]string{
	"ti": "title", "ttl": "title",
	"ab": "abst", "abs": "abst",
	"cl": "claim", "clm": "claim", "clms": "claim", "aclm": "claim",
	"de": "desc", "des": "desc", "spec": "desc",
	"ic": "ipc", "icl": "ipc", "cpcl": "cpc",
	"pa": "applicant", "ap": "applicant", "as": "applicant", "assignee": "applicant", "asgn": "applicant",
	"in": "inventor", "inv": "inventor",
	"題名": "title", "名称": "title", "発明の名称": "title", "要約": "abst", "要約書": "abst",
	"請求項": "claim", "請求の範囲": "claim", "明細書": "desc", "詳細な説明": "desc", "出願人": "applicant", "発明者": "inventor",
	"国際特許分類": "ipc", "fターム": "ft", "f-term": "ft", "fterm": "ft",
	"ip": "ipc", "tx": anywhere, "全文": anywhere,
}

// anywhere is the value for fields of other systems that mean all of ours.
const anywhere = "wide"

// foreignOperators maps operators of other systems to ours.
var foreignOperators = map[string]string{"&": "AND", "&&": "AND", "|": "OR", "||": "OR", "ANDNOT": "NOT"}

// filterFields are the names of fields that filters have and queries do not, here and in other systems.
var filterFields = map[string]string{
	"pub_id": "pub_id", "pn": "pub_id", "pub": "pub_id", "publication": "pub_id", "number": "pub_id",
	"公報番号": "pub_id", "文献番号": "pub_id", "公開番号": "pub_id",
	"date": "date", "pd": "date", "publication_date": "date", "公開日": "date", "発行日": "date",
	"filing_date": "filing_date", "ad": "filing_date", "apd": "filing_date", "出願日": "filing_date",
	"pubyear": "pubyear", "py": "pubyear", "year": "pubyear", "country": "country", "cc": "country",
}

// filterSamples holds sample filters on such fields.
var filterSamples = map[string]string{
	"pub_id": `"in", "value": ["JP2023-123456A"]`, "date": `">=", "value": "2023-04-01"`,
	"filing_date": `"<", "value": "2023-04-01"`, "pubyear": `"range", "value": [2020, 2023]`, "country": `"=", "value": "JP"`,
}

const fieldsExpected = `title, abst, claim, desc, fi, ft, ipc, cpc, applicant or inventor; ` +
	`put a term with a colon in quotes`

// ourField returns our name for a field of any system, ignoring case.
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

// fielded returns a query for a term in those of our fields that names list.
func fielded(term, names string) (string, bool) {
	var parts []string
	for name := range strings.SplitSeq(names, ",") {
		ours, ok := ourField(name)
		switch {
		case !ok:
			return "", false
		case ours == anywhere:
			return term, true
		}
		parts = append(parts, ours+":"+term)
	}
	if len(parts) == 1 {
		return parts[0], true
	}
	return "(" + strings.Join(parts, " OR ") + ")", true
}

// unknownField rejects an unknown field name with its colon, or a character used as a colon.
func (l *lexer) unknownField(t token) *failure {
	found := "the field " + excerpt(t.text)
	switch ours, ok := ourField(t.text); {
	case ok && ours == anywhere:
		return l.fail(t.at, found, "terms without a field, which are looked for in all texts", t.blank())
	case ok:
		return l.fail(t.at, found, ours+":", fix{t.at, t.stop - t.at, ours + ":"})
	}
	if ours := filterFields[strings.ToLower(t.text)]; ours != "" {
		expected := fmt.Sprintf(`it as a filter, {"lop": "and", "field": "%s", "op": %s}`, ours, filterSamples[ours])
		return l.fail(t.at, found, expected, fix{t.at, l.valueEnd(t.stop) - t.at, " "})
	}
	return l.fail(t.at, found, fieldsExpected, t.blank())
}

// valueEnd returns the end of the value that starts at an offset. It may be in quotes or [ ].
func (l *lexer) valueEnd(at int) int {
	r, n := l.peek(at)
	closing, enclosed := map[rune]rune{'"': '"', '[': ']'}[r]
	if enclosed {
		at += n
	}
	for r, n = l.peek(at); n > 0; r, n = l.peek(at) {
		switch {
		case enclosed && r == closing:
			return at + n
		case !enclosed && strings.ContainsRune(` ()"`, r):
			return at
		}
		at += n
	}
	return at
}

// Proximities in other systems: between two terms (w/3), in brackets ((3w)), and between commas (a,10n,b).
var (
	farNear       = lazyregexp.New(`^(?i:NEAR|ADJ)/?[0-9]{5,}$`)
	foreignNear   = lazyregexp.New(`^(?i:(w|n|pre|onear)/([0-9]{1,4}))$`)
	bracketedNear = lazyregexp.New(`^(?i:([0-9]{0,3})w|([0-9]{1,3})n)$`)
	listedNear    = lazyregexp.New(`^(.+),(?i:([0-9]{1,3})([nc])),(.+)$`)
)

// fieldBefore matches a term after a field in the former notation of the US office: TTL/sensor.
var fieldBefore = lazyregexp.New(`^(?i:(ttl|abst|aclm|spec|icl|cpc)/)`)

// fieldBehind matches a term before fields, as in sensor/ti,ab or sensor.ti. or [顔/TX].
var fieldBehind = lazyregexp.New(`^\[?(.*?)(?:/([\pL_,]+)|\.([\pL_,]+)\.)\]?$`)

// foreign rejects a word that other systems read as an operator, or as a term with its field. Otherwise it would be
// searched for as a word and not found.
func (l *lexer) foreign(t token) *failure {
	written := asciiOf(t.text)
	if ours, ok := foreignOperators[written]; ok {
		return l.fail(t.at, "the operator "+excerpt(t.text), ours, fix{t.at, t.stop - t.at, " " + ours + " "})
	}
	if sign := written[:min(1, len(written))]; (sign == "-" || sign == "!") && searchable(written) && !l.near {
		return l.fail(t.at, "a "+sign+" before a word", "NOT before what shall be missing, or the word in quotes",
			fix{t.at, len(t.text) - len(strings.TrimLeftFunc(t.text, func(r rune) bool {
				return ascii(r) == rune(sign[0])
			})), " NOT "})
	}
	if bad := l.foreignNear(t, written); bad != nil {
		return bad
	}
	if m := fieldBefore().FindStringSubmatch(written); m != nil && len(written) == len(t.text) {
		ours, _ := ourField(m[1])
		return l.fail(t.at, "the field "+excerpt(m[0]), ours+":", fix{t.at, len(m[0]), ours + ":"})
	}
	m := fieldBehind().FindStringSubmatch(written)
	if m == nil || (m[2]+m[3] == "in" || m[2]+m[3] == "as") {
		return nil
	}
	mended, ok := fielded(m[1], m[2]+m[3])
	if !ok {
		return nil
	}
	field := written[strings.LastIndexAny(strings.TrimRight(written, ".]"), "/."):]
	found := "the field " + excerpt(field) + " after its term"
	if m[1] == "" {
		sample, _ := fielded(`"heat sink"`, m[2]+m[3])
		mend := t.blank()
		if from := l.operand(t.at); from < t.at {
			mended, _ = fielded(l.src[from:t.at], m[2]+m[3])
			mend = fix{from, t.stop - from, mended}
		}
		return l.fail(t.at, found, "the field before it, such as "+sample, mend)
	}
	return l.fail(t.at, found, mended, fix{t.at, t.stop - t.at, mended})
}

// foreignNear rejects a word that other systems read as a proximity.
func (l *lexer) foreignNear(t token, written string) *failure {
	if farNear().MatchString(written) {
		return l.fail(t.at, "the distance of "+excerpt(t.text), fmt.Sprintf("at most %d words", MaxDistance),
			fix{t.at, t.stop - t.at, fmt.Sprint(strings.TrimRight(written, "/0123456789"), MaxDistance)})
	}
	if m := foreignNear().FindStringSubmatch(written); m != nil {
		ours := "NEAR" + m[2]
		if o := strings.ToLower(m[1]); o == "pre" || o == "onear" {
			ours = "ADJ" + m[2]
		}
		return l.fail(t.at, "the operator "+excerpt(t.text), "NEAR"+m[2]+", or in this order ADJ"+m[2],
			fix{t.at, t.stop - t.at, ours})
	}
	if m := listedNear().FindStringSubmatch(written); m != nil && !l.near {
		ours := map[bool]string{true: "*N", false: "*ONP"}[strings.EqualFold(m[3], "n")]
		ours += fmt.Sprintf(`%s"%s %s"`, m[2], m[1], m[4])
		return l.fail(t.at, "the operator "+excerpt(","+m[2]+m[3]+","), ours, fix{t.at, t.stop - t.at, ours})
	}
	if m := bracketedNear().FindStringSubmatch(written); m != nil && l.bracketed(t) {
		ours := map[bool]string{true: "NEAR", false: "ADJ"}[m[2] != ""] + m[1] + m[2]
		return l.fail(t.at, "the operator "+excerpt("("+t.text+")"), ours,
			fix{t.at - 1, t.stop - t.at + 2, " " + ours + " "})
	}
	return nil
}

// bracketed reports whether a word is alone in brackets of one byte each, after other text.
func (l *lexer) bracketed(t token) bool {
	before, inner := strings.CutSuffix(l.src[:t.at], "(")
	return inner && strings.HasPrefix(l.src[t.stop:], ")") && searchable(before)
}

// operand returns the start of the brackets or quotes that end at an offset, if nothing precedes them, or else
// the offset itself.
func (l *lexer) operand(at int) int {
	depth, quoted := 0, false
	for from := at; from > 0; {
		r, n := utf8.DecodeLastRuneInString(l.src[:from])
		switch r, from = ascii(r), from-n; {
		case r == '"':
			quoted = !quoted
		case quoted:
		case r == ')':
			depth++
		case depth == 0:
			return at
		case r == '(':
			depth--
		}
		if depth == 0 && !quoted {
			if before := ascii(lastOf(l.src[:from])); from == 0 || before == ' ' || before == '(' {
				return from
			}
			return at
		}
	}
	return at
}
