package docimport

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"

	"golang.org/x/net/html"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// mostLinks is the maximum number of links of one page, mostURL that of bytes of an address.
const (
	mostLinks = 10_000
	mostURL   = 2000
)

// webURL parses a web address and drops its fragment. It returns nil for any other text.
func webURL(s string) *url.URL {
	u, err := url.Parse(strings.TrimSpace(s))
	if len(s) > mostURL || err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" ||
		u.User != nil {
		return nil
	}
	u.Fragment, u.RawFragment, u.Host = "", "", strings.ToLower(u.Host)
	return u
}

// remark matches a comment in a list.
var remark = lazyregexp.New(`(^|\s)#.*`)

// listed returns the addresses in a text that has one on each line, besides comments that begin with #, or nil for any
// other text. A text is also a list if most of its lines are addresses; then it fails at the first line that is not.
func listed(src []byte) (out []*url.URL, err error) {
	text, _, _ := corpus.Decoded(src)
	n, addresses, words := 0, 0, 0
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) {
		n++
		if line = strings.TrimSpace(remark().ReplaceAllString(line, "")); line == "" {
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

// markdownLink finds links, pictures and link definitions, as far as lists of links need it. It takes linear time,
// which a full Markdown parser does not.
var markdownLink = lazyregexp.New(`(?m)(!?)(?:\[[^\[\]]*|\))\]\(\s*<?([^\s<>()]+(?:\([^\s<>()]*\)[^\s<>()]*)*)` +
	`|<(https?://[^\s<>]+)>|^ {0,3}\[[^\[\]]+\]:[ \t]*<?([^\s<>]+)`)

func linksOfMarkdown(src []byte) (out []string) {
	for _, m := range markdownLink().FindAllSubmatch(src, mostLinks) {
		if len(m[1]) == 0 { // not a picture
			out = append(out, html.UnescapeString(string(m[2])+string(m[3])+string(m[4])))
		}
	}
	return out
}

// linksOfHTML returns the links of a page, and its base address.
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
