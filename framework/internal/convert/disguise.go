package convert

import (
	"io"
	"path"
	"slices"
	"strings"
)

// forms are kinds of files that people rename, with how they begin and the extensions that belong to each.
var forms = []struct {
	begin, name string
	endings     []string
}{
	{"%pdf-", "a PDF", []string{".pdf"}},
	{"pk\x03\x04", "a file of Office, an EPUB or a zip archive",
		[]string{".docx", ".docm", ".dotx", ".dotm", ".pptx", ".pptm", ".ppsx", ".ppsm",
			".xlsx", ".xlsm", ".xltx", ".xltm",
			".epub", ".zip"}},
	{"<!doctype html", "a web page", nil},
	{"<html", "a web page", nil},
	{"<?xml", "a web page or XML", nil},
	{`{\rtf`, "RTF", nil},
}

// disguise returns what a file seems to be if it begins as files with its extension never do, or "".
func disguise(name string, content io.ReaderAt) string {
	head := make([]byte, 64)
	n, _ := content.ReadAt(head, 0) // missing bytes show nothing
	begin := strings.ToLower(strings.TrimLeft(string(head[:n]), "\ufeff \t\r\n"))
	ending, seems, known := strings.ToLower(path.Ext(name)), "", false
	for _, f := range forms {
		own, met := slices.Contains(f.endings, ending), strings.HasPrefix(begin, f.begin)
		if own && met {
			return ""
		}
		if known = known || own; met {
			seems = f.name
		}
	}
	if !known {
		return ""
	}
	return seems
}
