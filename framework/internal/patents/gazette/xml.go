package gazette

import (
	"bytes"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
	"github.com/sagasu-search/sagasu/sdk/x/patentcode"
)

// document is what is taken of the XML of a publication, by the field of a record that it is meant for.
type document struct {
	kind
	texts map[string][]string
	nodes map[string][]*node
}

// node is an element whose parts mean something together, such as a name.
type node struct {
	name string // without its space, in small letters
	text string // of all that is in it
	kids []*node
}

// first returns the text of the first element in n with one of the names.
func (n *node) first(names ...string) string {
	for _, kid := range n.kids {
		if slices.Contains(names, kid.name) {
			return kid.text
		}
		if text := kid.first(names...); text != "" {
			return text
		}
	}
	return ""
}

// encodings are those in which patent offices publish, beside UTF-8. An index of all would link the tables of all.
var encodings = map[string]encoding.Encoding{
	"us-ascii": charmap.Windows1252, "iso-8859-1": charmap.ISO8859_1, "windows-1252": charmap.Windows1252,
	"iso-8859-15": charmap.ISO8859_15, "utf-16": unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
	"shift_jis": japanese.ShiftJIS, "euc-jp": japanese.EUCJP, "iso-2022-jp": japanese.ISO2022JP,
}

// unclosed are elements that SGML leaves open.
var unclosed = []string{"CITED-BY-EXAMINER", "CITED-BY-OTHER", "EMI", "CLREF", "COLSPEC", "CUSTOM-CHARACTER"}

// decodeXML reads one document of a patent office.
func decodeXML(record []byte) (*publication.Publication, error) {
	entities, unknown := entitiesOf(record)
	d := xml.NewDecoder(bytes.NewReader(record))
	d.Entity = entities
	d.CharsetReader = func(label string, in io.Reader) (io.Reader, error) {
		enc := encodings[strings.ToLower(label)]
		if enc == nil {
			return nil, fmt.Errorf("the encoding %.40q is not known", label)
		}
		return enc.NewDecoder().Reader(in), nil
	}
	if bytes.Contains(record, []byte("<PATDOC")) { // SGML, written nearly as XML
		d.Strict, d.AutoClose = false, unclosed
	}
	doc, err := readDocument(d)
	if errors.Is(err, io.EOF) {
		err = errors.New("it ends before its first element")
	}
	if bad, ok := errors.AsType[errKind](err); ok {
		return nil, bad
	} else if err != nil {
		return nil, fmt.Errorf("not well-formed XML: %w", err)
	}
	p, err := doc.publication()
	if err == nil && len(unknown) > 0 {
		p.Metadata = map[string]json.RawMessage{}
		p.Metadata[UnknownEntities], err = json.Marshal(unknown)
	}
	return p, err
}

// errKind is the error of a document that is no publication.
type errKind struct{ error }

func readDocument(d *xml.Decoder) (*document, error) {
	for {
		tok, err := d.Token()
		if err != nil {
			return nil, err
		}
		root, ok := tok.(xml.StartElement)
		if !ok {
			continue
		}
		kind, known := kinds[local(root)]
		if !known {
			return nil, errKind{fmt.Errorf("<%.60s> is no publication of the US or the Japanese office in a form "+
				"that is known", root.Name.Local)}
		}
		if code := attribute(root, "kind-of-st16"); code != "" {
			kind.code = code
		}
		doc := &document{kind, map[string][]string{}, map[string][]*node{}}
		return doc, doc.read(d, local(root))
	}
}

func local(e xml.StartElement) string { return strings.ToLower(e.Name.Local) }

// attribute returns the value of the first attribute whose name ends so.
func attribute(e xml.StartElement, end string) string {
	for _, a := range e.Attr {
		if strings.HasSuffix(strings.ToLower(a.Name.Local), end) {
			return a.Value
		}
	}
	return ""
}

