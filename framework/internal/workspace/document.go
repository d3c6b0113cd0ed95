package workspace

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// document is a TOML file with the line of every key.
type document struct {
	path   string
	values map[string]any
	lines  map[string]int // by the key's parts, joined by a NUL
}

// parse reads a whole document. Its error names file and line.
func parse(path string, src []byte) (document, error) {
	d := document{path: path, values: map[string]any{}, lines: map[string]int{}}
	if err := toml.Unmarshal(src, &d.values); err != nil {
		if de, ok := errors.AsType[*toml.DecodeError](err); ok {
			row, _ := de.Position()
			return d, fmt.Errorf("%s:%d: not valid TOML: %s", path, row, strings.TrimPrefix(de.Error(), "toml: "))
		}
		return d, fmt.Errorf("%s: not valid TOML: %w", path, err)
	}
	p := unstable.Parser{}
	p.Reset(src)
	table := []string{}
	for p.NextExpression() {
		node := p.Expression()
		switch node.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = d.note(&p, nil, node)
		case unstable.KeyValue:
			d.noteValue(&p, table, node)
		}
	}
	return d, p.Error()
}

// note keeps the line of each part of a key and returns the whole key.
func (d document) note(p *unstable.Parser, above []string, node *unstable.Node) []string {
	key := slices.Clone(above)
	for parts := node.Key(); parts.Next(); {
		part := parts.Node()
		key = append(key, string(part.Data))
		if id := strings.Join(key, "\x00"); d.lines[id] == 0 {
			d.lines[id] = p.Shape(part.Raw).Start.Line
		}
	}
	return key
}

func (d document) noteValue(p *unstable.Parser, table []string, node *unstable.Node) {
	key := d.note(p, table, node)
	if node.Value().Kind != unstable.InlineTable {
		return
	}
	for members := node.Value().Children(); members.Next(); {
		d.noteValue(p, key, members.Node())
	}
}

// keys lists the top-level keys in the order of the file, so that the first
// mistake is the one reported.
func (d document) keys() []string {
	return slices.SortedStableFunc(maps.Keys(d.values), func(a, b string) int {
		if d.lines[a] != d.lines[b] {
			return d.lines[a] - d.lines[b]
		}
		return strings.Compare(a, b)
	})
}

// at is file:line of a key.
func (d document) at(key ...string) string {
	return fmt.Sprintf("%s:%d", d.path, d.lines[strings.Join(key, "\x00")])
}

// fail returns an error placed at a key, on one line whatever a stranger's file holds.
func (d document) fail(key []string, format string, args ...any) error {
	return fmt.Errorf("%s: %s", d.at(key...), toolset.Harmless(fmt.Sprintf(format, args...), ""))
}
