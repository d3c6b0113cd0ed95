package corpus

import (
	"cmp"
	"path"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

const (
	unpacked = "what it holds is read once it is unpacked"
	asWord   = "it is read when it is saved as .docx"
	asSheet  = "it is read when it is saved as .xlsx"
	asSlides = "it is read when it is saved as .pptx"
	fromNow  = ", and a server uses it from its next start"
)

// documents are the extensions of files that people call documents, with what to do if no converter reads them; ""
// means the general advice. Pictures, code and data are not documents.
var documents = map[string]string{
	".pdf": "sagasu plugin install ./plugins/pdf, in a checkout of sagasu, adds one" + fromNow,
	".zip": "sagasu import docs imports the files in it",
	".gz":  unpacked, ".7z": unpacked, ".rar": unpacked, ".lzh": unpacked,
	".log": "it is read under a name that ends with .txt",
	".doc": asWord, ".dot": asWord, ".rtf": asWord, ".odt": asWord, ".ott": asWord, ".fodt": asWord, ".sxw": asWord,
	".pages": asWord, ".wpd": asWord, ".wps": asWord, ".hwp": asWord, ".hwpx": asWord, ".jtd": asWord,
	".xls": asSheet, ".xlsb": asSheet, ".ods": asSheet, ".fods": asSheet, ".numbers": asSheet,
	".ppt": asSlides, ".pps": asSlides, ".odp": asSlides, ".fodp": asSlides,
	".docx": "", ".docm": "", ".dotx": "", ".xlsx": "", ".xlsm": "", ".pptx": "", ".pptm": "", ".ppsx": "", ".one": "",
	".vsd": "", ".vsdx": "", ".epub": "", ".mobi": "", ".azw": "", ".azw3": "", ".fb2": "", ".chm": "", ".djvu": "",
	".ps": "", ".xps": "", ".oxps": "", ".html": "", ".htm": "", ".xhtml": "", ".mht": "", ".mhtml": "",
	".webarchive": "", ".eml": "", ".msg": "", ".tex": "", ".org": "", ".ipynb": "", ".wiki": "",
	".textile": "",
}

// Unread returns the reason why a document is not part of the manual, by its name, or "" if it is or if the file is not
// a document.
func (m Manual) Unread(name string) string {
	base := strings.TrimPrefix(path.Base(strings.TrimSpace(name)), ".") // .pages is a name without an extension
	ending := strings.ToLower(path.Ext(base))
	what, ok := documents[ending]
	if !ok || m.IsFile(name) || besideOpen(name) {
		return ""
	}
	return "no converter for " + ending + " is installed; " +
		cmp.Or(what, "anybody may write one: sagasu plugin new --converter"+fromNow)
}

// mostUnread is the maximum number of documents of one kind that are listed individually.
const mostUnread = 10

// Gather replaces the rows of many documents of the same kind that no converter reads with one row. Other rows stay.
func Gather(skips []toolset.Skip) []toolset.Skip {
	type kind struct{ manual, reason string }
	count, folder := map[kind]int{}, map[kind]string{}
	for _, s := range skips {
		k := kind{s.ManualID, s.Reason}
		if count[k]++; count[k] == 1 {
			folder[k] = path.Dir(s.Path)
		}
		for folder[k] != path.Dir(folder[k]) && !strings.HasPrefix(s.Path, folder[k]+"/") {
			folder[k] = path.Dir(folder[k])
		}
	}
	out := skips[:0:0] // nil if skips is nil
	for _, s := range skips {
		k := kind{s.ManualID, s.Reason}
		ending := strings.ToLower(path.Ext(strings.TrimSpace(s.Path)))
		n := count[k]
		if s.Reason != (Manual{}).Unread("x"+ending) || n <= mostUnread {
			out = append(out, s)
			continue
		}
		s.Path, s.Files = path.Join(folder[k], "*"+ending), n
		s.Reason = strconv.Itoa(n) + " files: " + s.Reason
		if folder[k] != "" { // else it has its row
			out = append(out, s)
		}
		folder[k] = ""
	}
	return out
}
