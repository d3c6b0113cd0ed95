package gazette

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
	"github.com/sagasu-search/sagasu/sdk/x/patentcode"
)

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
		p.Applicants = publication.Distinct(append(p.Applicants, doc.names("assignees")...))
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
	country, number := cmp.Or(n.first(countriesOf...), doc.country), n.first(numbersOf...)
	if number == "" && len(n.kids) == 0 {
		number = n.text
	}
	return written(country, dated(n, country, number), "", "特願")
}

var twoDigitYear = lazyregexp.New(`^[0-9]{1,2}[-/]([0-9]{1,6})$`)

// dated returns a number with its year in four digits: two digits of Japan are of 平成 or of
// the common era, as the date says.
func dated(n *node, country, number string) string {
	year := twoDigitYear().FindStringSubmatch(number)
	digits := n.first(datesOf...)
	if len(digits) < 4 || country != "JP" || year == nil {
		return number
	}
	return fmt.Sprintf("%s-%06s", digits[:4], year[1])
}

// cited returns the number of a document that is cited, in parts or in words such as 特開２０１５－１２３４５６（ＪＰ，Ａ）;
// of a kind that we do not read, such as 実開平, as it is written.
func (doc *document) cited(n *node) string {
	if number := n.first(numbersOf...); number != "" {
		country := cmp.Or(n.first(countriesOf...), doc.country)
		return written(country, dated(n, country, number), n.first(kindsOf...), "")
	}
	text := n.text
	if at := strings.IndexAny(text, "(（"); at > 0 {
		text = text[:at]
	}
	if !strings.ContainsFunc(text, unicode.IsDigit) {
		return ""
	}
	return publication.PlainNumber(text)
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
	case country == "US" && !strings.HasPrefix(number, "PCT"):
		number = strings.TrimLeft(withoutMarks.Replace(number), "0")
	case country == "JP" && publication.ParseNumber(number).Country == "JP": // 特願2015-123456
		return number
	}
	if strings.HasPrefix(number, country) || strings.HasPrefix(number, "PCT") {
		return number + code
	}
	return country + number + code
}

// withoutMarks leaves out what parts the digits of 16/123,456.
var withoutMarks = strings.NewReplacer("/", "", ",", "")

// numbers returns the distinct numbers of a field.
func (doc *document) numbers(field string, read func(*node) string) (out []string) {
	for _, n := range doc.nodes[field] {
		for _, one := range n.claims() {
			if id := read(one); id != "" {
				out = append(out, id)
			}
		}
	}
	return publication.Distinct(out)
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
		} else if m := columns().FindStringSubmatch(strings.TrimSpace(n.raw)); m != nil {
			code = m[1] + strings.TrimSpace(m[2]) + "/" + m[3]
		}
		if field == "fi" { // 分冊識別記号 follows 展開記号 without a mark
			code = fileIndex().ReplaceAllString(patentcode.Plain(code), " $1@$2")
		}
		if code = strings.TrimSpace(code); code != "" {
			out = append(out, code)
		}
	}
	return publication.Distinct(out)
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
	return publication.Distinct(out)
}

var newlines = strings.NewReplacer("\n", " ", "\r", " ")
