package docimport

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
)

// folder is hidden, so that what it holds is no part of the manual.
const folder = ".import"

// ManifestPath is the path of the manifest in the folder of a manual.
const ManifestPath = folder + "/manifest.json"

// manifest is what was imported into a manual, by the path of the text.
type manifest struct {
	Files map[string]entry `json:"files"`
}

type entry struct {
	Source   string `json:"source"`             // absolute path of the document
	SHA256   string `json:"sha256"`             // of the document
	Text     string `json:"text_sha256"`        // of the text as it was written
	Encoding string `json:"encoding,omitempty"` // that a text was decoded from
	Lacks    string `json:"lacks,omitempty"`    // what of the document could not be read
	Places   []mark `json:"places,omitempty"`
}

// mark is the line of a text from which on it stands at a place of its document.
type mark struct {
	Line   int    `json:"line"`
	Page   int    `json:"page,omitempty"`
	Anchor string `json:"anchor,omitempty"`
	Sheet  string `json:"sheet,omitempty"`
}

func marks(places corpus.Places) (out []mark) {
	for _, p := range places {
		out = append(out, mark{p.Line, p.Place.Page, p.Place.Anchor, p.Place.Sheet})
	}
	return out
}

func readManifest(root *os.Root) (manifest, error) {
	m := manifest{Files: map[string]entry{}}
	src, err := root.ReadFile(ManifestPath)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err == nil {
		err = json.Unmarshal(src, &m)
	}
	if err != nil {
		return m, fmt.Errorf("the manifest %s cannot be read: %w", ManifestPath, err)
	}
	if m.Files == nil {
		m.Files = map[string]entry{}
	}
	return m, nil
}

func (m manifest) write(root *os.Root) error {
	out, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return err
	}
	return replace(root, ManifestPath, append(out, '\n'))
}

// replace writes a file whole or not at all.
func replace(root *os.Root, name string, text []byte) error {
	const temp = folder + "/new"
	if err := root.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if err := root.WriteFile(temp, text, 0o644); err != nil {
		return errors.Join(err, root.Remove(temp))
	}
	return root.Rename(temp, name)
}
