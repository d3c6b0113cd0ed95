package publication

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/x/patentcode"
)

// Publication is one record of a collection.
type Publication struct {
	PubID    string `json:"pub_id"` // as written; required
	AppDocID string `json:"app_doc_id,omitempty"`
	AppID    string `json:"app_id,omitempty"`
	ExamID   string `json:"exam_id,omitempty"`

	Title string `json:"title"`
	Abst  string `json:"abst"`
	Claim string `json:"claim"`
	Desc  string `json:"desc"`

	FI     []string `json:"fi,omitempty"`      // see FI.String
	FINorm []string `json:"fi_norm,omitempty"` // those of fi, and more if the record names them
	FT     []string `json:"ft,omitempty"`
	IPC    []string `json:"ipc,omitempty"`
	CPC    []string `json:"cpc,omitempty"`

	Country         string   `json:"country,omitempty"` // two capitals
	FilingDate      Date     `json:"filing_date,omitzero"`
	PublicationDate Date     `json:"publication_date,omitzero"`
	Applicants      []string `json:"applicants,omitempty"`
	Inventors       []string `json:"inventors,omitempty"`
	Citations       []string `json:"citations,omitempty"`  // numbers of documents that it cites
	Priorities      []string `json:"priorities,omitempty"` // numbers of applications whose priority it claims

	// Metadata are the other fields of the record, as they stand there.
	Metadata map[string]json.RawMessage `json:"-"`
}

// Names of a publication's texts (docs/publications.md).
const (
	Title = "title"
	Abst  = "abst"
	Claim = "claim"
	Desc  = "desc"
)

// Texts returns all names of texts, in their order.
func Texts() []string { return []string{Title, Abst, Claim, Desc} }

// Text returns where the text of a name is kept; nil where it names none.
func (p *Publication) Text(name string) *string {
	return map[string]*string{Title: &p.Title, Abst: &p.Abst, Claim: &p.Claim, Desc: &p.Desc}[name]
}

// Fields returns the names of the fields of a record.
var Fields = sync.OnceValue(func() (names []string) {
	for f := range reflect.TypeFor[Publication]().Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "-" {
			names = append(names, name)
		}
	}
	return names
})

// field returns where a field is kept, as a *string, *[]string or *Date; nil where the name is none of [Fields].
func (p *Publication) field(name string) any {
	i := slices.Index(Fields(), name) // Metadata, which has no name, is the last
	if i < 0 {
		return nil
	}
	return reflect.ValueOf(p).Elem().Field(i).Addr().Interface()
}

// aliases are the names under which fields are found elsewhere, the more telling first.
// An alias is read when the field itself says nothing.
var aliases = []struct{ alias, name string }{
	{"publication_number", "pub_id"}, {"abstract", "abst"}, {"claims", "claim"}, {"description", "desc"},
	{"fi_codes", "fi"}, {"ft_codes", "ft"}, {"f_terms", "ft"}, {"fterm", "ft"}, {"ipc_codes", "ipc"},
	{"cpc_codes", "cpc"},
	{"pub_date", "publication_date"}, {"application_date", "filing_date"}, {"app_date", "filing_date"},
	{"applicant", "applicants"}, {"assignees", "applicants"}, {"assignee", "applicants"}, {"inventor", "inventors"},
}

