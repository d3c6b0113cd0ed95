package page

import (
	"bytes"
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"unicode"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// request is one request with the language of its answer.
type request struct {
	*page
	*locale
	w http.ResponseWriter
	r *http.Request
}

// value returns a parameter of the address or the form, without white space around it.
func (q *request) value(name string) string { return strings.TrimSpace(q.r.FormValue(name)) }

// text returns a parameter that is shown again, without control characters and characters that reverse text.
func (q *request) text(name string) string {
	return strings.ReplaceAll(harmless(q.value(name)), string(unicode.ReplacementChar), "")
}

// number returns a parameter that must be an integer from low to high, or otherwise if it is missing.
func (q *request) number(name string, otherwise, low, high int) (int, error) {
	text := q.value(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high {
		return 0, toolset.Invalid(name, text, "a number from "+strconv.Itoa(low)+" to "+strconv.Itoa(high))
	}
	return n, nil
}

// view is what every template gets.
type view struct {
	Page     string // the name of the template and of the navigation entry
	Title    string
	Query    string
	Manual   string // the searched manual, "" for all
	Limit    string // of hits
	Static   bool   // drawn into one file, without forms, links and script
	Judging  bool   // judgements are taken
	Measures bool   // and can be measured
	Examines bool   // the state can be shown
	Switch   []choice
	Manuals  []string
	Body     any
}

// choice is another language and the same page in it.
type choice struct{ Tag, Name, Address string }

// show draws a page.
func (q *request) show(name, title string, body any) error {
	out, err := q.draw(view{Page: name, Title: title, Body: body})
	if err != nil {
		return err
	}
	return q.write(http.StatusOK, out)
}

func (q *request) draw(v view) ([]byte, error) {
	v.Examines = q.Examine != nil
	v.Judging = q.judged.path != "" && !v.Static
	v.Measures = v.Judging && q.Measure != nil
	v.Query, v.Manual, v.Limit = q.text("q"), q.value("manual"), cmp.Or(q.value("n"), strconv.Itoa(defaultHits))
	if !v.Static {
		v.Manuals = q.listManuals()
		for _, l := range q.locales {
			if l.Tag != q.Tag {
				v.Switch = append(v.Switch, choice{l.Tag, l.Name, q.in(l)})
			}
		}
	}
	var out bytes.Buffer
	err := q.templates.ExecuteTemplate(&out, "layout", v)
	return out.Bytes(), err
}

// in returns the address of this page in another language. What a form sent is not repeated.
func (q *request) in(l *locale) string {
	if q.r.Method != http.MethodGet {
		return ".?lang=" + l.Tag
	}
	values := q.r.URL.Query()
	values.Set("lang", l.Tag)
	return "?" + values.Encode()
}

func (q *request) write(status int, html []byte) error {
	q.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	q.w.Header().Set("Content-Language", q.Tag)
	q.w.Header().Add("Vary", "Accept-Language, Cookie")
	q.w.WriteHeader(status)
	_, err := q.w.Write(html)
	return err
}

// missing answers an address that does not exist.
func (q *request) missing() error { return toolset.Errorf(toolset.NotFound, "there is no such page") }

// statuses are the HTTP statuses of codes; all others are 400 Bad Request.
var statuses = map[toolset.Code]int{
	toolset.NotFound: http.StatusNotFound, toolset.Forbidden: http.StatusForbidden,
	toolset.NotAvailable: http.StatusServiceUnavailable, toolset.Internal: http.StatusInternalServerError,
}

// fail shows an error as a page.
func (q *request) fail(wrong *toolset.Error) error {
	out, err := q.draw(view{Page: "error", Title: q.name("error"), Body: wrong})
	if err != nil {
		return err
	}
	return q.write(cmp.Or(statuses[wrong.Code], http.StatusBadRequest), out)
}