// read takes what is in an element up to its end.
func (doc *document) read(d *xml.Decoder, name string) error {
	for {
		tok, err := d.Token()
		if err != nil {
			return err
		}
		switch tok := tok.(type) {
		case xml.EndElement:
			return nil
		case xml.StartElement:
			if err := doc.element(d, name, tok); err != nil {
				return err
			}
		}
	}
}

// element takes an element in another by the place that the table of places gives it.
func (doc *document) element(d *xml.Decoder, parent string, e xml.StartElement) error {
	name := local(e)
	field, known := places[parent+"/"+name]
	if !known {
		field, known = places[name]
	}
	switch {
	case field == "" && known, strings.Contains(name, "amendment"): // the text as it was published stands before it
		return d.Skip()
	case field == "":
		return doc.read(d, name)
	case slices.Contains(publication.Texts(), field):
		text, err := doc.flow(d)
		if field == publication.Claim {
			text = doc.numbered(text, len(doc.texts[field])+1)
		}
		doc.texts[field] = append(doc.texts[field], text)
		return err
	}
	n, err := readNode(d, name)
	doc.nodes[field] = append(doc.nodes[field], n)
	return err
}

// readNode reads an element whole.
func readNode(d *xml.Decoder, name string) (*node, error) {
	n := &node{name: name}
	for {
		tok, err := d.Token()
		if err != nil {
			return n, err
		}
		switch tok := tok.(type) {
		case xml.EndElement:
			n.text = tidy(n.text)
			return n, nil
		case xml.CharData:
			n.text += string(tok)
		case xml.StartElement:
			kid, err := readNode(d, local(tok))
			if n.kids, n.text = append(n.kids, kid), n.text+" "+kid.text; err != nil {
				return n, err
			}
		}
	}
}

// numbered returns a claim with the heading that a Japanese one is printed with.
func (doc *document) numbered(claim string, n int) string {
	if doc.country != "JP" || strings.HasPrefix(claim, "【") {
		return claim
	}
	return fmt.Sprintf("【請求項%d】\n%s", n, claim)
}

// flow reads running text up to the end of its element: paragraphs end lines, marks within them do not part words.
// Formulas, tables and images leave a mark.
func (doc *document) flow(d *xml.Decoder) (string, error) {
	var b strings.Builder
	for depth := 1; depth > 0; {
		tok, err := d.Token()
		if err != nil {
			return "", err
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			name := local(tok)
			heading, mark := headings[name], marks[name]
			if heading != "" && doc.country == "JP" {
				b.WriteString("\n【" + heading + "】\n")
			}
			if mark.english != "" {
				b.WriteString(doc.mark(mark, cmp.Or(attribute(tok, "num"), attribute(tok, "number"))))
			}
			if mark.whole || name == "claimnumber" {
				if err := d.Skip(); err != nil {
					return "", err
				}
				continue
			}
			depth++
			breakLine(&b, name)
		case xml.EndElement:
			depth--
			breakLine(&b, strings.ToLower(tok.Name.Local))
		case xml.CharData:
			b.WriteString(newlines.Replace(string(tok)))
		}
	}
	return tidy(b.String()), nil
}

// mark returns what stands for an element without text to search; Japanese ones are numbered as they are in print.
func (doc *document) mark(m mark, number string) string {
	switch {
	case doc.country == "JP" && m.japanese != "":
		return "\n【" + m.japanese + strings.TrimLeft(number, "0") + "】\n"
	case m.whole:
		return " [" + m.english + "] "
	}
	return "\n[" + m.english + "]\n"
}

func breakLine(b *strings.Builder, element string) {
	switch {
	case blocks[element]:
		b.WriteByte('\n')
	case cells[element]:
		b.WriteByte(' ')
	}
}

