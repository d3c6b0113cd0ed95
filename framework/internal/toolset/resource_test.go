package toolset

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

func TestParseURI(t *testing.T) {
	for _, k := range []struct {
		uri, scheme, path, section, refused string
	}{
		{"manual://aoba-nas/06-disk-raid.md#L12", "manual", "aoba-nas/06-disk-raid.md", "L12", ""},
		{"manual://m/%E8%A8%AD%E5%AE%9A.md#%E4%BF%9D%E8%A8%BC%23", "manual", "m/設定.md", "保証#", ""},
		{"manual://m/設定 a.md#保証 の", "manual", "m/設定 a.md", "保証 の", ""},
		{"VAULT://what?.md", "vault", "what?.md", "", ""},
		{"vault://a.json#/items/0", "vault", "a.json", "/items/0", ""},
		{"vault://a.md#", "vault", "a.md", "", ""},
		{"vault://a%2523.md", "vault", "a%23.md", "", ""},
		{"", "", "", "", "no scheme"},
		{"a.md", "", "", "", "no scheme"},
		{"vault:a.md", "", "", "", "no scheme"},
		{"vault://", "", "", "", "empty"},
		{"vault:///etc/passwd", "", "", "", "empty"},
		{"manual://m//etc/passwd", "", "", "", "empty"},
		{"manual://m/a.md/", "", "", "", "empty"},
		{"manual://../a.md", "", "", "", ". or .."},
		{"manual://m/../../etc/passwd", "", "", "", ". or .."},
		{"manual://m/%2e%2E/a.md", "", "", "", ". or .."},
		{"manual://m/./a.md", "", "", "", ". or .."},
		{"manual://m%2fa.md", "", "", "", "escaped slash"},
		{"manual://m/..%2F..%2Fetc%2Fpasswd", "", "", "", "escaped slash"},
		{`manual://m/..\a.md`, "", "", "", "backslash"},
		{"manual://m/a%5cb.md", "", "", "", "backslash"},
		{"manual://m/a%00.md", "", "", "", "NUL"},
		{"manual://m/a.md#%00", "", "", "", "NUL"},
		{"manual://m/a%0A.md", "", "", "", "control"},
		{"manual://m/a%ff.md", "", "", "", "not UTF-8"},
		{"manual://m/a\xff.md", "", "", "", "not UTF-8"},
		{"manual://m/100%.md", "", "", "", "%25"},
		{"manual://m/" + strings.Repeat("a", maxURI), "", "", "", "too long"},
	} {
		scheme, at, err := ParseURI(k.uri)
		if k.refused != "" {
			if bad, ok := errors.AsType[*Error](err); !ok || bad.Code != InvalidPath || !strings.Contains(bad.Message, k.refused) {
				t.Errorf("%.60q: %v %v %v, want it refused: %s", k.uri, scheme, at, err, k.refused)
			}
			continue
		}
		if want := (Address{k.path, k.section}); err != nil || scheme != k.scheme || at != want {
			t.Errorf("%s: %s %+v, %v, want %+v", k.uri, scheme, at, err, want)
		}
	}
}

func TestPlace(t *testing.T) {
	for section, want := range map[string]struct {
		line  int
		title string
	}{
		"": {0, ""}, "L12": {12, ""}, "L0": {0, "L0"}, "L": {0, "L"}, "L-1": {0, "L-1"}, "L1.5": {0, "L1.5"},
		"L99999999999999999999": {0, "L99999999999999999999"}, "保証": {0, "保証"},
	} {
		if line, title := (Address{Section: section}).Place(); line != want.line || title != want.title {
			t.Errorf("%q: %d, %q", section, line, title)
		}
	}
}

func TestAddressOfARef(t *testing.T) {
	for want, ref := range map[string]Ref{
		"manual://m%3A1/a%20b/c.md#L3": {Target: "manual", ManualID: "m:1", Path: "a b/c.md", StartLine: 3},
		"vault://notes/a%23.md":        {Target: "vault", Path: "notes/a#.md"},
	} {
		if got := ref.Address().URI(ref.Target); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// FuzzParseURI checks that an accepted URI names a path below its root, and survives a round trip.
func FuzzParseURI(f *testing.F) {
	for _, uri := range []string{
		"manual://aoba-nas/06-disk-raid.md#L12", "vault://%E8%A8%88%E7%94%BB.md#%E4%BF%9D", "manual://m/%2e%2e/x", "a://b%2fc",
		"a://b/c%00", "://", "a://%", "a://b#c#d", "a://b?c=d&e", `a://b\c`,
	} {
		f.Add(uri)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		scheme, at, err := ParseURI(uri)
		if err != nil {
			return
		}
		for _, part := range strings.Split(at.Path, "/") {
			if part == "" || part == "." || part == ".." || strings.Contains(part, `\`) || strings.ContainsFunc(part, unicode.IsControl) {
				t.Errorf("%q is read as the path %q", uri, at.Path)
			}
		}
		_, again, err := ParseURI(at.URI(scheme))
		if err != nil && len(at.URI(scheme)) <= maxURI || err == nil && again != at {
			t.Errorf("%q is %+v, whose URI is %+v, %v", uri, at, again, err)
		}
	})
}

func TestComplete(t *testing.T) {
	values := []string{"保守契約", "第3条 保証", "保証の対象", "ｻｰﾊﾞｰ設定", "Server"}
	for typed, want := range map[string][]string{
		"":     values,
		"保証":   {"保証の対象", "第3条 保証"},
		"第三条":  {"第3条 保証"},
		"サーバー": {"ｻｰﾊﾞｰ設定"},
		"SER":  {"Server"},
		"無い":   {},
	} {
		got, total := Complete(typed, values, 100)
		if diff := cmp.Diff(want, got); diff != "" || total != len(want) {
			t.Errorf("%q (-want +got), %d in all:\n%s", typed, total, diff)
		}
	}
	if got, total := Complete("", values, 2); !slices.Equal(got, values[:2]) || total != 5 {
		t.Errorf("%v of %d", got, total)
	}
}
