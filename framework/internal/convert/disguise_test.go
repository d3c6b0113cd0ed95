package convert

import (
	"strings"
	"testing"
)

func TestDisguise(t *testing.T) {
	for _, tc := range []struct{ name, content, want string }{
		{"a.pdf", "%PDF-1.7\n", ""}, {"a.PDF", "PK\x03\x04", "a file of Office, an EPUB or a zip archive"},
		{"a.docx", "%PDF-1.7\n", "a PDF"}, {"a.docx", "\ufeff\n<!DOCTYPE HTML>", "a web page"},
		{"a.docx", `{\rtf1`, "RTF"}, {"a.docx", "PK\x03\x04", ""}, {"a.epub", "", ""}, {"a.pdf", "\x00\x01", ""},
		{"a.html", "%PDF-1.7\n", ""}, {"a.told", "%PDF-1.7\n", ""},
	} {
		if got := disguise(tc.name, strings.NewReader(tc.content)); got != tc.want {
			t.Errorf("%s with %q seems to be %q, want %q", tc.name, tc.content, got, tc.want)
		}
	}
}