// tidy keeps one space between words and no empty line, and no heading twice.
func tidy(s string) string {
	var kept []string
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.Join(strings.Fields(line), " ")
		if line != "" && !(strings.HasPrefix(line, "【") && len(kept) > 0 && kept[len(kept)-1] == line) {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// publication makes a record of the document.
func (doc *document) publication() (*publication.Publication, error) {
	if len(doc.nodes["pub_id"]) == 0 {
		return nil, errors.New("the number of the publication is missing")
	}
	if printed := doc.nodes["kind"]; len(printed) > 0 && doc.code == "" {
		doc.code = printed[0].text
	}
	pub := doc.nodes["pub_id"][0]
	p := &publication.Publication{
		PubID: doc.published(pub), Country: doc.country, Title: doc.title(),
		Abst: doc.joined(publication.Abst), Claim: doc.joined(publication.Claim), Desc: doc.joined(publication.Desc),
		IPC: doc.codes("ipc"), CPC: doc.codes("cpc"), FI: doc.codes("fi"), FT: doc.codes("ft"),
		Inventors: doc.names("inventors"), Applicants: doc.names("applicants"),
		Citations: doc.numbers("citations", doc.cited), Priorities: doc.numbers("priorities", doc.applied),
	}
	var filed string
	if app := doc.nodes["app_id"]; len(app) > 0 {
		p.AppID, filed = doc.applied(app[0]), app[0].first(datesOf...)
	}
	if len(doc.names("assignees")) > 0 {
		p.Applicants = distinct(append(p.Applicants, doc.names("assignees")...))
	}
	if len(p.Inventors) == 0 && doc.country == "US" {
		p.Inventors = doc.names("applicants or inventors") // applicants were the inventors before 2013
	} else if len(p.Applicants) == 0 {
		p.Applicants = doc.names("applicants or inventors")
	}
	if doc.grant || publication.ParseNumber(p.PubID).Type == publication.ExaminedNumber {
		p.ExamID = p.PubID
	}
	for _, date := range []struct {
		from string
		to   *publication.Date
	}{{pub.first(datesOf...), &p.PublicationDate}, {filed, &p.FilingDate}} {
		if *date.to, _ = publication.ParseDate(date.from); date.from != "" && date.to.Year == 0 {
			return nil, fmt.Errorf("%s: %.20q is no date", p.PubID, date.from)
		}
	}
	return p, p.Complete()
}

func (doc *document) joined(field string) string { return strings.Join(doc.texts[field], "\n") }

func (doc *document) title() string {
	if titles := doc.texts[publication.Title]; len(titles) > 0 {
		return strings.ReplaceAll(titles[0], "\n", " ")
	}
	return ""
}

// kindCode ends a number, alone or in the brackets of 公開特許公報（Ａ）.
var kindCode = lazyregexp.New(`(?:^|\()([A-Z][0-9]?)\)?$`)

// published returns the number of a publication of the document's office, as sagasu writes it.
func (doc *document) published(n *node) string {
	number := n.first(numbersOf...)
	for _, code := range []string{n.first(kindsOf...), doc.code} {
		if m := kindCode().FindStringSubmatch(patentcode.Plain(code)); m != nil {
			return written(doc.country, number, m[1], "")
		}
	}
	return written(doc.country, number, "", "")
}

// applied returns the number of an application.
func (doc *document) applied(n *node) string {
	country, number := n.first(countriesOf...), n.first(numbersOf...)
	if number == "" && len(n.kids) == 0 {
		number = n.text
	}
	if country == "" {
		country = doc.country
	}
	return written(country, dated(n, country, number), "", "特願")
}

var twoDigitYear = lazyregexp.New(`^[0-9]{1,2}[-/]([0-9]{1,6})$`)

// dated returns a number with its year in four digits: two of Japan are of 平成 or of the common era, the date tells.
func dated(n *node, country, number string) string {
	year := twoDigitYear().FindStringSubmatch(number)
	digits := n.first(datesOf...)
	if len(digits) < 4 || country != "JP" || year == nil {
		return number
	}
	return fmt.Sprintf("%s-%06s", digits[:4], year[1])
}

// cited returns the number of a document that is cited, in parts or in words such as 特開２０１５－１２３４５６（ＪＰ，Ａ）.
func (doc *document) cited(n *node) string {
	if number := n.first(numbersOf...); number != "" {
		country := n.first(countriesOf...)
		if country == "" {
			country = doc.country
		}
		return written(country, dated(n, country, number), n.first(kindsOf...), "")
	}
	text := n.text
	if at := strings.IndexAny(text, "(（"); at > 0 {
		text = text[:at]
	}
	if number := publication.ParseNumber(text); number.Country == "" {
		return ""
	}
	return strings.TrimSpace(text)
}

// ofYear is a number of Japan with its year, as other offices write it too.
var ofYear = lazyregexp.New(`^(?:JP|P)?([12][0-9]{3})[-/]?([0-9]{6})$`)

// written returns a number in the form in which sagasu keeps it; prefix is for those of Japan that have a year.
func written(country, number, code, prefix string) string {
	number = strings.Join(strings.Fields(number), "")
	switch m := ofYear().FindStringSubmatch(number); {
	case number == "":
		return ""
	case country == "JP" && m != nil && prefix != "":
		return prefix + m[1] + "-" + m[2]
	case country == "JP" && m != nil:
		return "JP" + m[1] + "-" + m[2] + code
	case country == "US":
		number = strings.TrimLeft(number, "0")
	case country == "JP" && publication.ParseNumber(number).Country == "JP": // 特願2015-123456
		return number
	}
	if strings.HasPrefix(number, country) || strings.HasPrefix(number, "PCT") {
		return number + code
	}
	return country + number + code
}

// numbers returns the distinct numbers of a field.
func (doc *document) numbers(field string, read func(*node) string) (out []string) {
	for _, n := range doc.nodes[field] {
		for _, one := range n.claims() {
			if id := read(one); id != "" {
				out = append(out, id)
			}
		}
	}
	return distinct(out)
}

// claims returns the priorities of a B300, which stand in it one after the other, each beginning with a B310; any
// other node as it is.
func (n *node) claims() (out []*node) {
	if n.name != "b300" {
		return []*node{n}
	}
	for _, kid := range n.kids {
		if kid.name == "b310" {
			out = append(out, new(node))
		}
		if len(out) > 0 {
			last := out[len(out)-1]
			last.kids = append(last.kids, kid)
		}
	}
	return out
}

var (
	edition   = lazyregexp.New(`[（(].*$`)
	fileIndex = lazyregexp.New(` ([0-9]{3})([A-Z])$`)
	columns   = lazyregexp.New(`^([A-H][0-9]{2}[A-Z])([ 0-9]{3})([0-9]{2,})$`) // of the seventh edition of the IPC
)

// codes returns the classification codes of a field.
func (doc *document) codes(field string) (out []string) {
	for _, n := range doc.nodes[field] {
		code := edition().ReplaceAllString(n.text, "")
		if section := n.first("section"); section != "" {
			code = section + n.first("class") + n.first("subclass") + n.first("main-group") + "/" + n.first("subgroup")
		} else if m := columns().FindStringSubmatch(code); m != nil {
			code = m[1] + strings.TrimSpace(m[2]) + "/" + m[3]
		}
		if field == "fi" { // 分冊識別記号 follows 展開記号 without a mark
			code = fileIndex().ReplaceAllString(patentcode.Plain(code), " $1@$2")
		}
		if code = strings.TrimSpace(code); code != "" {
			out = append(out, code)
		}
	}
	return distinct(out)
}

// names returns the distinct names of people and organisations.
func (doc *document) names(field string) (out []string) {
	for _, n := range doc.nodes[field] {
		name := n.first("orgname", "organization-name", "onm", "entityname")
		if name == "" {
			name = tidy(n.first("first-name", "given-name", "fnm") + " " + n.first("middle-name") + " " +
				n.first("last-name", "family-name", "snm"))
		}
		if name == "" {
			name = n.first("name")
		}
		if name != "" {
			out = append(out, name)
		}
	}
	return distinct(out)
}

func distinct(values []string) (out []string) {
	for _, v := range values {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

var newlines = strings.NewReplacer("\n", " ", "\r", " ")
