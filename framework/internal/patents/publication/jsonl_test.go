package publication

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func readAll(t *testing.T, text string) (all []*Publication, lines []int, refused []Refused) {
	t.Helper()
	r := NewReader(strings.NewReader(text))
	r.Refuse = func(bad Refused) { refused = append(refused, bad) }
	for {
		p, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all, lines, refused
		} else if err != nil {
			t.Fatal(err)
		}
		all, lines = append(all, p), append(lines, r.Line())
	}
}

func TestReadRecords(t *testing.T) {
	all, lines, refused := readAll(t, "\xef\xbb\xbf"+`{"pub_id":"JP2023-000001A","title":"顔認証","abst":null,"fi":["g06v 10/82A","Ｇ０６Ｖ１０／８２"],"ft":"5B089 AA01; 5B089AA02","publication_date":20230401,"filing_date":"2021-12","inventors":["甲","乙"],"legal":{"state":"open"}}
`+"\r\n"+`{"pub_id":"X1"}
{"title":"no id"}
[1]
null
{"pub_id":"X2","title":"a","publication_date":"soon"}
{"pub_id":"X3","title":{"ja":"a"}}
{"pub_id":"X4","title":"`+"\xff"+`"}
{"publication_number":"US20240051333A1","abstract":"A spoke.","claims":["1. A","2. B"],"cpc_codes":["B60B 1/041"],"fi_codes":[],"assignee":"ACME"}
{"pub_id":"---","title":"a"}
{"pub_id":["X5","X6"],"title":"a"}`)
	want := []*Publication{
		{
			PubID: "JP2023-000001A", Title: "顔認証", FI: []string{"G06V10/82A", "G06V10/82"}, FINorm: []string{"G06V10/82"},
			FT: []string{"5B089AA01", "5B089AA02"}, Country: "JP", PublicationDate: Date{2023, 4, 1}, FilingDate: Date{2021, 12, 0},
			Inventors: []string{"甲", "乙"}, Metadata: map[string]json.RawMessage{"legal": json.RawMessage(`{"state":"open"}`)},
		},
		{PubID: "US20240051333A1", Abst: "A spoke.", Claim: "1. A\n2. B", CPC: []string{"B60B1/041"}, Country: "US", Applicants: []string{"ACME"}, Metadata: map[string]json.RawMessage{}},
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{1, 10}, lines); diff != "" {
		t.Error(diff)
	}
	reasons := map[int]string{3: "no text", 4: "pub_id is missing", 5: "not a JSON object", 6: "not a JSON object", 7: "publication_date", 8: "title must be", 9: "not UTF-8",
		11: "one number", 12: "one number"}
	for _, r := range refused {
		if !strings.Contains(r.Reason, reasons[r.Line]) || reasons[r.Line] == "" {
			t.Errorf("refused %+v", r)
		}
		delete(reasons, r.Line)
	}
	if len(reasons) > 0 {
		t.Errorf("not refused: %v", reasons)
	}
	if refused[0].ID != "X1" {
		t.Errorf("the refused record is called %q", refused[0].ID)
	}
}

// Each value is looked up among those before it, not compared with all of them: that would outlast the test.
func TestManyValues(t *testing.T) {
	values := make([]string, 1<<20)
	for i := range values {
		values[i] = strconv.Itoa(i)
	}
	got := Distinct(append(values, values...))
	if len(got) != len(values) || got[0] != values[0] || got[len(got)-1] != values[len(values)-1] {
		t.Errorf("%d values of %d", len(got), len(values))
	}
}

