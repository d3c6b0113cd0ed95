package docimport

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
)

func TestAddresses(t *testing.T) {
	n, err := newNetwork([]string{"docs.example.com", "10.1.0.0/16", "localhost", "10.3.0.1:8080", "[fd00::2]", "10.3.0.2"})
	if err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]bool{
		"93.184.216.34": true, "2606:2800:220:1::1": true, "10.1.2.3": true, "127.0.0.1": false, "::1": false,
		"::ffff:127.0.0.1": false, "10.2.0.1": false, "192.168.1.1": false, "172.16.0.1": false, "169.254.169.254": false,
		"100.64.0.1": false, "0.0.0.0": false, "::": false, "224.0.0.1": false, "255.255.255.255": false,
		"fe80::1%eth0": false, "10.3.0.1": false, "10.3.0.2": true, "::ffff:10.3.0.2": true, "fd00::2": true,
		"fd00::1": false, "64:ff9b::a00:1": false, "2002:a00:1::": false, "::ffff:10.2.0.1": false, "ff02::1": false,
	} {
		if got := n.allow(netip.AddrPortFrom(netip.MustParseAddr(address), 443)); got != want {
			t.Errorf("%s may be reached: %v", address, got)
		}
	}
	if !n.allow(netip.MustParseAddrPort("10.3.0.1:8080")) {
		t.Error("an address may not be reached at the port that is granted")
	}
}

// TestGrants checks which pages a grant is for.
func TestGrants(t *testing.T) {
	for _, tc := range []struct {
		grant, page string
		want        bool
	}{
		{"docs.example.com", "https://docs.example.com/a", true}, {"docs.example.com", "http://DOCS.example.com/a", true},
		{"docs.example.com", "https://docs.example.com:443/a", true}, {"docs.example.com", "http://docs.example.com:443/", true},
		{"docs.example.com", "https://docs.example.com:8443/a", false}, {"docs.example.com", "https://example.com/", false},
		{"docs.example.com", "https://a.docs.example.com/", false}, {"Docs.Example.com:8443", "https://docs.example.com:8443/", true},
		{"docs.example.com:8443", "https://docs.example.com/", false}, {"docs.example.com:80", "http://docs.example.com/", true},
		{"localhost", "http://localhost/", true}, {"localhost", "http://localhost:9200/", false},
		{"127.0.0.1", "http://127.0.0.1/", true}, {"127.0.0.1", "http://127.0.0.1:9200/", false},
		{"127.0.0.1:9200", "http://127.0.0.1:9200/", true}, {"127.0.0.1:9200", "http://127.0.0.1/", false},
		{"127.0.0.1", "http://127.1/", false}, {"127.0.0.0/8", "http://127.0.0.1/", false},
		{"::1", "http://[::1]/", true}, {"[::1]", "http://[0:0::1]/", true}, {"[::1]:81", "http://[::1]:81/", true},
		{"[::1]:81", "http://[::1]/", false}, {"::ffff:127.0.0.1", "http://127.0.0.1/", false},
	} {
		n, err := newNetwork([]string{tc.grant})
		if err != nil {
			t.Fatal(err)
		}
		if got := n.grants(webURL(tc.page)); got != tc.want {
			t.Errorf("%s grants %s: %v", tc.grant, tc.page, got)
		}
	}
	for _, bad := range []string{"", "*.example.com", "https://example.com", "example.com/", "example.com:0",
		"example.com:65536", "example.com:http", "a b", "me@example.com", ":80", "10.0.0.0/33"} {
		if _, err := newNetwork([]string{bad}); err == nil {
			t.Errorf("%q is a grant", bad)
		}
	}
}

// A granted name may lead to an address that is not granted: the connection is refused, however it was reached.
func TestANameIsNoGrantOfItsAddress(t *testing.T) {
	asked := 0
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer s.Close()
	port := s.URL[strings.LastIndexByte(s.URL, ':'):]
	for _, tc := range []struct {
		host   string
		grants []string
		want   string
	}{
		{"localhost", []string{"localhost"}, "is not granted"},
		{"localhost", []string{"localhost" + port}, "is not public; add --import-network"},
		{"localhost", []string{"localhost" + port, "127.0.0.1:1", "::1:1"}, "is not public"},
		{"localhost", []string{"localhost" + port, "10.0.0.0/8"}, "is not public"},
		{"localhost", []string{"localhost" + port, "127.0.0.1", "::1"}, ""},
		{"localhost", []string{"localhost" + port, "127.0.0.0/8", "::1/128"}, ""},
		{"127.0.0.1", []string{"127.0.0.1"}, "is not granted"},
		{"127.0.0.1", []string{"127.0.0.1" + port}, ""},
	} {
		n, err := newNetwork(tc.grants)
		if err != nil {
			t.Fatal(err)
		}
		f, err := newFetcher(n)
		if err != nil {
			t.Fatal(err)
		}
		asked = 0
		_, err = f.get(t.Context(), webURL("http://"+tc.host+port+"/"), "")
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) ||
			(asked > 0) != (tc.want == "") {
			t.Errorf("%s with %v: %v, asked %d times; want %q", tc.host, tc.grants, err, asked, tc.want)
		}
		f.close()
	}
}

