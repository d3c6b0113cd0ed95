package docimport

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
)

func TestAddresses(t *testing.T) {
	n, err := newNetwork([]string{"docs.example.com", "10.1.0.0/16", "localhost"})
	if err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]bool{
		"93.184.216.34": true, "2606:2800:220:1::1": true, "10.1.2.3": true, "127.0.0.1": true, "::1": true,
		"::ffff:127.0.0.1": true, "10.2.0.1": false, "192.168.1.1": false, "172.16.0.1": false, "169.254.169.254": false,
		"100.64.0.1": false, "0.0.0.0": false, "::": false, "224.0.0.1": false, "255.255.255.255": false,
		"fe80::1%eth0": false,
		"fd00::1":      false, "64:ff9b::a00:1": false, "2002:a00:1::": false, "::ffff:10.2.0.1": false, "ff02::1": false,
	} {
		if got := n.allow(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s may be reached: %v", address, got)
		}
	}
}

// A name that is granted may lead to an address that is not: the connection is refused.
func TestANameIsNoGrantOfItsAddress(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	defer s.Close()
	n, err := newNetwork([]string{"127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	n.ranges = nil // as of a name that is resolved to it
	f, err := newFetcher(n)
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	if _, err = f.get(t.Context(), webURL(s.URL), ""); err == nil || !strings.Contains(err.Error(), "is not public") {
		t.Errorf("it was reached: %v", err)
	}
}

// FuzzPageName makes paths of any address: they can be asked for, and are no part of what is hidden.
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

// FuzzLinks reads the links of anything.
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
