package publication

import (
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/patentcode"
)

// denies reports whether an operator holds where its opposite does not.
func (f Filter) denies() bool { return f.Op == "!=" || f.Op == "not_in" }

// hits reports whether a value of a publication is meant.
func (f Filter) hits(have string) bool {
	return slices.ContainsFunc(f.test.values, func(want string) bool {
		switch f.Op {
		case "contains":
			return strings.Contains(have, want)
		case "prefix":
			if f.Field == "fi" || f.Field == "ipc" || f.Field == "cpc" {
				return patentcode.Under(have, want)
			}
			return strings.HasPrefix(have, want)
		}
		return have == want
	})
}

// onDay reports whether a day, 0 for none, lies in a span of the test.
func (t test) onDay(day int) bool {
	return slices.ContainsFunc(t.spans, func(s days) bool {
		return day > 0 && day >= s.first && (s.last == 0 || day <= s.last)
	})
}

// day returns the date of a publication that a field means: a month or a year counts as its
// first day. isDate is false when the field is no date.
func (p *Publication) day(field string) (day int, isDate bool) {
	switch field {
	case "date", "pubyear":
		return p.PublicationDate.First(), true
	case "filing_date":
		return p.FilingDate.First(), true
	}
	return 0, false
}

// values returns what a publication has in a field, as filters compare it. An FI code is
// there whole and as its fi_norm, a number with and without its kind code.
func (p *Publication) values(field string) []string {
	switch field {
	case "fi":
		return Distinct(append(slices.Clone(p.FI), p.FINorm...))
	case "ft":
		return p.FT
	case "ipc":
		return p.IPC
	case "cpc":
		return p.CPC
	case "country":
		if p.Country != "" {
			return []string{p.Country}
		}
	case "applicant":
		return distinct(p.Applicants, patentcode.NormName)
	case "inventor":
		return distinct(p.Inventors, patentcode.NormName)
	case "pub_id":
		return numberKeys(p.PubID)
	}
	return nil
}

// numberKeys returns the forms under which a number is found.
func numberKeys(id string) []string {
	if id == "" {
		return nil
	}
	n := ParseNumber(id)
	if n.Kind == "" {
		return []string{n.Key(), n.Key() + noKind}
	}
	return []string{n.Key() + n.Kind, n.Key()}
}

// noKind ends the form of a number that is written without a kind code, for those who ask with one.
const noKind = "-"

// fullKinds returns a number with the kind codes of the letter that it ends in: patents are printed as US D912,345 S.
func fullKinds(number string) (out []string) {
	if last := len(number) - 1; last > 0 && number[last] >= 'A' && number[last] <= 'Z' {
		for digit := '1'; digit <= '9'; digit++ {
			out = append(out, number+string(digit))
		}
	}
	return out
}
