package page

import (
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"
)

// evil is what a manual may contain to harm its reader.
var evil = map[string]string{
	"x/a\"><img src=x onerror=alert(1)>.md": "# <script>alert(1)</script> secret\n\n[secret](javascript:alert(1)) </p></main><script>alert(2)</script>\n",
	"x/b.md":                                "# \u202egnp.exe secret\n\nsecret \u2066hidden\u2069 \u200f text \x1b[31m red \u0085 end\n",
	"x/long.md":                             "# secret " + strings.Repeat("long ", 200_000) + "\n\nsecret " + strings.Repeat("word ", 200_000) + "\n",
	"x/entities.md":                         "# &lt;b&gt; {{.Token}} secret\n\n<style>*{display:none}</style><base href=//evil><a href=\"data:text/html,x\">secret</a> {{template \"layout\"}}\n",
	"<b>y</b>/c.md":                         "# secret of another\n\nsecret\n",
}

// mostPage is the maximum size in bytes of a page over evil texts, mostRead that of a reading of 12,000 characters.
const (
	mostPage = 120 << 10
	mostRead = 400 << 10
)

// harmlessPage fails the test for a page that does more than a page of ours may.
func harmlessPage(t *testing.T, address, page string) {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		attribute := map[string]string{}
		for _, a := range n.Attr {
			attribute[a.Key] = a.Val
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "srcdoc" {
				t.Errorf("%s: <%s %s=%q>", address, n.Data, a.Key, a.Val)
			}
		}
		switch n.Data {
		case "script":
			if attribute["src"] != "page.js" || n.FirstChild != nil {
				t.Errorf("%s: a script of its own", address)
			}
		case "img", "iframe", "object", "embed", "base", "video", "audio":
			t.Errorf("%s: <%s>", address, n.Data)
		}
		for _, name := range []string{"href", "src", "action", "formaction"} {
			u, err := url.Parse(attribute[name])
			if err != nil || u.IsAbs() || u.Host != "" {
				t.Errorf("%s: <%s %s=%q>", address, n.Data, name, attribute[name])
			}
		}
	}
	if i := strings.IndexFunc(page, func(r rune) bool {
		return unicode.Is(unicode.Bidi_Control, r) || unicode.IsControl(r) && r != '\n' && r != '\t'
	}); i >= 0 {
		t.Errorf("%s: a control character: %q", address, page[max(0, i-40):min(len(page), i+40)])
	}
}

func TestHostileManuals(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of pages")
	}
	if runtime.GOOS == "windows" {
		t.Skip("Windows knows no such names of files")
	}
	s := serve(t, evil, nil)
	query := "?q=" + url.QueryEscape(`secret "><script>alert(3)</script> `+"\u202e")
	first := s.get("?q=secret&n=20", "en").Body.String()
	rest := "q=secret&n=1&place=" + url.QueryEscape("<script>alert(4)</script>")
	addresses := map[string]int{
		query: mostPage, "?q=secret&n=20": mostPage, "export?q=secret&n=20": mostPage, "contents?manual=x": mostPage,
		"contents?manual=" + url.QueryEscape("<b>y</b>"): mostPage, "contents": mostPage, "why?" + rest: mostPage,
		"why?q=secret&place=x/long.md": mostPage, "?q=secret&lang=%22%3E%3Cscript%3E": mostPage,
		"compare?q=secret&pair=x/b.md%23L1&pair=x/entities.md%23L1":                    mostPage,
		"fuse?w.loose=1&n=20&trace=" + field(t, first, traces):                         mostPage,
		"fuse?trace=%22%3E%3Cscript%3E&w.%22%3E%3Cscript%3E=1":                         mostPage,
		"judged?w." + url.QueryEscape("\"><script>") + "=1":                            mostPage,
		"read?manual=x&path=long.md":                                                   mostRead,
		"read?manual=x&path=b.md":                                                      mostPage,
		"read?manual=x&path=entities.md":                                               mostPage,
		"read?manual=x&path=" + url.QueryEscape("a\"><img src=x onerror=alert(1)>.md"): mostPage,
		"read?manual=%3Cscript%3E&path=%3Cscript%3E":                                   mostPage,
	}
	for _, l := range languages {
		for address, most := range addresses {
			w := s.get(address, l.Tag)
			page := w.Body.String()
			if w.Code == http.StatusInternalServerError || len(page) > most || !strings.Contains(page, "</html>") {
				t.Errorf("%s: %d, %d bytes", address, w.Code, len(page))
			}
			if csp := w.Header().Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") ||
				strings.Contains(csp, "unsafe") {
				t.Errorf("%s: %s", address, csp)
			}
			if strings.HasPrefix(address, "export") {
				harmlessExport(t, page)
				continue
			}
			harmlessPage(t, address, page)
		}
	}
	for _, want := range []string{"&lt;b&gt; {{.Token}} secret", "javascript:alert(1)"} { // as written
		if !strings.Contains(first, want) {
			t.Errorf("the hits do not show %q", want)
		}
	}
}

// harmlessExport fails the test for a file that does anything but show itself.
func harmlessExport(t *testing.T, page string) {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	styles := 0
	for n := range doc.Descendants() {
		switch n.Data {
		case "script", "link", "form", "a", "img", "iframe", "base", "input", "button":
			if n.Type == html.ElementNode {
				t.Errorf("the export has a <%s>", n.Data)
			}
		case "style":
			if styles++; styles > 1 || strings.Contains(n.FirstChild.Data, "display:none") {
				t.Error("the export has a style of a manual")
			}
		}
	}
	if !strings.Contains(page, `content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;"`) &&
		!strings.Contains(page, `content="default-src 'none'; style-src 'unsafe-inline'"`) {
		t.Error("the export says not what a browser may do with it")
	}
}
