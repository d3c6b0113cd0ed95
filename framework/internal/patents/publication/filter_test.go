package publication

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// filtered returns the publication that the tables filter.
func filtered(t testing.TB) *Publication {
	p, err := Decode([]byte(`{"pub_id":"JP2023-123456A","title":"顔認証","fi":["G06V10/82A@Z","G06F3/041,330","G06T7/00,350@C"],"ft":["5B089AA01"],
		"ipc":["G06V 10/82"],"cpc":["G06V10/82"],"publication_date":"2023-04-15","filing_date":"2021-12","applicants":["株式会社アオゾラ"],"inventors":["Yamada Taro","山田　花子"]}`))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestFilters(t *testing.T) {
	p := filtered(t)
	for _, c := range []struct {
		filters string
		want    bool
	}{
		{`null`, true}, {`[]`, true}, {``, true},
		{`[{"lop":"and","field":"fi","op":"in","value":["G06V10/82","X"]}]`, true},
		{`[{"lop":"and","field":"fi","op":"in","value":"ｇ０６ｖ 10/82"}]`, true},
		{`[{"lop":"and","field":"fi","op":"=","value":"G06V10/82A@Z"}]`, true},
		{`[{"lop":"and","field":"fi","op":"=","value":"G06V10/82B"}]`, false},
		{`[{"lop":"and","field":"fi","op":"=","value":"G06F3/041"}]`, false},
		{`[{"lop":"and","field":"fi","op":"=","value":"G06T 7/00 350C"}]`, true},
		{`[{"lop":"and","field":"fi","op":"prefix","value":"G06T7/00,350C"}]`, true},
		{`[{"lop":"and","field":"fi","op":"!=","value":"G06T7/00,350C"}]`, false},
		{`[{"lop":"and","field":"fi","op":"=","value":"G06T7/00,350D"}]`, false},
		{`[{"lop":"and","field":"inventor","op":"=","value":"山田花子"}]`, true},
		{`[{"lop":"and","field":"inventor","op":"contains","value":"田 花"}]`, true},
		{`[{"lop":"and","field":"inventor","op":"=","value":"yamadataro"}]`, false},
		{`[{"lop":"and","field":"pub_id","op":"=","value":"US2024"}]`, false},
		{`[{"lop":"and","field":"fi","op":"prefix","value":"G06F3/041"}]`, true},
		{`[{"lop":"and","field":"fi","op":"prefix","value":"G06V1"}]`, false},
		{`[{"lop":"and","field":"fi","op":"prefix","value":["H01L","G06V10/00"]}]`, true},
		{`[{"lop":"and","field":"fi","op":"not_in","value":["G06V10/82"]}]`, false},
		{`[{"lop":"AND","field":"ft","op":"IN","value":["5B089 AA01"]}]`, true},
		{`[{"lop":"and","field":"ft","op":"prefix","value":"5B089"}]`, true},
		{`[{"lop":"and","field":"ft","op":"=","value":"5B089"}]`, false},
		{`[{"lop":"and","field":"ipc","op":"eq","value":"G06V0010820000"}]`, true},
		{`[{"lop":"and","field":"cpc","op":"contains","value":"10/8"}]`, true},
		{`[{"lop":"not","field":"cpc","op":"prefix","value":"G06V"}]`, false},
		{`[{"lop":"not","field":"cpc","op":"neq","value":"G06V10/82"}]`, true},
		{`[{"lop":"and","field":"country","op":"in","value":["jp"]}]`, true},
		{`[{"lop":"and","field":"date","op":"=","value":"2023"}]`, true},
		{`[{"lop":"and","field":"date","op":"in","value":["2022","2023-04"]}]`, true},
		{`[{"lop":"and","field":"date","op":">","value":"2023"}]`, false},
		{`[{"lop":"and","field":"publication_date","op":"between","value":["2022","2023"]}]`, true},
		{`[{"lop":"and","field":"assignee","op":"startswith","value":"株式会社"}]`, true},
		{`[{"lop":"and","field":"date","op":">","value":"2022"}]`, true},
		{`[{"lop":"and","field":"date","op":"gte","value":20230415}]`, true},
		{`[{"lop":"and","field":"date","op":"lt","value":"2023-04-15"}]`, false},
		{`[{"lop":"and","field":"date","op":"lte","value":"2023-04"}]`, true},
		{`[{"lop":"and","field":"date","op":"range","value":["2023-04","2023-04"]}]`, true},
		{`[{"lop":"and","field":"date","op":"range","value":[null,"2023-03"]}]`, false},
		{`[{"lop":"and","field":"date","op":"range","value":["2023",null]}]`, true},
		{`[{"lop":"and","field":"filing_date","op":"<","value":"2021-12-02"}]`, true},
		{`[{"lop":"and","field":"pubyear","op":"in","value":[2022,2023]}]`, true},
		{`[{"lop":"and","field":"pubyear","op":"!=","value":2023}]`, false},
		{`[{"lop":"and","field":"applicant","op":"contains","value":"ｱｵｿﾞﾗ"}]`, true},
		{`[{"lop":"and","field":"inventor","op":"=","value":"YAMADA TARO"}]`, true},
		{`[{"lop":"and","field":"inventor","op":"prefix","value":"taro"}]`, false},
		{`[{"lop":"and","field":"pub_id","op":"in","value":["特開2023-123456"]}]`, true},
		{`[{"lop":"and","field":"pub_id","op":"in","value":["JP2023123456"]}]`, true},
		{`[{"lop":"and","field":"pub_id","op":"prefix","value":"JP2023-12"}]`, true},
		{`[{"lop":"or","field":"country","op":"=","value":"US"},{"lop":"or","field":"country","op":"=","value":"JP"}]`, true},
		{`[{"lop":"or","field":"country","op":"=","value":"US"},{"lop":"and","field":"country","op":"=","value":"JP"}]`, false},
		{`[{"lop":"and","field":"country","op":"=","value":"JP"},{"lop":"not","field":"date","op":"=","value":"2023"}]`, false},
	} {
		fs, bad := ParseFilters(json.RawMessage(c.filters))
		if bad != nil {
			t.Errorf("%s: %v", c.filters, bad)
			continue
		}
		if got := fs.Match(p); got != c.want {
			t.Errorf("%s: %v", c.filters, got)
		}
	}
	bare := &Publication{PubID: "X1", Title: "x"}
	for filters, want := range map[string]bool{
		`[{"lop":"and","field":"date","op":"<","value":"2030"}]`:          false,
		`[{"lop":"and","field":"date","op":"range","value":[null,null]}]`: false,
		`[{"lop":"and","field":"date","op":"!=","value":"2030"}]`:         true,
		`[{"lop":"and","field":"fi","op":"not_in","value":["G06V"]}]`:     true,
		`[{"lop":"and","field":"applicant","op":"contains","value":"a"}]`: false,
		`[{"lop":"not","field":"filing_date","op":">=","value":"1900"}]`:  true,
		`[{"lop":"or","field":"inventor","op":"=","value":"Yamada"}]`:     false,
	} {
		fs, bad := ParseFilters(json.RawMessage(filters))
		if bad != nil || fs.Match(bare) != want {
			t.Errorf("without values, %s: %v", filters, bad)
		}
	}
}

func TestBadFiltersNameTheEntry(t *testing.T) {
	for _, c := range []struct{ filters, parameter, message string }{
		{`{"lop":"and"}`, "filters", "must be a list"},
		{`["fi"]`, "filters[0]", "must be an object"},
		{`[null]`, "filters[0]", "must be an object"},
		{`[{"lop":"and","field":"fi","op":"in","value":["G06V"]},{"field":"fi","op":"in","value":["G06V"]}]`, "filters[1].lop", "is missing"},
		{`[{"lop":"xor","field":"fi","op":"in","value":["G06V"]}]`, "filters[0].lop", `"xor"`},
		{`[{"lop":"and","field":"fii","op":"in","value":["G06V"]}]`, "filters[0].field", `"fii"`},
		{`[{"lop":"and","op":"in","value":["G06V"]}]`, "filters[0].field", "is missing"},
		{`[{"lop":"and","field":"fi","op":">","value":"G06V"}]`, "filters[0].op", "for the field fi"},
		{`[{"lop":"and","field":"date","op":"prefix","value":"2023"}]`, "filters[0].op", "for the field date"},
		{`[{"lop":"and","field":"fi","op":"in"}]`, "filters[0].value", "is missing"},
		{`[{"lop":"and","field":"fi","op":"in","value":[]}]`, "filters[0].value", "empty list"},
		{`[{"lop":"and","field":"fi","op":"=","value":["a","b"]}]`, "filters[0].value", "is a list"},
		{`[{"lop":"and","field":"fi","op":"in","value":[1]}]`, "filters[0].value", "no text"},
		{`[{"lop":"and","field":"date","op":"in","value":["2023","2023-13"]}]`, "filters[0].value", `"2023-13"`},
		{`[{"lop":"and","field":"date","op":"=","value":true}]`, "filters[0].value", "no date"},
		{`[{"lop":"and","field":"date","op":"range","value":"2023"}]`, "filters[0].value", "list of two"},
		{`[{"lop":"and","field":"date","op":"range","value":["2023","2022"]}]`, "filters[0].value", "ends before"},
		{`[{"lop":"and","field":"pubyear","op":"=","value":"2023-04"}]`, "filters[0].value", "no date"},
		{`[{"lop":"and","field":"fi","op":"in","value":["G06V"],"values":1}]`, "filters[0]", "unknown part"},
	} {
		_, bad := ParseFilters(json.RawMessage(c.filters))
		if bad == nil {
			t.Errorf("%s was taken", c.filters)
			continue
		}
		if bad.Code != toolset.FilterError || bad.Details["parameter"] != c.parameter || !strings.Contains(bad.Message, c.message) || bad.Details["example"] == nil {
			t.Errorf("%s: %v %v", c.filters, bad, bad.Details)
		}
	}
	_, bad := ParseFilters(json.RawMessage(`[{"lop":"and","field":"applicants","op":"in","value":["a"]}]`))
	if near := bad.Details["did_you_mean"]; fmt.Sprint(near) != "[applicant]" {
		t.Errorf("did you mean %v", near)
	}
}

func TestABadFilterIsHandedBackCorrected(t *testing.T) {
	for _, c := range []struct{ filters, message, example string }{
		{`[{"field":"country","op":"=","value":"US"}]`, "lop is missing", `[{"field":"country","lop":"and","op":"=","value":"US"}]`},
		{`[{"lop":"and","field":"ipc","value":"H05K"}]`, "op is missing", `[{"field":"ipc","lop":"and","op":"prefix","value":"H05K"}]`},
		{`[{"lop":"and","field":"applicants","op":"in","value":["a"]}]`, `is "applicants"`, `[{"field":"applicant","lop":"and","op":"in","value":["a"]}]`},
		{`[{"lop":{"a":1},"field":"fi","op":"in","value":["G06V"]}]`, `is {"a":1}, which`, `[{"field":"fi","lop":"and","op":"in","value":["G06V"]}]`},
		{`[{"lop":"or","field":"fi","op":">","value":"G06V"}]`, `is ">", which`, `[{"field":"fi","lop":"or","op":"prefix","value":"G06V"}]`},
		{`[{"lop":"and","field":"fi","op":"in","value":[null]}]`, "holds null, which", `[{"field":"fi","lop":"and","op":"in","value":["G06V10/82"]}]`},
		{`[{"lop":"and","field":"applicant","op":"contains","value":{"a":1}}]`, `holds {"a":1}, which`, `[{"field":"applicant","lop":"and","op":"contains","value":"株式会社アオゾラ"}]`},
		{`[{"lop":"and","field":"applicant","op":"=","value":["A","B"]}]`, "is a list", `[{"field":"applicant","lop":"and","op":"=","value":"A"}]`},
		{`[{"lop":"and","field":"date","op":">=","value":"last year"}]`, `holds "last year", which`, `[{"field":"date","lop":"and","op":">=","value":"2023-04-01"}]`},
		{`[{"lop":"and","field":"date","op":"range","value":["2023","2022"]}]`, "ends before", `[{"field":"date","lop":"and","op":"range","value":["2022","2023"]}]`},
		{`[{"lop":"and","field":"pubyear","op":"in","value":[2022,"x"]}]`, `holds "x", which`, `[{"field":"pubyear","lop":"and","op":"in","value":[2022]}]`},
		{`[{"lop":"and","field":"pubyear","op":"range","value":2022}]`, "list of two", `[{"field":"pubyear","lop":"and","op":"range","value":["2020","2023"]}]`},
		{`[{"lop":"and","field":"date","op":"<>","value":"2022","values":1}]`, `part "values"`, `[{"field":"date","lop":"and","op":"!=","value":"2022"}]`},
		{`[{"lop":"and","field":"fi","op":"prefix","value":"G06V"},{"lop":"and","field":"country","value":"US"}]`, "op is missing",
			`[{"field":"fi","lop":"and","op":"prefix","value":"G06V"},{"field":"country","lop":"and","op":"in","value":"US"}]`},
		{`{"field":"country","op":"=","value":"US"}`, "must be a list", `[{"field":"country","lop":"and","op":"=","value":"US"}]`},
		{`"x"`, "must be a list", `[{"field":"fi","lop":"and","op":"in","value":["G06V10/82"]}]`},
		{`{}`, "must be a list", `[{"field":"fi","lop":"and","op":"in","value":["G06V10/82"]}]`},
	} {
		_, bad := ParseFilters(json.RawMessage(c.filters))
		if bad == nil {
			t.Errorf("%s was taken", c.filters)
			continue
		}
		example, err := toolset.Marshal(bad.Details["example"].(map[string]any)["filters"])
		if err != nil || string(example) != c.example || !strings.Contains(bad.Message, c.message) || bad.Details["got"] == nil {
			t.Errorf("%s: %v, got %v, example %s", c.filters, bad, bad.Details["got"], example)
		}
	}
	_, bad := ParseFilters(json.RawMessage(`[{"lop":"and","field":"fi","op":"in","value":["` + strings.Repeat("長", 5000) + `"],"and":1}]`))
	if got, _ := bad.Details["got"].(string); len(got) < 100 || len(got) > 4000 {
		t.Errorf("%d bytes of a long filter are repeated", len(got))
	}
}

var (
	someCodes  = []string{"G06V10/82", "G06V10/82A@Z", "G06V10/00", "G06V1/00", "G06V", "G06F3/041,330", "G06F3/041", "H04N5/232@Z"}
	someDates  = []string{"2022", "2022-12-31", "2023", "2023-01-01", "2023-04", "2023-04-15", "2024-02-29"}
	someNames  = []string{"アオゾラ", "ｱｵｿﾞﾗ商会", "Aozora Inc.", "acme"}
	someThemes = []string{"5B089AA01", "5B089AA02", "5B089BB01", "5L096AA06"}
)

func genPublication(i int) *rapid.Generator[*Publication] {
	return rapid.Custom(func(t *rapid.T) *Publication {
		list := func(name string, of []string) []string {
			return rapid.SliceOfN(rapid.SampledFrom(of), 0, 3).Draw(t, name)
		}
		date := func(name string) Date {
			d, _ := ParseDate(rapid.SampledFrom(append([]string{""}, someDates...)).Draw(t, name))
			return d
		}
		p := &Publication{
			PubID: fmt.Sprintf("JP2023-%06dA", i), Title: "x", FI: list("fi", someCodes), FT: list("ft", someThemes),
			IPC: list("ipc", someCodes[:5]), CPC: list("cpc", someCodes[:5]), PublicationDate: date("date"), FilingDate: date("filed"),
			Applicants: list("applicants", someNames), Inventors: list("inventors", someNames),
		}
		if err := p.Complete(); err != nil {
			t.Fatal(err)
		}
		return p
	})
}

func genFilter(t *rapid.T, label string) map[string]any {
	field := rapid.SampledFrom(FilterFields()).Draw(t, label+" field")
	op := rapid.SampledFrom(fieldOps[field]).Draw(t, label+" op")
	pool := map[string][]string{"ft": append(someThemes, "5B089", "5B089AA"), "applicant": someNames, "inventor": someNames,
		"country": {"JP", "US"}, "pub_id": {"JP2023-000001A", "特開2023-000002", "JP2023-00000", "0003"},
		"date": someDates, "filing_date": someDates, "pubyear": {"2022", "2023", "2024"}}[field]
	if pool == nil {
		pool = append(someCodes, "G06", "G06V10")
	}
	value := func(n string) any { return rapid.SampledFrom(pool).Draw(t, label+n) }
	f := map[string]any{"lop": rapid.SampledFrom([]string{"and", "or", "not"}).Draw(t, label+" lop"), "field": field, "op": op, "value": value(" v")}
	switch op {
	case "in", "not_in":
		f["value"] = []any{value(" a"), value(" b")}
	case "range":
		a, b := value(" a").(string), value(" b").(string)
		if a > b {
			a, b = b, a
		}
		f["value"] = []any{a[:4], b}
	}
	return f
}

// What filters say of records, they say of the sections of a snapshot.
func TestFiltersOverASnapshot(t *testing.T) {
	var all []*Publication
	w := snapshot.NewWriter(snapshot.Schema{Kind: snapshot.KindPublication, Fields: []string{"title"}})
	w.AddFile(snapshot.File{Path: "a.jsonl"})
	for i := range 200 {
		p := genPublication(i).Example(i)
		all = append(all, p)
		w.Add(snapshot.Section{Parent: snapshot.None}, []string{p.Title}, p.Keywords()...)
	}
	s := publish(t, w)
	rapid.Check(t, func(t *rapid.T) {
		var entries []any
		for i := range rapid.IntRange(0, 4).Draw(t, "filters") {
			entries = append(entries, genFilter(t, fmt.Sprint(i)))
		}
		raw, _ := json.Marshal(entries)
		fs, bad := ParseFilters(raw)
		if bad != nil {
			t.Fatalf("%s: %v", raw, bad)
		}
		want := roaring.New()
		for i, p := range all {
			if fs.Match(p) {
				want.Add(uint32(i))
			}
		}
		if got := fs.Sections(s); !got.Equals(want) {
			t.Fatalf("%s: sections %v, records %v", raw, got, want)
		}
	})
}

func publish(t testing.TB, w *snapshot.Writer) *snapshot.Snapshot {
	t.Helper()
	dir := t.TempDir()
	name, err := snapshot.NextName(dir, snapshot.KindPublication)
	if err != nil {
		t.Fatal(err)
	}
	info, err := w.WriteFile(context.Background(), dir, snapshot.SegmentFile(name))
	if err != nil {
		t.Fatal(err)
	}
	err = snapshot.Publish(dir, snapshot.Manifest{
		Name: name, Kind: snapshot.KindPublication, Fields: []string{"title"}, Segments: []snapshot.SegmentInfo{info}, Version: snapshot.FormatVersion,
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := snapshot.Open(dir, name, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func FuzzParseFilters(f *testing.F) {
	for _, s := range []string{
		`[{"lop":"and","field":"fi","op":"in","value":["G06V10/82"]}]`, `[{"lop":"not","field":"date","op":"range","value":[null,"2023-03"]}]`,
		`[{"lop":"or","field":"pub_id","op":"prefix","value":"特開"}]`, `[{}]`, `{`, `[{"lop":1}]`, `{"field":"date","op":"range","value":["2024",2023]}`,
	} {
		f.Add([]byte(s))
	}
	p := filtered(f)
	f.Fuzz(func(t *testing.T, raw []byte) {
		fs, bad := ParseFilters(raw)
		if bad != nil {
			if bad.Code != toolset.FilterError || bad.Details["parameter"] == nil {
				t.Fatalf("%s: %v", raw, bad)
			}
			example := bad.Details["example"].(map[string]any)["filters"]
			again, err := json.Marshal(example)
			if _, bad := ParseFilters(again); bad != nil || err != nil {
				t.Fatalf("%s: the example %s: %v, %v", raw, again, bad, err)
			}
			return
		}
		for _, filter := range fs {
			yes, no := filter, filter
			yes.Lop, no.Lop = "and", "not"
			if (Filters{yes}).Match(p) == (Filters{no}).Match(p) {
				t.Fatalf("%+v holds and does not", filter)
			}
		}
	})
}

// Match reports whether a publication passes the filters, by their definition.
func (fs Filters) Match(p *Publication) bool {
	ors, one := false, false
	for _, f := range fs {
		switch holds := f.match(p); {
		case f.Lop == "or":
			ors, one = true, one || holds
		case holds == (f.Lop == "not"):
			return false
		}
	}
	return one || !ors
}

// match reports whether the condition holds, its lop apart.
func (f Filter) match(p *Publication) bool {
	some := false
	if day, isDate := p.day(f.Field); isDate {
		some = f.test.onDay(day)
	} else {
		some = slices.ContainsFunc(p.values(f.Field), f.hits)
	}
	return some != f.denies()
}