// Decode reads a record: a JSON object with the fields of docs/publications.md, or common
// other names of them. Texts may be lists, lists may be one text or parted by ";" and codes are
// brought to their one writing. The error says what is wrong with the record.
func Decode(record []byte) (*Publication, error) {
	if !utf8.Valid(record) {
		return nil, errors.New("not UTF-8")
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(record, &fields); err != nil {
		return nil, fmt.Errorf("not a JSON object: %w", err)
	}
	if fields == nil {
		return nil, fmt.Errorf("not a JSON object: null")
	}
	for _, a := range aliases {
		switch {
		case !says(fields[a.alias]):
			delete(fields, a.alias)
		case !says(fields[a.name]):
			fields[a.name] = fields[a.alias]
			delete(fields, a.alias)
		}
	}
	d, p := decoder{fields: fields}, new(Publication)
	for _, name := range Fields() {
		switch to := p.field(name).(type) {
		case *string:
			*to = d.text(name)
		case *[]string:
			*to = d.list(name)
		case *Date:
			*to = d.date(name)
		}
	}
	if d.err != nil {
		return nil, d.err
	}
	p.Metadata = fields
	return p, p.Complete()
}

// says reports whether a field holds something.
func says(raw json.RawMessage) bool {
	switch string(raw) {
	case "", "null", `""`, "[]":
		return false
	}
	return true
}

// decoder takes the known fields out of a record and keeps the first error.
type decoder struct {
	fields map[string]json.RawMessage
	err    error
}

// strings reads a field that is a text, a number or a list of these.
func (d *decoder) strings(name string) []string {
	raw := d.fields[name]
	delete(d.fields, name)
	var one any
	if raw == nil || d.err != nil {
		return nil
	}
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.UseNumber()
	_ = dec.Decode(&one) // it was read as JSON
	list, many := one.([]any)
	if !many {
		list = []any{one}
	}
	out := []string{}
	for _, v := range list {
		switch v := v.(type) {
		case string:
			out = append(out, strings.TrimSpace(v))
		case json.Number:
			out = append(out, v.String())
		case nil:
		default:
			d.err = fmt.Errorf("%s must be a text or a list of texts", name)
		}
	}
	return out
}

func (d *decoder) text(name string) string {
	return strings.TrimSpace(strings.Join(d.strings(name), "\n"))
}

func (d *decoder) list(name string) (out []string) {
	for _, s := range d.strings(name) {
		for part := range strings.SplitSeq(s, ";") {
			if part = strings.TrimSpace(part); part != "" {
				out = append(out, part)
			}
		}
	}
	return out
}

func (d *decoder) date(name string) Date {
	s := d.text(name)
	if s == "" {
		return Date{}
	}
	date, ok := ParseDate(s)
	if !ok && d.err == nil {
		d.err = fmt.Errorf("%s is %.40q: it must be a date such as 2023-04-01, 20230401, 2023-04 or 2023", name, s)
	}
	return date
}

// maxValue is the longest number, code or name, in bytes.
const maxValue = 500

// Complete brings codes to their one writing, each once, and fills in fi_norm and the
// country. It reports what a record cannot be without.
func (p *Publication) Complete() error {
	if p.PubID == "" {
		return fmt.Errorf("pub_id is missing")
	}
	if bare(p.PubID) == "" || strings.ContainsFunc(p.PubID, unicode.IsControl) {
		return fmt.Errorf("pub_id is %.40q: it must be one number", p.PubID)
	}
	if p.Title == "" && p.Abst == "" && p.Claim == "" && p.Desc == "" {
		return fmt.Errorf("there is no text: title, abst, claim and desc are empty")
	}
	for _, values := range [][]string{{p.PubID, p.AppDocID, p.AppID, p.ExamID, p.Country}, p.FI, p.FINorm, p.FT, p.IPC,
		p.CPC, p.Applicants, p.Inventors, p.Citations, p.Priorities} {
		for _, v := range values {
			if len(v) > maxValue {
				return fmt.Errorf("%.40q… is longer than %d bytes, too long for a number, a code or a name", v,
					maxValue)
			}
		}
	}
	var norms []string
	for _, code := range p.FI {
		norm, _ := patentcode.NormFI(code)
		norms = append(norms, norm)
	}
	p.FINorm = distinct(append(norms, p.FINorm...),
		func(s string) string { norm, _ := patentcode.NormFI(s); return norm })
	p.FI = distinct(p.FI, func(s string) string { _, full := patentcode.NormFI(s); return full })
	p.FT, p.IPC, p.CPC = distinct(p.FT, patentcode.NormFTerm), distinct(p.IPC, patentcode.NormIPC),
		distinct(p.CPC, patentcode.NormIPC)
	if p.Country = patentcode.Plain(p.Country); p.Country == "" {
		p.Country = ParseNumber(p.PubID).Country
		if p.Country == "JPWO" { // 再表 are Japanese
			p.Country = "JP"
		}
	}
	return nil
}

// distinct returns the values in one writing, in the order of their first.
func distinct(values []string, write func(string) string) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = write(v)
	}
	return Distinct(out)
}

// Distinct returns the values, each once, in the order of their first.
func Distinct(values []string) (out []string) {
	seen := make(map[string]bool, len(values))
	for _, v := range values {
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}

// Encode returns the record on one line, without the end of the line: known fields first,
// then the others by name.
func (p *Publication) Encode() ([]byte, error) {
	type plainRecord Publication
	data, err := toolset.Marshal((*plainRecord)(p))
	if err != nil || len(p.Metadata) == 0 {
		return data, err
	}
	more, err := toolset.Marshal(p.Metadata)
	if err != nil {
		return nil, err
	}
	return append(append(data[:len(data)-1], ','), more[1:]...), nil
}

// EncodeRest returns the record without its texts, as [Publication.Encode] writes it.
func (p *Publication) EncodeRest() ([]byte, error) {
	rest := *p
	rest.Title, rest.Abst, rest.Claim, rest.Desc = "", "", "", ""
	return rest.Encode()
}

// DecodeRest reads what EncodeRest wrote; the texts are the caller's to add. It is an
// eighth of the work of Decode, which a fusion does for each of its publications.
func DecodeRest(record []byte) (*Publication, error) {
	p := new(Publication)
	d := jsontext.NewDecoder(bytes.NewBuffer(record),
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) // whatever encoding/json lets pass
	open, err := d.ReadToken()
	if err == nil && open.Kind() != jsontext.KindBeginObject {
		err = errors.New("it is no JSON object")
	}
	for err == nil && d.PeekKind() == jsontext.KindString {
		err = p.readField(d)
	}
	if err == nil {
		_, err = d.ReadToken()
	}
	if err != nil {
		return nil, fmt.Errorf("read a stored record: %w", err)
	}
	return p, nil
}

// readField reads the name and the value of a stored field.
func (p *Publication) readField(d *jsontext.Decoder) error {
	token, err := d.ReadToken()
	if err != nil {
		return err
	}
	name := token.String()
	switch field := p.field(name).(type) {
	case *string:
		token, err = d.ReadToken()
		*field = token.String()
	case *Date:
		if token, err = d.ReadToken(); err == nil {
			err = field.UnmarshalText([]byte(token.String()))
		}
	case *[]string:
		if _, err = d.ReadToken(); err != nil { // the bracket
			return err
		}
		for err == nil && d.PeekKind() == jsontext.KindString {
			token, err = d.ReadToken()
			*field = append(*field, token.String())
		}
		if err == nil {
			_, err = d.ReadToken()
		}
	default:
		var value jsontext.Value
		if value, err = d.ReadValue(); err == nil {
			if p.Metadata == nil {
				p.Metadata = map[string]json.RawMessage{}
			}
			p.Metadata[name] = json.RawMessage(value.Clone())
		}
	}
	return err
}
