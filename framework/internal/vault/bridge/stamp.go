package bridge

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/pelletier/go-toml/v2"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

const (
	bom     = "\ufeff"
	idsKey  = "source_manual_ids"
	refsKey = "source_refs"
)

// Source is the origin of copied text.
type Source struct {
	ManualID string `json:"manual_id,omitempty" toml:"manual_id,omitempty"`
	Path     string `json:"path,omitempty" toml:"path,omitempty"`
	Lines    string `json:"lines,omitempty" toml:"lines,omitempty"`   // N-M
	SHA256   string `json:"sha256,omitempty" toml:"sha256,omitempty"` // of the whole source file
	// HeadingPath is the heading path of the section of the first line, or "" for a whole file.
	HeadingPath string `json:"heading_path,omitempty" toml:"heading_path,omitempty"`
	// Document is the document from which an imported text came, see [corpus.Imported].
	Document string `json:"document,omitempty" toml:"document,omitempty"`
	// Where in a document the text stands, see [toolset.Source].
	Anchor   string `json:"anchor,omitempty" toml:"anchor,omitempty"`
	Sheet    string `json:"sheet,omitempty" toml:"sheet,omitempty"`
	Page     int    `json:"page,omitempty" toml:"page,omitempty"`
	LastPage int    `json:"last_page,omitempty" toml:"last_page,omitempty"`
}

// provenance are the origins that front matter or a note lists.
type provenance struct {
	IDs  []string `json:"source_manual_ids" toml:"source_manual_ids"`
	Refs []Source `json:"source_refs" toml:"source_refs,inline"`
}

// add lists a source once.
func (p *provenance) add(s Source) {
	if !slices.Contains(p.IDs, s.ManualID) {
		p.IDs = append(p.IDs, s.ManualID)
	}
	if !slices.Contains(p.Refs, s) {
		p.Refs = append(p.Refs, s)
	}
}

// note returns what adds a source to a file's note.
func note(s Source) func(json.RawMessage) (any, error) {
	return func(old json.RawMessage) (any, error) {
		var p provenance
		if old != nil && json.Unmarshal(old, &p) != nil {
			p = provenance{} // not written by a bridge
		}
		p.add(s)
		return p, nil
	}
}

// stamp adds a source to a Markdown text's front matter and changes nothing else. ok is false
// where the sources that are listed cannot be read.
func stamp(text []byte, s Source) (stamped []byte, ok bool) {
	length := corpus.FrontMatter(text)
	if length == 0 {
		body := bytes.TrimPrefix(text, []byte(bom))
		var p provenance
		p.add(s)
		head := string(text[:len(text)-len(body)]) + "---\n" + strings.Join(p.yaml(), "\n") + "\n---\n"
		return append([]byte(head), body...), true
	}
	head := string(text[:length])
	lines, newline, isTOML, ok := frontMatter(head)
	if !ok {
		return nil, false
	}
	if isTOML {
		lines, ok = stampTOML(lines, s)
	} else {
		lines, ok = stampYAML(lines, s)
	}
	if !ok {
		return nil, false
	}
	head = strings.Join(lines, newline) + head[len(strings.TrimSuffix(head, newline)):]
	stamped = append([]byte(head), text[length:]...)
	return stamped, corpus.FrontMatter(stamped) == len(head) // else it was malformed, and is no front matter any more
}

// frontMatter returns the lines of front matter, fences included, and how they end. ok is false where they
// end in several ways.
func frontMatter(head string) (lines []string, newline string, isTOML, ok bool) {
	newline = "\n"
	if strings.Contains(head, "\r\n") {
		newline = "\r\n"
	}
	lines = strings.Split(strings.TrimSuffix(head, newline), newline)
	return lines, newline, strings.TrimSpace(strings.TrimPrefix(lines[0], bom)) == "+++",
		!strings.ContainsAny(strings.ReplaceAll(head, newline, ""), "\r\n")
}

