package gazette

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
)

// document is the full text of an application or a grant, as far as it is taken.
type document struct {
	XMLName     xml.Name
	Application *bibliography `xml:"us-bibliographic-data-application"`
	Grant       *bibliography `xml:"us-bibliographic-data-grant"`
	Abstract    []flow        `xml:"abstract"`
	Description []flow        `xml:"description"`
	Claims      []flow        `xml:"claims>claim"`
}

type bibliography struct {
	Publication documentID   `xml:"publication-reference>document-id"`
	Application documentID   `xml:"application-reference>document-id"`
	Priorities  []documentID `xml:"priority-claims>priority-claim"`
	Cited       []documentID `xml:"us-references-cited>us-citation>patcit>document-id"`
	CitedBefore []documentID `xml:"references-cited>citation>patcit>document-id"` // until 2012
	Title       flow         `xml:"invention-title"`
	IPC         []symbol     `xml:"classifications-ipcr>classification-ipcr"`
	MainCPC     []symbol     `xml:"classifications-cpc>main-cpc>classification-cpc"`
	FurtherCPC  []symbol     `xml:"classifications-cpc>further-cpc>classification-cpc"`
	Applicants  []party      `xml:"us-parties>us-applicants>us-applicant"`
	Inventors   []party      `xml:"us-parties>inventors>inventor"`
	Assignees   []party      `xml:"assignees>assignee"`

	// Before 2013 applicants were the inventors.
	OldApplicants []party `xml:"parties>applicants>applicant"`
}

type documentID struct {
	Country string `xml:"country"`
	Number  string `xml:"doc-number"`
	Kind    string `xml:"kind"`
	Date    string `xml:"date"`
}

type symbol struct {
	Section  string `xml:"section"`
	Class    string `xml:"class"`
	Subclass string `xml:"subclass"`
	Group    string `xml:"main-group"`
	Subgroup string `xml:"subgroup"`
}

type party struct {
	name
	Book name `xml:"addressbook"`
}

type name struct {
	Organisation string `xml:"orgname"`
	First        string `xml:"first-name"`
	Last         string `xml:"last-name"`
}

// flow is running text: paragraphs end lines, marks within them do not part words.
type flow string

// blocks are the elements that stand on lines of their own.
var blocks = map[string]bool{"p": true, "heading": true, "claim-text": true, "li": true, "row": true, "br": true,
	"description-of-drawings": true}

// marks stand for the elements that hold no text to search, so that a reader knows that something is there.
var marks = map[string]string{"math": "[formula]", "maths": "[formula]", "chemistry": "[chemical formula]",
	"img": "[image]"}

// UnmarshalXML implements xml.Unmarshaler.
func (f *flow) UnmarshalXML(d *xml.Decoder, _ xml.StartElement) error {
	var b strings.Builder
	for depth := 1; depth > 0; {
		tok, err := d.Token()
		if err != nil {
			return err
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			if mark := marks[tok.Name.Local]; mark != "" {
				b.WriteString(" " + mark + " ")
				if err := d.Skip(); err != nil {
					return err
				}
				continue
			}
			depth++
			breakLine(&b, tok.Name.Local)
		case xml.EndElement:
			depth--
			breakLine(&b, tok.Name.Local)
		case xml.CharData:
			b.WriteString(strings.NewReplacer("\n", " ", "\r", " ").Replace(string(tok)))
		}
	}
	*f = flow(tidy(b.String()))
	return nil
}

func breakLine(b *strings.Builder, element string) {
	switch {
	case blocks[element]:
		b.WriteByte('\n')
	case element == "entry":
		b.WriteByte(' ')
	}
}