func TestLongLines(t *testing.T) {
	long := strings.Repeat("あ", 100_000)
	all, _, refused := readAll(t, `{"pub_id":"A","title":"`+long+"\"}\n"+`{"pub_id":"B","title":"b"}`)
	if len(all) != 2 || all[0].Title != long || len(refused) > 0 {
		t.Errorf("%d records, refused %v", len(all), refused)
	}
	r := NewReader(io.MultiReader(strings.NewReader(`{"pub_id":"A","title":"`), io.LimitReader(endless{}, MaxRecord), strings.NewReader("\"}\n"+`{"pub_id":"B","title":"b"}`)))
	var bad []Refused
	r.Refuse = func(b Refused) { bad = append(bad, b) }
	p, err := r.Next()
	if err != nil || p.PubID != "B" || r.Line() != 2 || len(bad) != 1 || bad[0].Line != 1 || bad[0].Reason != ErrTooLong.Error() {
		t.Errorf("%v, %v, refused %v", p, err, bad)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestReadErrorsAreTheReaders(t *testing.T) {
	broken := errors.New("disk")
	r := NewReader(io.MultiReader(strings.NewReader(`{"pub_id":"A","title":"a"}`+"\n"), failing{broken}))
	if p, err := r.Next(); err != nil || p.PubID != "A" {
		t.Fatal(p, err)
	}
	if _, err := r.Next(); !errors.Is(err, broken) {
		t.Error(err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		`{"pub_id":"JP2023-000001A","title":"顔認証","fi":["G06V10/82A"],"publication_date":"2023-04","x":1}`,
		`{"pub_id":1,"claims":["a",2],"fi":[],"fi_codes":"G06V;G06F"}`, `{`, `{"pub_id":null}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, record []byte) {
		p, err := Decode(record)
		if err != nil {
			return
		}
		line, err := p.Encode()
		if err != nil || bytes.ContainsAny(line, "\n\r") {
			t.Fatalf("%s: %v", line, err)
		}
		again, err := Decode(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		sameWithoutTexts(t, p)
		second, err := again.Encode()
		if diff := cmp.Diff(string(line), string(second)); err != nil || diff != "" {
			t.Fatalf("%v (-first +second):\n%s", err, diff)
		}
	})
}

// sameWithoutTexts wants of a stored record what went in.
func sameWithoutTexts(t *testing.T, p *Publication) {
	t.Helper()
	record, err := p.EncodeRest()
	if err != nil {
		t.Fatal(err)
	}
	got, err := DecodeRest(record)
	if err != nil {
		t.Fatalf("%s: %v", record, err)
	}
	want := *p
	want.Title, want.Abst, want.Claim, want.Desc = "", "", "", ""
	if diff := cmp.Diff(&want, got, cmpopts.EquateEmpty(), cmp.Transformer("text", func(m json.RawMessage) string { return compact(t, m) })); diff != "" {
		t.Fatalf("%s (-put +got):\n%s", record, diff)
	}
}

func compact(t *testing.T, raw json.RawMessage) string {
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestAStoredRecordIsReadAsItWas(t *testing.T) {
	for name, record := range map[string]string{
		"everything": `{"pub_id":"JP2023-123456A","app_doc_id":"JP2022001234","app_id":"特願2022-1234","exam_id":"特許7000001","title":"顔認証",
			"fi":["G06V10/82,330A"],"fi_norm":["G06F3/00"],"ft":["5B089 AA01"],"ipc":["G06V 10/82"],"cpc":["G06V 10/82"],"country":"jp",
			"filing_date":"2022-01","publication_date":"20230401","applicants":["甲;乙"],"inventors":["丙"],"family":{"id":[1,2]}}`,
		"names that differ in case": `{"pub_id":"JP1","abst":"x","FI":["no code"],"Pub_ID":7,"fi":["G06V10/82"]}`,
		"names that stand twice":    `{"pub_id":"JP1","abst":"x","family":{"id":1,"id":2}}`,
		"half a surrogate pair":     `{"pub_id":"JP1","abst":"x","note":"\ud83d"}`,
		"nothing more":              `{"pub_id":"JP1","abst":"x"}`,
	} {
		t.Run(name, func(t *testing.T) {
			p, err := Decode([]byte(record))
			if err != nil {
				t.Fatal(err)
			}
			sameWithoutTexts(t, p)
		})
	}
	for _, broken := range []string{"", "[]", `{"fi":1}`, `{"filing_date":"soon"}`} {
		if p, err := DecodeRest([]byte(broken)); err == nil {
			t.Errorf("%s is read as %+v", broken, p)
		}
	}
}
