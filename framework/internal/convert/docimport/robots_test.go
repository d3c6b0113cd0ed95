package docimport

import (
	"strings"
	"testing"
	"time"
)

func TestRobotsRules(t *testing.T) {
	for _, tc := range []struct {
		name, robots, path string
		want               bool
	}{
		{"empty", "", "/a", true},
		{"a page of HTML", "<html><p>disallow: /\n</html>", "/a", true},
		{"no group", "Disallow: /\nUser-agent: other\nDisallow: /\n", "/a", true},
		{"all", "User-agent: *\nDisallow: /", "/a", false},
		{"nothing", "User-agent: *\nDisallow:\n", "/a", true},
		{"byte order mark, CR and comments", "\ufeffUSER-AGENT : * # all\r\rDISALLOW : /a # no\r", "/ab", false},
		{"CR LF", "User-agent: *\r\nDisallow: /a\r\n", "/a", false},
		{"our own group", "User-agent: *\nDisallow: /\nUser-agent: Sagasu\nDisallow: /b\n", "/a", true},
		{"our own group, first", "User-agent: sagasu\nDisallow: /b\nUser-agent: *\nDisallow: /\n", "/b", false},
		{"our own group, empty", "User-agent: sagasu\n\nUser-agent: *\nDisallow: /\n", "/a", false},
		{"our own group, with a version", "User-agent: sagasu/1.0\nDisallow: /\n", "/a", false},
		{"a longer name", "User-agent: sagasu-images\nDisallow: /\n", "/a", true},
		{"a shorter name", "User-agent: saga\nDisallow: /\n", "/a", true},
		{"several agents", "User-agent: a\nUser-agent: sagasu\nUser-agent: b\nDisallow: /\n", "/a", false},
		{"two groups", "User-agent: sagasu\nDisallow: /a\nUser-agent: x\nDisallow: /\nUser-agent: sagasu\nDisallow: /b\n",
			"/b", false},
		{"a sitemap between", "User-agent: *\nSitemap: https://x/\nDisallow: /\n", "/a", false},
		{"the longest", "User-agent: *\nDisallow: /a\nAllow: /a/b\n", "/a/b", true},
		{"the longest, otherwise", "User-agent: *\nAllow: /a\nDisallow: /a/b\n", "/a/b", false},
		{"as long", "User-agent: *\nDisallow: /a\nAllow: /a\n", "/a", true},
		{"a wildcard", "User-agent: *\nDisallow: /*.md\n", "/a/b.md?c", false},
		{"an end", "User-agent: *\nDisallow: /*.md$\n", "/a/b.md?c", true},
		{"an end that holds", "User-agent: *\nDisallow: /*.md$\n", "/a.md/b.md", false},
		{"a whole path", "User-agent: *\nDisallow: /a$\n", "/ab", true},
		{"wildcards begin with the path", "User-agent: *\nDisallow: /private/\nAllow: /public*.html\n",
			"/private/public.html", false},
		{"a query", "User-agent: *\nDisallow: /a?b\n", "/a?bc", false},
		{"Japanese", "User-agent: *\nDisallow: /料金\n", "/%e6%96%99%E9%87%91/a", false},
		{"escapes", "User-agent: *\nDisallow: /%7Ea%2fb\n", "/~a%2Fb", false},
		{"an escape is no slash", "User-agent: *\nDisallow: /a/b\n", "/a%2Fb", true},
		{"an escaped star", "User-agent: *\nDisallow: /%2A\n", "/b", true},
		{"many wildcards", "User-agent: *\nDisallow: /" + strings.Repeat("*a", 100_000) + "b\n", "/" + strings.Repeat("a", 2000),
			true},
	} {
		if got := parseRobots(tc.robots).allows(tc.path); got != tc.want {
			t.Errorf("%s: %s may be fetched: %v", tc.name, tc.path, got)
		}
	}
	for src, want := range map[string]time.Duration{
		"User-agent: *\nCrawl-delay: 1.5\n": 1500 * time.Millisecond, "Crawl-delay: 9\n": 0,
		"User-agent: *\nCrawl-delay: 1e30\n": 1e6 * time.Second, "User-agent: *\nCrawl-delay: NaN\n": 0,
		"User-agent: *\nCrawl-delay: -1\n": 0, "User-agent: x\nCrawl-delay: 9\n": 0,
		"User-agent: *\nCrawl-delay: 9\nUser-agent: sagasu\nCrawl-delay: 2\n": 2 * time.Second,
	} {
		if got := parseRobots(src).delay; got != want {
			t.Errorf("%q asks for %s, want %s", src, got, want)
		}
	}
}
