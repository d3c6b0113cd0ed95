package docimport

import (
	"bytes"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/net/html"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
)

// mostLinks bounds the links of one page, mostURL an address in bytes.
const (
	mostLinks = 10_000
	mostURL   = 2000
)

// webURL parses an address on the web, without the part of the page; nil for another.
func webURL(s string) *url.URL {
	u, err := url.Parse(strings.TrimSpace(s))
	if len(s) > mostURL || err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" ||
		u.User != nil {
		return nil
	}
	u.Fragment, u.RawFragment, u.Host = "", "", strings.ToLower(u.Host)
	return u
}

// remark begins what is no part of a line of a list.
var remark = regexp.MustCompile(`(^|\s)#.*`)

// listed returns the addresses of a text that holds one on each line, besides remarks that begin with #; nil for any
// other text. A text is a list, too, if most of its lines are addresses, and fails at the first line that is none.
func listed(src []byte) (out []*url.URL, err error) {
	text, _, _ := corpus.Decoded(src)
	n, addresses, words := 0, 0, 0
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) {
		n++
		if line = strings.TrimSpace(remark.ReplaceAllString(line, "")); line == "" {
			continue
		}
		if strings.Contains(line, "://") && !strings.ContainsAny(line, " \t") {
			addresses++
		} else {
			words++
		}
		if u := webURL(line); u != nil {
			out = append(out, u)
		} else if err == nil {
			err = fmt.Errorf("%d: %.100q is no http or https URL", n, line)
		}
	}
	if err != nil && (len(out) == 0 || addresses <= words) {
		return nil, nil
	}
	return out, err
}

// markdownLink finds links, pictures and definitions of links, as far as lists of links need it. It takes a time in
// proportion to the text, which a parser of all of Markdown does not.
var markdownLink = regexp.MustCompile(`(?m)(!?)(?:\[[^\[\]]*|\))\]\(\s*<?([^\s<>()]+(?:\([^\s<>()]*\)[^\s<>()]*)*)` +
	`|<(https?://[^\s<>]+)>|^ {0,3}\[[^\[\]]+\]:[ \t]*<?([^\s<>]+)`)

func linksOfMarkdown(src []byte) (out []string) {
	for _, m := range markdownLink.FindAllSubmatch(src, mostLinks) {
		if len(m[1]) == 0 { // no picture
			out = append(out, html.UnescapeString(string(m[2])+string(m[3])+string(m[4])))
		}
	}
	return out
}

// linksOfHTML returns what a page links to, and the address that it says its links start from.
func linksOfHTML(src []byte) (out []string, base string) {
	z := html.NewTokenizer(bytes.NewReader(src))
	z.SetMaxBuf(1 << 20)
	for len(out) < mostLinks {
		switch z.Next() {
		case html.ErrorToken:
			return out, base
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			tag := string(name)
			if tag != "a" && tag != "base" {
				continue
			}
			for more {
				var key, value []byte
				if key, value, more = z.TagAttr(); string(key) != "href" {
					continue
				}
				if tag == "base" && base == "" {
					base = string(value)
				} else if tag == "a" {
					out = append(out, string(value))
				}
			}
		}
	}
	return out, base
}