// A server that sends a byte now and then does not hold up an import, and is not asked for robots.txt again.
func TestSlowServers(t *testing.T) {
	var slow atomic.Value
	var asked atomic.Int64
	slow.Store("/a.md")
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		for r.URL.Path == slow.Load() && r.Context().Err() == nil {
			fmt.Fprint(w, "#")
			w.(http.Flusher).Flush()
			time.Sleep(time.Millisecond)
		}
	}))
	defer s.Close()
	n, err := newNetwork([]string{s.Listener.Addr().String()})
	if err != nil {
		t.Fatal(err)
	}
	f, err := newFetcher(n)
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	f.client.Timeout = 50 * time.Millisecond
	late := func() {
		t.Helper()
		if _, err := f.get(t.Context(), webURL(s.URL+"/a.md"), ""); err == nil || !strings.Contains(err.Error(), "in time") {
			t.Errorf("%s: %v", slow.Load(), err)
		}
	}
	late()
	if f.waited < f.client.Timeout {
		t.Errorf("%s were waited", f.waited)
	}
	clear(f.robots)
	slow.Store("/robots.txt")
	asked.Store(0)
	late()
	late()
	if asked.Load() != 1 {
		t.Errorf("asked %d times", asked.Load())
	}
}

// FuzzPageName makes paths from any address: they can be requested and are not hidden.
func FuzzPageName(f *testing.F) {
	for _, path := range []string{
		"/a/b.md", "/", "//", "/.git/x", "/..%2f..%2fx", "/a%00b", "/a:b?c=d", "/%E6%96%99", "/a ", "/node_modules/a",
	} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		u := webURL("https://h.example:8080" + path)
		if u == nil || len(path) > 2000 {
			return
		}
		w := &writer{}
		name, _ := w.nameOf(u, "text/markdown")
		if name == "" {
			t.Fatalf("%q has no name", path)
		}
		if clean, bad := rootfs.Clean("name", name); bad != nil || clean != name || rootfs.Unaskable(name) != "" {
			t.Errorf("%q is %q, which cannot be asked for: %v", path, name, bad)
		}
		for _, part := range strings.Split(name, "/") {
			if corpus.LeftOut(part) || len(part) > 255 {
				t.Errorf("%q is %q, which is left out", path, name)
			}
		}
	})
}

func TestLinksOfMarkdown(t *testing.T) {
	src := "# A\n- [One](one.md): a\n- [Two](</two.md> \"title\") and [three](b_(c).md)\n" +
		"![picture](p.png) [![p](q.png)](four)\n" +
		"<https://five.example/> [six][s] [no] (link) [Q](q?a=1&amp;b=2)\n\n[s]: six.md \"Six\"\n"
	want := []string{"one.md", "/two.md", "b_(c).md", "four", "https://five.example/", "q?a=1&b=2", "six.md"}
	if diff := cmp.Diff(want, linksOfMarkdown([]byte(src))); diff != "" {
		t.Error(diff)
	}
}

// TestListed distinguishes lists of addresses from other texts.
func TestListed(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		addresses  int
		err        string
	}{
		{"a list", "\ufeff# Pages\r\nhttps://a.example/ # one\r\n\r\nhttp://b.example/\r\n", 2, ""},
		{"another scheme", "https://a.example/\nfile:///etc/passwd\n", 1, `2: "file:///etc/passwd" is no`},
		{"words", "# 1\nhttps://a.example/\n\nand this\nftp://b.example/\n", 1, `4: "and this" is no`},
		{"a text with an address", "See here:\nhttps://a.example/\n", 0, ""},
		{"a text with addresses", "https://a.example/\nis the first,\nhttps://b.example/\nis the second.\n", 0, ""},
		{"addresses of other kinds alone", "file:///etc/passwd\nftp://a.example/\n", 0, ""},
		{"remarks alone", "# a\n", 0, ""},
	} {
		got, err := listed([]byte(tc.text))
		if len(got) != tc.addresses || (err == nil) != (tc.err == "") || err != nil &&
			!strings.HasPrefix(err.Error(), tc.err) {
			t.Errorf("%s: %v %v", tc.name, got, err)
		}
	}
}

// FuzzLinks reads the links of any text.
func FuzzLinks(f *testing.F) {
	f.Add([]byte("<a href=x><base href='/b'><a>[a](b) https://c.example"))
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, link := range linksOfMarkdown(src) {
			if u := webURL(link); u != nil {
				_, err := url.Parse(u.String())
				if err != nil {
					t.Errorf("%q: %v", link, err)
				}
			}
		}
		linksOfHTML(src)
		listed(src)
	})
}
