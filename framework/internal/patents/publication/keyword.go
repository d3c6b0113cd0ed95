package publication

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// keywordFields are the fields whose values are keywords of a snapshot: "fi:G06V10/82".
var keywordFields = []string{"fi", "ft", "ipc", "cpc", "country", "applicant", "inventor", "pub_id"}

// Keywords returns what a publication is found by beside its text: "<field>:<value>" for every
// value that a filter compares, "app:" and "exam:" with its other numbers, "cites:" and "priority:" with the
// numbers of other documents, and for its dates "date:" and "filing_date:" with the year and with the day as YYYYMMDD.
func (p *Publication) Keywords() (keys []string) {
	for _, field := range keywordFields {
		for _, v := range p.values(field) {
			keys = append(keys, field+":"+v)
		}
	}
	for _, id := range []string{p.AppDocID, p.AppID} {
		for _, k := range numberKeys(id) {
			keys = append(keys, "app:"+k)
		}
	}
	for _, k := range numberKeys(p.ExamID) {
		keys = append(keys, "exam:"+k)
	}
	for _, number := range p.Citations {
		keys = append(keys, CitingKeyword(number))
	}
	keys = append(keys, p.PriorityKeywords()...)
	for _, field := range []string{"date", "filing_date"} {
		if day, _ := p.day(field); day > 0 {
			keys = append(keys, fmt.Sprintf("%s:%04d", field, day/10000), fmt.Sprintf("%s:%08d", field, day))
		}
	}
	return Distinct(keys)
}

// LookupKeys returns the keywords under which the publications of a number are found, the
// likelier first; idType is pub_id, app_doc_id, app_id or exam_id. A number that says what it
// numbers, such as 特願 or 特許, is read as that whatever the type.
func LookupKeys(idType, id string) ([]string, *toolset.Error) {
	spaces := map[string]string{"pub_id": "pub_id:", "app_doc_id": "app:", "app_id": "app:", "exam_id": "exam:"}
	n := ParseNumber(id)
	if n.Serial == "" {
		return nil, toolset.Errorf(toolset.InvalidRRFCall,
			"id must be a document number such as JP2023-123456A or 特願2023-123456").
			Argument("id", id, "a document number")
	}
	key := n.Key() + n.Kind
	switch n.Type {
	case ApplicationNumber:
		return []string{"app:" + key}, nil
	case ExaminedNumber:
		exam, pub := []string{"exam:" + key, "exam:" + n.Key()}, []string{"pub_id:" + key, "pub_id:" + n.Key() + noKind}
		if idType == "pub_id" {
			return append(pub, exam...), nil
		}
		return append(exam, pub...), nil
	case PublicationNumber:
		keys := []string{"pub_id:" + key, "pub_id:" + n.Key() + noKind}
		if n.Country == "JPWO" {
			keys = append(keys, "pub_id:"+n.Key(), "pub_id:"+strings.TrimPrefix(key, "JP"),
				"pub_id:"+strings.TrimPrefix(n.Key(), "JP"))
		}
		return keys, nil
	}
	return []string{spaces[idType] + key}, nil
}

// Sections returns the sections of a snapshot of publications that pass the filters.
func (fs Filters) Sections(s *snapshot.Snapshot) *roaring.Bitmap {
	pass, ors, one := s.Live().Clone(), false, roaring.New()
	for _, f := range fs {
		switch holds := f.sections(s); f.Lop {
		case "and":
			pass.And(holds)
		case "not":
			pass.AndNot(holds)
		default:
			ors = true
			one.Or(holds)
		}
	}
	if ors {
		pass.And(one)
	}
	return pass
}

func (f Filter) sections(s *snapshot.Snapshot) *roaring.Bitmap {
	some := roaring.New()
	switch {
	case f.test.spans != nil:
		field := strings.Replace(f.Field, "pubyear", "date", 1)
		f.test.collectDays(s, field+":", some)
	case f.Op == "contains":
		prefix := f.Field + ":"
		for key := range s.Keywords(prefix) {
			if f.hits(key[len(prefix):]) {
				some.Or(s.Keyword(key))
			}
		}
	default:
		f.collectValues(s, some)
	}
	if f.denies() {
		all := s.Live().Clone()
		all.AndNot(some)
		return all
	}
	return some
}

// collectValues adds the sections of the values that are meant.
func (f Filter) collectValues(s *snapshot.Snapshot, some *roaring.Bitmap) {
	for _, want := range f.test.values {
		if f.Op != "prefix" {
			some.Or(s.Keyword(f.Field + ":" + want))
			continue
		}
		start, prefix := want, f.Field+":"
		if group, ok := strings.CutSuffix(want, "/00"); ok {
			start = group
		}
		for key := range s.Keywords(prefix + start) {
			if f.hits(key[len(prefix):]) {
				some.Or(s.Keyword(key))
			}
		}
	}
}

// collectDays adds the sections of the days in the spans. Years that lie in a span as a
// whole are taken as such.
func (t test) collectDays(s *snapshot.Snapshot, prefix string, some *roaring.Bitmap) {
	whole := map[int]bool{}
	for key := range s.Keywords(prefix) { // each year comes before its days
		day, _ := strconv.Atoi(key[len(prefix):])
		if day < 10000 {
			whole[day] = t.onYear(day)
		}
		if whole[day] || day >= 10000 && !whole[day/10000] && t.onDay(day) {
			some.Or(s.Keyword(key))
		}
	}
}

// onYear reports whether a span holds a year as a whole.
func (t test) onYear(year int) bool {
	return slices.ContainsFunc(t.spans, func(s days) bool {
		return year*10000+101 >= s.first && (s.last == 0 || year*10000+1231 <= s.last)
	})
}

// CitingKeyword returns the keyword of the publications that cite a number; kind codes do not matter.
func CitingKeyword(number string) string { return "cites:" + ParseNumber(number).Key() }

// PriorityKeywords returns a keyword for each application whose priority the publication claims or, where it claims
// none, for its own application. Publications with the same ones are a simple family.
func (p *Publication) PriorityKeywords() (keys []string) {
	applications := p.Priorities
	if len(applications) == 0 {
		applications = slices.DeleteFunc([]string{p.AppID, p.AppDocID}, func(s string) bool { return s == "" })
		applications = applications[:min(1, len(applications))]
	}
	for _, application := range applications {
		keys = append(keys, "priority:"+ParseNumber(application).Key())
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
