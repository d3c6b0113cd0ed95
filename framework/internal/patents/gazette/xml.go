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
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/sdk/x/charset"
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
	raw  string // the same with its spaces, which part columns
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

// unclosed are elements that SGML leaves open.
var unclosed = []string{"CITED-BY-EXAMINER", "CITED-BY-OTHER", "EMI", "COLSPEC", "CUSTOM-CHARACTER"}

// decodeXML reads one document of a patent office.
func decodeXML(record []byte) (*publication.Publication, error) {
	entities, unknown := entitiesOf(record)
	d := xml.NewDecoder(bytes.NewReader(record))
	d.Entity = entities
	d.CharsetReader = func(label string, in io.Reader) (io.Reader, error) {
		src, err := io.ReadAll(in)
		converted := func(r rune) bool { return r >= utf8.RuneSelf } // and the declaration left as it was
		if err != nil || utf8.Valid(src) && bytes.ContainsFunc(src, converted) {
			return bytes.NewReader(src), err
		}
		text, err := charset.Decode(src, label)
		return bytes.NewReader(text), err
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

// errKind is the error of a document that is not one publication.
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
		if err := doc.read(d, local(root)); err != nil {
			return nil, err
		}
		return doc, alone(d)
	}
}

// alone returns an error where another document follows the one that was read.
func alone(d *xml.Decoder) error {
	for {
		tok, err := d.Token()
		if err != nil {
			return nil // whatever else follows is no publication
		}
		if next, ok := tok.(xml.StartElement); ok {
			return errKind{fmt.Errorf("<%.60s> follows the document: each must begin with its own <?xml … ?>",
				next.Name.Local)}
		}
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
			n.text, n.raw = n.text+string(tok), n.raw+string(tok)
		case xml.StartElement:
			kid, err := readNode(d, local(tok))
			n.kids, n.text, n.raw = append(n.kids, kid), n.text+" "+kid.text, n.raw+kid.raw
			if err != nil {
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
	citation := 0 // where the text of one begins
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
			if mark.whole || numerals[name] {
				if err := d.Skip(); err != nil {
					return "", err
				}
				continue
			}
			depth++
			breakLine(&b, name)
			if places[name] == "citations" {
				citation = b.Len()
			}
		case xml.EndElement:
			depth--
			name := strings.ToLower(tok.Name.Local)
			if places[name] == "citations" { // of 先行技術文献
				doc.nodes["citations"] = append(doc.nodes["citations"], &node{text: tidy(b.String()[citation:])})
			}
			breakLine(&b, name)
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

// tidy keeps one space between words and no empty line, and no heading or mark of a table twice.
func tidy(s string) string {
	var kept []string
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.Join(strings.Fields(line), " ")
		once := strings.HasPrefix(line, "【") || line == "[table]"
		if line != "" && !(once && len(kept) > 0 && kept[len(kept)-1] == line) {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}
