package manuals

import (
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// alternatives is the maximum number of places in a JSON file that a wrong pointer is compared with.
const alternatives = 1000

// pointer returns the JSON pointer of a ref, or "" if it has none. It fails if the pointer leads to no value.
func (d *document) pointer(ref Ref) (string, error) {
	if ref.JSONPath == nil || *ref.JSONPath == "" { // "" means the whole file
		return "", nil
	}
	pointer := *ref.JSONPath
	switch {
	case !corpus.IsJSON(d.path):
		return "", toolset.Invalid("ref.json_path", pointer, "left out: the file is no .json file")
	case !strings.HasPrefix(pointer, "/"):
		return "", toolset.Invalid("ref.json_path", pointer, "a JSON pointer, such as /items/0/name")
	}
	if _, _, ok := corpus.JSONValue(d.text, pointer); !ok {
		near := corpus.JSONSiblings(d.text, pointer, alternatives)
		return "", toolset.Errorf(toolset.NotFound,
			"%s has no value at the JSON pointer %q; read it without json_path to see what it holds", d.path, pointer).
			Argument("ref.json_path", pointer, "the JSON pointer of a value in the file").
			With("did_you_mean", toolset.DidYouMean(pointer, near, 3)).With("example", example(d, scopeFile))
	}
	return pointer, nil
}

// file returns a whole file, or the value in it that a JSON pointer leads to. If it is longer than a reply, the first
// reply shows the line that the ref means.
func (d *document) file(line *int, pointer string) *extent {
	x := &extent{document: d, scope: scopeFile, end: len(d.text)}
	if pointer != "" {
		x.from, x.end, _ = corpus.JSONValue(d.text, pointer)
	}
	if from, end := d.focus(line, ""); x.from < from && end <= x.end {
		x.at, x.narrow = from, x.about(from, end)
	}
	return x
}