// tidy keeps one space between words and no empty line.
func tidy(s string) string {
	var kept []string
	for line := range strings.SplitSeq(s, "\n") {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

var entity = regexp.MustCompile(`<!ENTITY\s+([A-Za-z_][\w.-]*)\s+(?:"([^"<&%]*)"|'([^'<&%]*)')\s*>`)

// encodings are those in which patent offices publish, beside UTF-8. An index of all would link the tables of all.
var encodings = map[string]encoding.Encoding{
	"us-ascii": charmap.Windows1252, "iso-8859-1": charmap.ISO8859_1, "windows-1252": charmap.Windows1252,
	"iso-8859-15": charmap.ISO8859_15, "utf-16": unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
	"shift_jis": japanese.ShiftJIS, "euc-jp": japanese.EUCJP, "iso-2022-jp": japanese.ISO2022JP,
}

// decodeUSPTO reads one document.
func decodeUSPTO(record []byte) (*publication.Publication, error) {
	d := xml.NewDecoder(bytes.NewReader(record))
	d.Entity = maps.Clone(xml.HTMLEntity)
	for _, m := range entity.FindAllSubmatch(record, -1) {
		d.Entity[string(m[1])] = string(m[2]) + string(m[3])
	}
	d.CharsetReader = func(label string, in io.Reader) (io.Reader, error) {
		enc := encodings[strings.ToLower(label)]
		if enc == nil {
			return nil, fmt.Errorf("the encoding %.40q is not known", label)
		}
		return enc.NewDecoder().Reader(in), nil
	}
	var doc document
	if err := d.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("it ends before its first element")
		}
		return nil, fmt.Errorf("not well-formed XML: %w", err)
	}
	b := doc.Application
	if b == nil {
		b = doc.Grant
	}
	if b == nil {
		return nil, fmt.Errorf("<%.60s> is no US application or grant with bibliographic data", doc.XMLName.Local)
	}
	return doc.publication(b)
}

func (doc *document) publication(b *bibliography) (*publication.Publication, error) {
	p := &publication.Publication{
		PubID: b.Publication.id(), AppID: b.Application.id(), Country: b.Publication.Country,
		Title: string(b.Title), Abst: joined(doc.Abstract), Claim: joined(doc.Claims), Desc: joined(doc.Description),
		IPC: symbols(b.IPC), CPC: symbols(append(b.MainCPC, b.FurtherCPC...)),
	}
	p.Citations, p.Priorities = ids(append(b.Cited, b.CitedBefore...)), ids(b.Priorities)
	if doc.Grant != nil {
		p.ExamID = p.PubID
	}
	p.Inventors = names(b.Inventors)
	if p.Applicants = names(append(b.Applicants, b.Assignees...)); len(p.Inventors) == 0 {
		p.Inventors = names(b.OldApplicants)
	}
	for _, date := range []struct {
		from string
		to   *publication.Date
	}{{b.Publication.Date, &p.PublicationDate}, {b.Application.Date, &p.FilingDate}} {
		if *date.to, _ = publication.ParseDate(date.from); date.from != "" && date.to.Year == 0 {
			return nil, fmt.Errorf("%s: %.20q is no date", p.PubID, date.from)
		}
	}
	return p, p.Complete()
}

func (d documentID) id() string {
	if d.Number == "" {
		return ""
	}
	return strings.Join(strings.Fields(d.Country+d.Number+d.Kind), "")
}

// ids returns the numbers of documents.
func ids(list []documentID) (out []string) {
	for _, d := range list {
		if id := d.id(); id != "" {
			out = append(out, id)
		}
	}
	return out
}

func symbols(list []symbol) (codes []string) {
	for _, s := range list {
		codes = append(codes, s.Section+s.Class+s.Subclass+s.Group+"/"+s.Subgroup)
	}
	return codes
}

func names(parties []party) (out []string) {
	seen := map[string]bool{}
	for _, p := range parties {
		for _, n := range []name{p.Book, p.name} {
			s := tidy(n.Organisation)
			if s == "" {
				s = tidy(n.First + " " + n.Last)
			}
			if s != "" && !seen[s] {
				seen[s] = true
				out = append(out, s)
			}
		}
	}
	return out
}

func joined(parts []flow) string {
	texts := make([]string, 0, len(parts))
	for _, p := range parts {
		texts = append(texts, string(p))
	}
	return strings.Join(texts, "\n")
}
