package page

import (
	"html/template"
	"net/http"
)

// export answers a query with one file that shows everything by itself: without script, links and network.
func (q *request) export() error {
	found, err := q.find()
	if err != nil {
		return err
	}
	html, err := q.draw(view{Page: "search", Title: q.text("q"), Static: true, Body: found})
	if err != nil {
		return err
	}
	q.w.Header().Set("Content-Disposition", `attachment; filename="sagasu.html"`)
	return q.write(http.StatusOK, html)
}

// style returns the stylesheet, for a file that must hold it.
func style() (template.CSS, error) {
	css, err := assets.ReadFile("assets/page.css")
	return template.CSS(css), err
}