// Origins returns the sources that a file's front matter and its note, nil for none, list.
func Origins(text []byte, noted []byte) []Source {
	var p, beside provenance
	if length := corpus.FrontMatter(text); length > 0 {
		switch lines, _, isTOML, ok := frontMatter(string(text[:length])); {
		case !ok:
		case isTOML:
			_ = readTOML(lines, &p) // what cannot be read names no source
		default:
			p, _, _ = readYAML(lines)
		}
	}
	_ = json.Unmarshal(noted, &beside)
	return append(p.Refs, beside.Refs...)
}

// stampYAML changes the lines of YAML front matter, fences included.
func stampYAML(lines []string, s Source) ([]string, bool) {
	p, kept, ok := readYAML(lines)
	if !ok || slices.ContainsFunc(kept, func(line string) bool { return strings.HasPrefix(line, "{") }) {
		return nil, false // no lines can follow a mapping in braces
	}
	p.add(s)
	return slices.Insert(kept, len(kept)-1, p.yaml()...), true
}

// readYAML parts the origins from the other lines of YAML front matter. ok is false where they cannot be read.
func readYAML(lines []string) (p provenance, kept []string, ok bool) {
	for i := 0; i < len(lines); i++ {
		key, value, _ := strings.Cut(lines[i], ":")
		switch key {
		case idsKey, refsKey:
			items := []string{}
			for i+1 < len(lines) && strings.HasPrefix(strings.TrimLeft(lines[i+1], " "), "- ") {
				i++
				items = append(items, strings.TrimPrefix(strings.TrimLeft(lines[i], " "), "- "))
			}
			if !p.read(key, strings.TrimSpace(value), items) {
				return p, nil, false
			}
		default:
			kept = append(kept, lines[i])
		}
	}
	return p, kept, true
}

// read takes the sources of front matter: the ids as a list on the line or one item a line,
// the refs as they are written here. It reports whether they could be read.
func (p *provenance) read(key, value string, items []string) bool {
	if key == refsKey {
		for _, item := range items {
			var s Source
			if json.Unmarshal([]byte(item), &s) != nil {
				return false
			}
			p.Refs = append(p.Refs, s)
		}
		return value == ""
	}
	if value == "" {
		for _, item := range items {
			p.IDs = append(p.IDs, strings.Trim(strings.TrimSpace(item), `"'`))
		}
		return true
	}
	return len(items) == 0 && json.Unmarshal([]byte(value), &p.IDs) == nil
}

// yaml returns the origins as lines of YAML, every value as JSON, which YAML includes.
func (p *provenance) yaml() []string {
	lines := []string{idsKey + ": " + spaced(p.IDs), refsKey + ":"}
	for _, r := range p.Refs {
		lines = append(lines, "  - "+spaced(r))
	}
	return lines
}

// spaced returns a value of texts and numbers as JSON on one line, with spaces behind colons and commas.
func spaced(v any) string {
	raw, _ := toolset.Marshal(v)
	line, _ := jsontext.AppendFormat(nil, raw, jsontext.SpaceAfterColon(true), jsontext.SpaceAfterComma(true),
		jsontext.PreserveRawStrings(true))
	return string(line)
}

// readTOML reads the origins in the lines of TOML front matter, fences included.
func readTOML(lines []string, p *provenance) error {
	return toml.Unmarshal([]byte(strings.Join(lines[1:len(lines)-1], "\n")), p)
}

// stampTOML changes the lines of TOML front matter, fences included. The keys go
// to its top, where no table has begun.
func stampTOML(lines []string, s Source) ([]string, bool) {
	var p, rest provenance
	if readTOML(lines, &p) != nil {
		return nil, false
	}
	before := len(p.IDs) + len(p.Refs)
	kept := slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
		key, _, _ := strings.Cut(line, " =")
		return key == idsKey || key == refsKey
	})
	if err := readTOML(kept, &rest); err != nil || len(rest.IDs)+len(rest.Refs) > 0 && before > 0 {
		return nil, false
	}
	p.add(s)
	origins, err := toml.Marshal(p)
	if err != nil {
		return nil, false
	}
	return slices.Insert(kept, 1, strings.Split(strings.TrimSuffix(string(origins), "\n"), "\n")...), true
}
