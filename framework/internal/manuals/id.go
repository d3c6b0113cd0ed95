package manuals

import (
	"net/url"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// manualsID is the id of the list of manuals.
const manualsID = "manuals"

// Kinds of items in a listing, which also start their ids.
const (
	kindDir  = "dir"
	kindFile = "file"
)

// itemID returns the id of a folder or file below a manual: kind, manual and path, joined by "::", with characters that
// could be misread or trimmed escaped. [parseID] can parse every such id.
func itemID(kind, manual, path string) string {
	return kind + "::" + idEscapes.Replace(manual) + "::" + idEscapes.Replace(path)
}

var idEscapes = strings.NewReplacer("%", "%25", ":", "%3A", " ", "%20", "\u3000", "%E3%80%80")

// parseID splits an item's id. kind is "" for anything else, such as a manual's name.
func parseID(id string) (kind, manual, path string, err error) {
	kind, rest, ok := strings.Cut(id, "::")
	if !ok || kind != kindDir && kind != kindFile {
		return "", "", "", nil
	}
	manual, path, ok = strings.Cut(rest, "::")
	manual, err1 := url.PathUnescape(manual)
	path, err2 := url.PathUnescape(path)
	if !ok || err1 != nil || err2 != nil || manual == "" {
		return "", "", "", toolset.Invalid("id", id, "an id from an earlier listing, unchanged")
	}
	return kind, manual, path, nil
}

// manualID returns the id of a manual in a listing: its name, unless that looks like another id.
func manualID(name string) string {
	kind, _, isItem := strings.Cut(name, "::")
	if name == manualsID || isItem && (kind == kindDir || kind == kindFile) {
		return itemID(kindDir, name, "")
	}
	return name
}
